# The hub is installed and serves: this machine, then others with TLS. Its service manager watches it.
# shellcheck shell=bash

hub=counter-hub.service
hub_home=/var/lib/counter-hub
hub_files=$hub_home/.local/share/counter

as_hub() { sudo -u counter-hub "$@"; } # COMMAND ARG…

# Sets the options of the service, as docs/hub.md says.
set_options() { # option…
    echo "COUNTER_HUB_OPTIONS=\"$*\"" >/etc/default/counter-hub
    systemctl restart "$hub"
}

# Whether what a command prints has the text.
prints() { # text, COMMAND ARG…
    "${@:2}" >/run/printed 2>&1
    cat /run/printed
    grep -qF -- "$1" /run/printed
}

# Sends a request with a token to the hub.
ask_hub() { # token, path, option of curl…
    curl -sS --max-time 20 --cacert "$hub_files/hub-certificate.pem" -H "Authorization: Bearer $1" "$hub_url$2" "${@:3}"
}

is_served_by_another() { [[ $(property "$hub" MainPID) != "$hub_process" ]] && is_active "$hub"; }
is_same_process() { [[ $(property "$hub" MainPID) == "$hub_process" ]]; }
trusts() { prints ok curl -sS --cacert "$1" https://localhost:8484/healthz; } # certificate
completes() { bash -c 'source /usr/share/bash-completion/completions/counter-hub && complete -p counter-hub'; }

about "Without what counter sync needs for a hub"
expect_now "It says what to install" prints libcurl4 as_ada counter sync --once http://127.0.0.1:8484
expect_now "apt installs what docs/hub.md uses" apt install curl libcurl4 sudo
# As on an ordinary Debian; sudo looks for it.
printf "127.0.0.1 localhost\n127.0.1.1 %s\n" "$(uname -n)" >>/etc/hosts
files | sort >/run/files

about "Installing the hub"
hub_url=http://127.0.0.1:8484
expect_now "apt installs the package with what it depends on" apt install "$hub_package"
expect_now "The hub has said that it is ready" is_active "$hub"
expect_now "and is started after a boot" systemctl is-enabled --quiet "$hub"
expect_now "It runs as its own user" pgrep -u counter-hub -x counter-hub
expect_now "Nobody else looks into its directory" prints 'counter-hub:counter-hub 700' stat -c '%U:%G %a' "$hub_home"
expect_now "The service can do little harm: its exposure is at most 1.5" \
    systemd-analyze security --no-pager --threshold=15 "$hub"
expect_now "Its manual is there" test -s /usr/share/man/man1/counter-hub.1.gz
expect_now "and its completions" completes

about "From nothing to a first event"
expect_now "It says that it runs" prints ok curl -sS "$hub_url/healthz"
expect_now "Without a token, no count" prints 401 curl -sS -o /dev/null -w '%{http_code}' "$hub_url/v1/status"
device=$(as_hub counter-hub token add door-1 --device --location Hall 2>/run/said)
expect_now "Its journal can be used" prints 200 ask_hub "$device" /readyz -o /dev/null -w '%{http_code}'
expect_now "An event is accepted" prints '"result":"accepted"' ask_hub "$device" /v1/events -d '{"delta":1}'
expect_now "and counts" test "$(as_hub counter show --location Hall)" = 1

about "Other machines, with TLS"
fingerprint=$(as_hub counter-hub certificate 2>/run/said)
expect_now "A certificate is made" test -s "$hub_files/hub-certificate.pem"
tls=(--listen 0.0.0.0:8484 --tls-certificate "$hub_files/hub-certificate.pem" --tls-key "$hub_files/hub-key.pem")
expect_now "It starts with the options of /etc/default/counter-hub" set_options "${tls[@]}"
hub_url=https://localhost:8484
expect_now "It is served by TLS" trusts "$hub_files/hub-certificate.pem"
cp "$hub_files/hub-certificate.pem" /run/first.pem
hub_process=$(property "$hub" MainPID)
fingerprint=$(as_hub counter-hub certificate --force 2>/run/said)
expect_now "A new certificate is read on reload" systemctl reload "$hub"
expect "and served" trusts "$hub_files/hub-certificate.pem"
expect_now "in place of the old one" not trusts /run/first.pem
expect_now "by the same process" is_same_process

about "The hub hangs"
mkdir -p "/run/systemd/system/$hub.d"
printf '[Service]\nWatchdogSec=6\n' >"/run/systemd/system/$hub.d/watchdog.conf"
systemctl daemon-reload
systemctl restart "$hub"
hub_process=$(property "$hub" MainPID)
pause 15
expect_now "While it does not, its keep-alives come" is_same_process
systemctl kill --signal STOP "$hub"
limit=240 expect "Once it does, systemd ends it, and it is started again" is_served_by_another
expect_now "and serves" trusts "$hub_files/hub-certificate.pem"
expect_now "what it had" test "$(as_hub counter show --location Hall)" = 1
rm -r "/run/systemd/system/$hub.d"
systemctl daemon-reload
expect_now "No unit has failed" no_unit_has_failed
