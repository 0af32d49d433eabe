# The service ends in the middle of a hold.
# shellcheck shell=bash

# Whether another process serves than before.
is_served_anew() { [[ $(property "$service" MainPID) != "$served_by" ]] && is_active "$service"; }

# Ends the service with the given command while a key is down.
during_a_hold() { # what, COMMAND ARG…
    local before counted
    about "The service $1 during a hold"
    served_by=$(property "$service" MainPID) before=$(count 1)
    down volumeup
    expect "The hold repeats" counts_at_least 1 $((before + 3))
    "${@:2}" >/run/said 2>&1
    expect "It is started again by itself" is_served_anew
    expect "and intercepts the keyboard" shows 1 'AT Translated Set 2 keyboard exclusive'
    counted=$(count 1)
    pause 2
    expect "The hold has ended with it, however long the key is down" counts 1 "$counted"
    up volumeup
    expect "It has counted for as long as it was heard" test "$counted" -lt $((before + 30))
    press volumedown
    expect "What is pressed then counts" counts 1 $((counted - 1))
}

restored_key_maps() { journalctl --unit "$service" | grep 'restored the key map of'; }

stop_all() { systemctl stop "$socket" "$service"; }

# SIGSTOP stands for a hang.
hangs() { systemctl kill --signal STOP "$service"; }

about "The service hangs while it intercepts"
served_by=$(property "$service" MainPID) before=$(count 1)
hangs
limit=240 expect "systemd ends it, and it is started again" is_served_anew
expect_now "The unit has put the key map right before" restored_key_maps
expect "The keyboard is exclusive again" shows 1 'AT Translated Set 2 keyboard exclusive'
press volumeup
expect "and counts" counts 1 $((before + 1))

during_a_hold "is killed" systemctl kill --signal KILL "$service"
expect_now "The unit has put the key map right before" restored_key_maps
during_a_hold "is restarted" systemctl restart "$service"
during_a_hold "is stopped" systemctl stop "$service"

about "The service and its socket are stopped"
stop_all
expect_now "The key map is the original" key_map_is_original
expect "ada is told" shows 1 'no access'
systemctl start "$socket"
expect "Once it listens again, the keyboard is held again" shows 1 'AT Translated Set 2 keyboard exclusive'
counted=$(count 1)
press volumeup
expect "and counts" counts 1 $((counted + 1))

about "Nobody counts"
switch_to 2
press q
switch_to 1
press q
expect "The service ends by itself" not is_active "$service"
expect_now "and well" test "$(property "$service" Result)" = success
expect_now "The key map is the original" key_map_is_original
expect_now "No unit has failed" no_unit_has_failed
before=$counted
type_line counter
expect "It is there again for who counts" counts 1 $((before + 1))
expect "and intercepts" shows 1 'AT Translated Set 2 keyboard exclusive'
