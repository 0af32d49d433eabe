# A user's journal is kept the same as the hub's, in the background; the hub ends while clients are connected.
# shellcheck shell=bash

hub_address="https://localhost:8484#$fingerprint"
sync_unit=counter-sync-hub@$(systemd-escape "$hub_address").service

counts_at_hub() { [[ $(as_hub counter show --location Hall) == "$1" ]]; } # count
counts_of_ada() { [[ $(as_ada counter show --location Hall) == "$1" ]]; } # count
is_live() { grep '^event: status' /run/live; }
is_synced() { prints ': synced' as_ada counter sync --status; }

# Fails if a command takes longer than seconds.
within() { # seconds, COMMAND ARG…
    local start=$SECONDS
    "${@:2}" || return
    echo "took $((SECONDS - start)) s"
    ((SECONDS - start <= $1))
}

about "A door"
token=$(as_hub counter-hub token add entrance --door --location Hall 2>/run/said)
as_ada mkdir -p /home/ada/.config/counter
as_ada bash -c "install -m 600 /dev/stdin /home/ada/.config/counter/hub-token <<<$token"
expect_now "ada joins what the hub shares" as_ada counter sync --join all "$hub_address"
expect_now "and has its counts" counts_of_ada 1
expect_now "Her service manager goes on with it" as_ada systemctl --user start "$sync_unit"
expect "She is told that it is synced" is_synced
expect_now "She counts" as_ada counter add --location Hall
expect "and so does the hub" counts_at_hub 2
expect_now "An event at the hub" prints '"result":"accepted"' ask_hub "$device" /v1/events -d '{"delta":1}'
expect "is hers too" counts_of_ada 3

about "The hub ends with clients"
viewer=$(as_hub counter-hub token add wall --viewer 2>/run/said)
curl -sSN --cacert "$hub_files/hub-certificate.pem" -H "Authorization: Bearer $viewer" "$hub_url/v1/live" >/run/live 2>&1 &
expect "A screen is live" is_live
expect_now "The hub is stopped within 10 s" within 10 systemctl stop "$hub"
expect_now "and well" test "$(property "$hub" Result)" = success
expect_now "She counts meanwhile" as_ada counter add --location Hall
expect_now "It is started again" systemctl start "$hub"
expect "It gets her count" counts_at_hub 4
expect_now "An event at the hub" prints '"result":"accepted"' ask_hub "$device" /v1/events -d '{"delta":1}'
expect "is hers too" counts_of_ada 5
expect_now "by the same process as before" test "$(as_ada systemctl --user show --value -p NRestarts "$sync_unit")" = 0
expect_now "No unit has failed" no_unit_has_failed
