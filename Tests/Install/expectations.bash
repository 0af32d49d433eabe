# Functions that state expectations and report whether they are met. Sourced.

passed=0 failed=0
# The timeout of an expectation, in seconds: the machine is emulated.
limit=60

# Prints a heading for the following expectations.
about() { printf '\n%s\n' "$1"; }

# Waits until a command succeeds.
expect() { # what is expected, COMMAND ARG…
    local end=$((SECONDS + limit))
    until "${@:2}" >/run/said 2>&1; do
        if ((SECONDS >= end)); then
            report_failure "$1"
            return
        fi
        sleep 0.2
    done
    report_pass "$1"
}

# Runs a command, which must succeed.
expect_now() { # what is expected, COMMAND ARG…
    if "${@:2}" >/run/said 2>&1; then report_pass "$1"; else report_failure "$1"; fi
}

report_pass() { # what was expected
    passed=$((passed + 1))
    printf '  pass  %s\n' "$1"
}

report_failure() { # what was expected
    local number
    failed=$((failed + 1))
    printf '  FAIL  %s\n' "$1"
    tail -n 15 /run/said | sed 's/^/          /'
    for number in 1 2; do
        screen "$number" | grep -v '^ *$' | sed "s/^/        tty$number│/"
    done
}

# Succeeds if a command fails.
not() { ! "$@"; }

# Prints the closing line. Fails if an expectation failed, or if there was none.
summary() {
    printf '\n%d passed, %d failed\n' "$passed" "$failed"
    [[ $failed -eq 0 && $passed -gt 0 ]]
}
