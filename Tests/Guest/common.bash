# Shared by the guest's scripts. Sourced, with $here set to their directory.
# shellcheck shell=bash
set -euo pipefail

# The image's directory: vmlinux, initramfs, modules (a tree as under /), stamp.
cache=$(readlink -m "$here/../../.cache/guest")

fail() { # code, what, remedy…
    printf 'guest: %s\n' "$2" >&2
    (($# < 3)) || printf '  %s\n' "${@:3}" >&2
    exit "$1"
}
