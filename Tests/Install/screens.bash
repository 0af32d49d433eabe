# What the virtual terminals show, in front or not, as the kernel keeps it. Sourced.
# shellcheck shell=bash

# The rows of 80 cells; what is not ASCII is not told apart.
screen() { LC_ALL=C tr -c '[:print:]' '#' <"/dev/vcs$1" | fold -w 80; } # number of the terminal

shows() { screen "$1" | grep -qF -- "$2"; } # number, text

# The count that is shown.
count() { screen "$1" | grep -om 1 'Count -\?[0-9]\+' | grep -o '[0-9-]*$'; } # number

counts() { [[ $(count "$1") == "$2" ]]; } # number, count

counts_at_least() { (($(count "$1") >= $2)); } # number, count
