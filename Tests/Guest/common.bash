# What the guest's scripts share. Sourced, with $here set to their folder.
# shellcheck shell=bash
set -euo pipefail

# Where the image lies: vmlinux, initramfs, modules (a tree as under /), stamp.
cache=$(readlink -m "$here/../../.cache/guest")

fail() { # code, what, remedy…
    printf 'guest: %s\n' "$2" >&2
    (($# < 3)) || printf '  %s\n' "${@:3}" >&2
    exit "$1"
}
