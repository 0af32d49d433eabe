# The machine's AT keyboard, operated from outside (`guest run --qmp`). Sourced.

exec {keyboards}<>/dev/virtio-ports/keyboards {nothing}<> <(:)

# Waits without starting a process, which takes long on an emulated machine.
pause() { read -r -t "$1" -u "$nothing" || true; } # seconds

ask() { # down|up, key
    local answer
    echo "atkbd $1 $2" >&"$keyboards"
    read -r -t 10 -u "$keyboards" answer && [[ $answer == ok ]] || echo "keyboard: $1 $2: ${answer-no answer}" >&2
}

down() { ask down "$1"; }
up() { ask up "$1"; }

# Presses keys, named as in QEMU, one after the other, far enough apart to count each.
press() { # key…
    local key
    for key; do
        down "$key"
        pause 0.06
        up "$key"
        pause 0.3
    done
}

# Types a line of small letters, digits, blanks and hyphens.
type_line() { # text
    local character key
    while read -r -n 1 -d '' character; do
        case $character in
        ' ') key=spc ;;
        -) key=minus ;;
        *) key=$character ;;
        esac
        down "$key" && pause 0.03 && up "$key" && pause 0.03
    done < <(IFS='' && printf '%s' "$1")
    down ret && pause 0.03 && up ret
}

# Brings a virtual terminal to the foreground with the keyboard.
switch_to() { # its number
    down ctrl && down alt && down "f$1"
    pause 0.1
    up "f$1" && up alt && up ctrl
    expect "Ctrl-Alt-F$1 brings tty$1 to the front" grep -qx "tty$1" /sys/class/tty/tty0/active
}
