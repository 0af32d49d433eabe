# The package is upgraded while a user counts.
# shellcheck shell=bash

# Presses volume up until it is stopped; then prints how often.
press_on() {
    local presses=0
    while [[ ! -e /run/enough ]]; do
        press volumeup
        presses=$((presses + 1))
    done
    echo "$presses" >/run/presses
}

# Each press was counted, or another program received it.
nothing_is_lost() {
    local counted=$(($(count 1) - before)) others
    others=$(($(heard KEY_VOLUMEUP) - heard_before))
    echo "$(</run/presses) presses: $counted counted, $others heard by others"
    ((counted + others >= $(</run/presses)))
}

is_later() { [[ $(dpkg-query -W -f='${Version}' counter) == *+later ]]; }

about "An upgrade while ada counts"
before=$(count 1) heard_before=$(heard KEY_VOLUMEUP) served_by=$(property "$service" MainPID)
press_on &
pressing=$!
expect "It counts" counts_at_least 1 $((before + 2))
expect_now "apt installs the later package" apt install "$later"
expect_now "It is the later one" is_later
expect "The service is the new one" is_served_anew
expect "The keyboard is exclusive" shows 1 'AT Translated Set 2 keyboard exclusive'
expect "It counts on" counts_at_least 1 $(($(count 1) + 2))
touch /run/enough
wait "$pressing"
expect "Each press was counted, or not intercepted" nothing_is_lost
nothing_is_lost
expect_now "No unit has failed" no_unit_has_failed
expect_now "The journal holds what the screen shows" test "$(as ada counter show)" = "$(count 1)"
expect_now "and is sound" as ada counter verify
