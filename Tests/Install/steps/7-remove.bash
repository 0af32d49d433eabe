# The package is removed while a user counts.
# shellcheck shell=bash

wake_ups() { grep '^voluntary_ctxt_switches' "/proc/$1/status"; } # process

sleeps() { # process
    local before
    before=$(wake_ups "$1")
    pause 5
    [[ $(wake_ups "$1") == "$before" ]]
}

about "Removing it while ada counts"
counted=$(count 1)
expect_now "An alarm of hers is armed" is_armed
expect_now "apt removes the package" apt remove counter
expect "and is not armed any more" not is_armed
expect "The service is gone" not is_active "$service"
expect_now "The key map is the original" key_map_is_original
heard_before=$(heard KEY_VOLUMEUP)
press volumeup
expect "Volume keys are everybody's" has_heard KEY_VOLUMEUP $((heard_before + 1))
expect "ada's screen is still hers" counts 1 "$counted"
press right
expect "and counts what she types" counts 1 $((counted + 1))
# While a timer runs, the screen wakes once a second.
press 5 down down
expect "The screen lists her timer" shows 1 "S Stop"
press s 1
expect "which she stops" not shows 1 "Wrens 5"
# For a minute after the last press the screen shows the rate per minute.
limit=120 expect "It sleeps, for all that it has no key server" sleeps "$(pgrep -u ada -x counter)"
press q
expect "until she leaves" not pgrep -u ada -x counter
expect "No process of it is left" not pgrep -x counter-keys
expect_now "Her journal stays" test -s /home/ada/.local/share/counter/journal.sqlite
kill "$others"
expect_now "No unit has failed" no_unit_has_failed
expect_now "What was installed for it goes too" apt autoremove --purge
expect_now "Every file is as it was before" no_file_has_changed

about "Purging it"
expect_now "apt purges the package" apt purge counter
expect_now "Nothing is known of it" not dpkg-query -W counter
expect_now "Every file is as it was before" no_file_has_changed
expect_now "Her journal stays" test -s /home/ada/.local/share/counter/journal.sqlite
