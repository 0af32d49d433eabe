# A machine with two users: the package is installed.
# shellcheck shell=bash

about "The machine"
useradd --create-home --shell /bin/bash ada
useradd --create-home --shell /bin/bash bob
log_in ada tty1
log_in bob tty2
systemctl restart getty@tty1.service

expect "It has booted, and no unit has failed" is_up
expect "ada is logged in at its seat" is_at_seat ada tty1
expect "Her shell waits for her" shows 1 'ada@'
key_map >/run/key-map
# KEY_VOLUMEUP
expect_now "The keyboard has volume keys in its map" grep -q ' = 115 ' /run/key-map
files | sort >/run/files
is_below() { [[ $(stat -L -c %s "$2") -lt $1 ]]; } # bytes, file

about "Installing"
expect_now "apt knows of packages to depend on" apt update
expect_now "apt installs the package with what it depends on" apt install "$package"
expect "systemd listens for clients" is_active "$socket"
expect_now "and does so after a boot" systemctl is-enabled --quiet "$socket"
expect "The key service is not started for nobody" not is_active "$service"
expect_now "No unit has failed" no_unit_has_failed
expect_now "The service can do little harm: its exposure is at most 1.5" \
    systemd-analyze security --no-pager --threshold=15 "$service"
# Swift's runtime takes 7 MB of each program; Foundation with its tables of languages and calendars would add 40.
expect_now "The program takes less than 22 MB" is_below 22000000 /usr/bin/counter
expect_now "and the key server less than 9" is_below 9000000 /usr/libexec/counter/counter-keys
expect_now "and the ringer less than 11" is_below 11000000 /usr/libexec/counter/counter-ringer
expect_now "The package takes less than 10 MB" is_below 10000000 "$package"
