# Functions that examine the installed machine. Sourced.

# The node of the AT keyboard.
node=/dev/input/$(basename "$(dirname "$(dirname "$(grep -l '^AT Translated' /sys/class/input/event*/device/name)")")")
service=counter-keys.service
socket=counter-keys.socket
control=/sys/fs/cgroup/system.slice/$service

# Runs a command as a user, without a session.
as() { runuser -u "$1" -- "${@:2}"; } # user, COMMAND ARG…

# Runs a command in ada's session.
as_ada() { as ada env XDG_RUNTIME_DIR="/run/user/$(id -u ada)" "$@"; } # COMMAND ARG…

is_armed() { as_ada systemctl --user --no-legend list-timers | grep 'counter-alarm-'; }
rings() { pgrep -u ada -f 'counter-ringer --data-dir'; }
is_timer() { as_ada counter timer list | grep "$1 .*$2"; } # label, status

# Installs counter-ringer's libraries. apt does that by itself unless it is told otherwise, as here.
install_recommended() { apt install libpulse0 libsystemd0 && apt-mark auto libpulse0; }

# The key map of the keyboard: each scan code and its key's number.
key_map() { input-kbd "${node#/dev/input/event}"; }

key_map_is_original() { key_map | cmp - /run/key-map; }

# Records in /run/heard what another program receives from the keyboard from now on.
listen_along() {
    stdbuf -oL evtest "$node" >/run/heard 2>&1 &
    others=$!
    expect "Somebody else hears the keyboard" grep -q '^Testing' /run/heard
}

heard() { grep -c "($1), value 1" /run/heard || true; } # key

has_heard() { (($(heard "$1") == $2)); } # key, times

# A user logs in on a virtual terminal by herself, as soon as that is shown.
log_in() { # user, terminal
    local unit=/run/systemd/system/getty@$2.service.d
    mkdir -p "$unit"
    printf '[Service]\nExecStart=\nExecStart=-/sbin/agetty --autologin %s --noclear %%I linux\n' "$1" >"$unit/login.conf"
    systemctl daemon-reload
}

is_up() { [[ $(systemctl is-system-running) == running ]]; }
is_at_seat() { loginctl list-sessions --no-legend | grep -q " $1 .*seat0.*$2"; } # user, terminal

property() { systemctl show --value -p "$2" "$1"; } # unit, name

is_active() { systemctl is-active --quiet "$1"; } # unit

# Fails and prints the units that have failed, if any.
no_unit_has_failed() { [[ -z $(systemctl list-units --failed --no-legend --plain | tee /dev/stderr) ]]; }

# Lists every file that a package may change, with its owner, and the content of the machine's configuration. Left out
# is what is mounted, belongs to users, is kept by package tools for themselves, or is written by other programs.
files() {
    find / -xdev \( -path /home -o -path /root -o -path /srv -o -path /tmp -o -path /var/log -o -path /var/tmp \
        -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -printf '%p %y %m %u:%g %l\n'
    find /etc -type f -not -name '*-' -exec sha256sum {} +
    find /home /run/counter /run/systemd/system /run/udev/rules.d -not -path '*/.*' -printf '%p %y %m %u:%g\n' 2>/dev/null || true
}

# Whether all files are as listed in /run/files.
no_file_has_changed() { files | sort | grep -v '^/home/[a-z]*/.local' | diff /run/files -; }

apt() { apt-get -qq --yes --no-install-recommends "$@"; }
