# Timers run, and one rings, when the machine is switched off.
# shellcheck shell=bash

about "Before the machine is switched off"
expect_now "apt installs what the package recommends" install_recommended
type_line counter
expect "counter shows its count" counts 1 0
expect_now "A timer is started" as_ada counter timer start 5s Wrens
expect "It rings" rings
expect_now "A second one is started, of 20 seconds" as_ada counter timer start 20s Robins
expect_now "and a third, of a day" as_ada counter timer start 24h Larks
expect_now "counter is killed" pkill -KILL -u ada -x counter
expect "The next end is armed" is_armed
expect_now "Nobody has acknowledged the first" is_timer Wrens ended
cp /proc/sys/kernel/random/boot_id /var/tmp/last-boot
