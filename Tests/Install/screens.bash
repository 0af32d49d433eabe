# The content of virtual terminals, in the foreground or not, from the kernel. Sourced.

# Prints the rows of 80 cells, with # for all but ASCII.
screen() { LC_ALL=C tr -c '[:print:]' '#' <"/dev/vcs$1" | fold -w 80; } # number of the terminal

shows() { screen "$1" | grep -qF -- "$2"; } # number, text

# Prints the count that is shown.
count() { screen "$1" | grep -om 1 'Count -\?[0-9]\+' | grep -o '[0-9-]*$'; } # number

counts() { [[ $(count "$1") == "$2" ]]; } # number, count

counts_at_least() { (($(count "$1") >= $2)); } # number, count
