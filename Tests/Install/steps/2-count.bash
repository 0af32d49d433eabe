# An ordinary user counts on the keyboard of the machine.
# shellcheck shell=bash

# Only the nodes' permissions keep the user from opening them.
no_node_opens_for() { # user
    local file
    for file in /dev/input/event*; do
        exec {opened}<"$file" && exec {opened}<&- || return 1
        # shellcheck disable=SC2016 # for the other shell
        ! as "$1" bash -c 'exec 3<"$1"' - "$file" 2>/dev/null || { echo "$1 may open $file" && return 1; }
    done
}

# No process of the user has a device open.
has_no_device() { # user
    ! pgrep -u "$1" -x counter-keys && ! find /proc/[0-9]*/fd -user "$1" -lname '/dev/input/*' | grep .
}

# doctor fails if it finds any problem, such as that it has no terminal here.
is_told_of_service() { grep -F 'are read by the counter-keys service.' <(as "$1" counter doctor --verbose); } # user

is_below_memory_limit() {
    cat "$control"/memory.{max,peak,events}
    [[ $(<"$control/memory.max") == 67108864 ]] && (($(<"$control/memory.peak") < 32 << 20)) &&
        grep -qx 'oom_kill 0' "$control/memory.events"
}

about "Counting"
expect_now "ada can open no device of the machine" no_node_opens_for ada
listen_along
type_line counter
expect "counter shows its count" counts 1 0
expect "The keyboard is exclusive" shows 1 'AT Translated Set 2 keyboard exclusive'
press volumeup volumeup volumeup
expect "Three presses of volume up count three" counts 1 3
press volumedown
expect "One of volume down takes one back" counts 1 2
expect "Nobody else has heard a volume key" has_heard KEY_VOLUMEUP 0
press right
expect "Another key of the keyboard is the screen's as ever" counts 1 3
expect "and everybody's" has_heard KEY_RIGHT 1
expect "It is the service that listens, and runs as its own user" pgrep -u counter-keys -x counter-keys
expect_now "doctor says so" is_told_of_service ada
expect_now "No program of hers has a device open" has_no_device ada
expect_now "The service stays below its memory limit" is_below_memory_limit
