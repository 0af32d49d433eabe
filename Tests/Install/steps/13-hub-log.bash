# The hub with PostgreSQL behind it, as docs/postgresql.md says, in its unit's confinement.
# shellcheck shell=bash

as_postgres() { (cd / && sudo -u postgres "$@"); } # COMMAND ARG…
readiness() { prints "$1" ask_hub "$device" /readyz -o /dev/null -w '%{http_code}'; } # status
is_told() { prints "$1" journalctl --unit "$hub" --since "$log_start"; } # text
log_has() { prints "$1" as_postgres psql -At counter -c "SELECT count FROM counter.level WHERE location_name = 'Hall'"; } # count
refuses_event() { prints 503 ask_hub "$device" /v1/events -d '{"delta":1}' -o /dev/null -w '%{http_code}'; }

about "A hub with its rows in PostgreSQL"
expect_now "apt installs the hub and PostgreSQL" apt install "$package" "$hub_package" postgresql
expect "PostgreSQL runs" as_postgres psql -c 'SELECT 1'
rm -f /etc/default/counter-hub
systemctl restart "$hub"
hub_url=http://127.0.0.1:8484
device=$(as_hub counter-hub token add door-9 --device --location Hall 2>/run/said)
expect_now "An event from before the log" prints '"result":"accepted"' ask_hub "$device" /v1/events -d '{"delta":1}'
expect_now "A database is made" as_postgres createdb --encoding=UTF8 --template=template0 counter
expect_now "and the log in it" as_postgres counter-hub log init postgresql:///counter
expect_now "The hub's user may write there" as_postgres psql counter -c 'CREATE ROLE "counter-hub" LOGIN IN ROLE counter_hub'
log_start=$(date '+%F %T')
expect_now "It starts with the log" set_options --log postgresql:///counter
expect "and says that it is connected" is_told 'postgresql:///counter: connected'
expect "It is ready" readiness 200
expect_now "An event is accepted" prints '"result":"accepted"' ask_hub "$device" /v1/events -d '{"delta":1}'
expect_now "and is in the database, as is the one before" log_has 2
expect_now "The log has each row of the journal" as_hub counter-hub log check postgresql:///counter
expect_now "PostgreSQL is stopped" systemctl stop postgresql
expect "The hub is not ready" readiness 503
expect_now "An event is refused" refuses_event
expect_now "PostgreSQL is started again" systemctl start postgresql
expect "The hub is ready by itself" readiness 200
expect_now "An event is accepted" prints '"result":"accepted"' ask_hub "$device" /v1/events -d '{"delta":1}'
expect_now "and what was refused is not counted" log_has 3

about "Its disk is lost"
systemctl stop "$hub"
rm "$hub_files"/journal.sqlite*
expect_now "It starts with an empty one" systemctl start "$hub"
expect "and is ready" readiness 200
expect_now "It has all that it had" test "$(as_hub counter show --location Hall)" = 3
expect_now "No unit has failed" no_unit_has_failed
expect_now "apt removes all of it" apt purge counter-hub counter postgresql
