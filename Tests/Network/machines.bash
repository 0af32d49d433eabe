# Two machines, namespaces of this one: each with an id, a host name, a home directory, a network, and processes of its own. ada has an
# account on both, and in the office a key for the door. Sourced.

declare -A machine
addresses="office=10.9.0.1 door=10.9.0.2"

# Runs a command on a machine as root.
as_root() { nsenter --target "${machine[$1]}" --all --root --wd -- "${@:2}"; } # machine, COMMAND ARG…

# The same as ada, as after a login.
as_ada() { # machine, COMMAND ARG…
    as_root "$1" setpriv --reuid ada --regid ada --init-groups env -i -C /home/ada PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/ada \
        USER=ada LOGNAME=ada SHELL=/bin/bash LANG=C.UTF-8 TERM=xterm-256color "${@:2}"
}

start_machine() { # name
    mkdir -p "/run/machines/$1"
    systemd-id128 new >"/run/machines/$1/id"
    cp -a /home/ada "/run/machines/$1/home"
    unshare --mount --uts --net --ipc --pid --fork --kill-child --mount-proc bash -c "
        mount --bind /run/machines/$1/id /etc/machine-id
        mount --bind /run/machines/$1/home /home/ada
        hostname $1
        ip link set lo up
        touch /run/machines/$1/started
        # The shell takes in the processes that have lost their parent.
        sleep infinity &
        wait" &
    until [[ -e /run/machines/$1/started ]]; do sleep 0.1; done
    machine[$1]=$(pgrep -P $!)
}

start_machines() { # directory that counter was installed below
    local entry
    modprobe --all veth sch_netem nf_tables
    mount --bind "$1/usr/local" /usr/local
    touch /etc/machine-id
    useradd --create-home --shell /bin/bash --password '*' ada
    for entry in $addresses; do echo "${entry#*=} ${entry%=*}"; done >>/etc/hosts
    start_machine office
    start_machine door
    ip link add wire netns "${machine[office]}" type veth peer name wire netns "${machine[door]}"
    for entry in $addresses; do
        as_root "${entry%=*}" ip address add "${entry#*=}/24" dev wire
        as_root "${entry%=*}" ip link set wire up
    done
    start_sshd
}

# A real server at the door, which knows ada's key of the office, and whose key the office knows.
start_sshd() {
    local key=/run/machines/door/host-key
    ssh-keygen -q -t ed25519 -N '' -f $key
    mkdir -p /run/sshd
    as_root door /usr/sbin/sshd -f /dev/null -o HostKey=$key -o UsePAM=no -o PidFile=none -E /run/machines/door/sshd.log
    as_ada office ssh-keygen -q -t ed25519 -N '' -f /home/ada/.ssh/id_ed25519
    as_ada door mkdir -m 700 /home/ada/.ssh
    as_ada office cat /home/ada/.ssh/id_ed25519.pub | as_ada door tee /home/ada/.ssh/authorized_keys >/dev/null
    echo "door $(cut -d' ' -f1-2 $key.pub)" | as_ada office tee /home/ada/.ssh/known_hosts >/dev/null
}

# MARK: - Screens

# Opens a window of ada's terminal.
open() { # machine, window, command of the shell
    as_ada "$1" tmux -f /dev/null -L "$1" has-session 2>/dev/null ||
        as_ada "$1" tmux -f /dev/null -L "$1" new-session -d -x 100 -y 24 -s ada -n shell
    as_ada "$1" tmux -L "$1" new-window -d -n "$2" "$3"
}

type_in() { as_ada "$1" tmux -L "$1" send-keys -t "ada:$2" "${@:3}"; } # machine, window, key…

window() { as_ada "$1" tmux -L "$1" capture-pane -p -t "ada:$2"; } # machine, window

# For the report of a failure.
screen() { # 1 or 2
    if (($1 == 1)); then window office count && window office sync; else window door count; fi
}

# MARK: - The cable

cut_cable() { as_root door ip link set wire down; }
mend_cable() { as_root door ip link set wire up; }

# Drops all that comes to the office.
block() { as_root office nft -f - <<<'table inet block { chain input { type filter hook input priority 0; iifname "wire" drop; }; }'; }
unblock() { as_root office nft delete table inet block; }

# Lets netem(8) make the line bad in both directions.
impair() { # what netem takes…
    as_root office tc qdisc add dev wire root netem "$@" && as_root door tc qdisc add dev wire root netem "$@"
}
repair() { as_root office tc qdisc delete dev wire root && as_root door tc qdisc delete dev wire root; }

# What went through, and what was lost.
impairment() { as_root "$1" tc -s qdisc show dev wire | awk -v who="from the $1:" '/Sent/ { print who, $0 }'; } # machine

was_bad() { impairment office | grep -Ev 'dropped 0,'; }
