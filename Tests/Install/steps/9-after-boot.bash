# The machine has booted anew, and its user logs in.
# shellcheck shell=bash

about "After the boot"
log_in ada tty1
systemctl restart getty@tty1.service
expect_now "It is another boot" not cmp /var/tmp/last-boot /proc/sys/kernel/random/boot_id
expect "ada is logged in at the seat" is_at_seat ada tty1
expect "An alarm rings, though she has started nothing" rings
expect_now "No counter runs" not pgrep -x counter
expect_now "She acknowledges what rang before" as_ada counter timer acknowledge Wrens
expect "The timer of 20 seconds has ended" is_timer Robins ended
# Nothing else keeps the ringer.
pause 5
expect "It rings" rings
expect_now "She acknowledges that too" as_ada counter timer acknowledge Robins
expect "It is silent" not rings
expect "The timer of a day is armed" is_armed
expect_now "No unit has failed" no_unit_has_failed
