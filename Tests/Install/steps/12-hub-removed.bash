# Wrong options; an upgrade, the removal and the purge of the hub, while a door is connected.
# shellcheck shell=bash

has_failed() { [[ $(property "$hub" ActiveState) == failed && $(property "$hub" NRestarts) == 0 ]]; }
is_later_hub() { prints +later dpkg-query -W counter-hub; }
knows_no_user() { ! getent passwd counter-hub && ! getent group counter-hub; }

# Whether the hub is refused its options, with the text in its log, and is not started again and again.
refuses() { # text, option…
    local since
    since=$(date '+%F %T')
    ! set_options "${@:2}" && pause 5 && prints "$1" journalctl --unit "$hub" --since "$since" && has_failed
}

about "Wrong options"
expect_now "An option that there is not is told in the log, once" refuses "--listne" --listne 0.0.0.0:8484
expect_now "So is an address without TLS" refuses "with TLS only" --listen 0.0.0.0:8484
install -m 600 "$hub_files/hub-key.pem" /etc/hub-key.pem
expect_now "and a key that it may not read" refuses /etc/hub-key.pem: "${tls[@]:0:5}" /etc/hub-key.pem
rm /etc/hub-key.pem
as ada counter-hub --data-dir /tmp/ada-hub --listen 127.0.0.1:8585 2>/run/ada-hub &
expect "While another program has its port" grep listening /run/ada-hub
# The emulated machine starts it so slowly that systemd's limit of starts would otherwise not be reached.
mkdir -p "/run/systemd/system/$hub.d"
printf '[Service]\nRestartSec=100ms\n' >"/run/systemd/system/$hub.d/restart.conf"
systemctl daemon-reload
set_options --listen 127.0.0.1:8585 2>/dev/null || true
pause 20
expect_now "it does not serve" not is_active "$hub"
pkill -u ada -x counter-hub
expect "Once it is free, it serves" is_active "$hub"
rm -r "/run/systemd/system/$hub.d"
systemctl daemon-reload
expect_now "With the former options it starts" set_options "${tls[@]}"
expect_now "No unit has failed" no_unit_has_failed

about "An upgrade of the hub"
hub_process=$(property "$hub" MainPID)
expect_now "apt installs the later package" apt install "$later_hub"
expect_now "It is the later one" is_later_hub
expect_now "which serves" is_served_by_another
expect_now "ada counts" as_ada counter add --location Hall
expect "and so does the hub" counts_at_hub 6

about "Removing the hub"
expect_now "apt removes the package" apt remove counter-hub
expect_now "The service is gone" not is_active "$hub"
expect_now "No process of it is left" not pgrep -u counter-hub
expect_now "Its journal stays" test -s "$hub_files/journal.sqlite"
expect_now "ada's counter goes on" as_ada systemctl --user is-active "$sync_unit"
expect_now "No unit has failed" no_unit_has_failed
expect_now "apt installs it again" apt install "$hub_package"
expect "It has its journal" counts_at_hub 6
expect_now "and ada's counts" as_ada counter add --location Hall
expect "as before" counts_at_hub 7

about "Purging the hub"
expect_now "apt purges the package, and what only it needs" apt purge --autoremove counter-hub
expect_now "The service is gone" not systemctl cat "$hub"
expect_now "Its user is gone" knows_no_user
expect_now "Every file is as it was before" no_file_has_changed
expect_now "apt removes counter" apt remove counter
expect_now "No counter of ada's is left" not pgrep -u ada -f 'counter.sync'
expect_now "Her journal stays" test -s /home/ada/.local/share/counter/journal.sqlite
expect_now "No unit has failed" no_unit_has_failed
