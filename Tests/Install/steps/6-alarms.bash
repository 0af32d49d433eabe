# A user's timers ring though no counter of hers runs.
# shellcheck shell=bash

is_told_of_lingering() {
    local said
    said=$(as_ada env SSH_CONNECTION=here counter doctor || true)
    grep 'your service manager ends when you log out' <<<"$said" && ! grep 'needs a running counter' <<<"$said"
}

is_told_of_libraries() { as_ada counter timer start 1h Early 2>&1 | grep 'with the libraries that the package recommends'; }

about "Alarms while no counter runs"
press q
expect "ada has left" not pgrep -u ada -x counter
expect_now "Without what the package recommends, a timer's start says so" is_told_of_libraries
expect_now "She stops it" as_ada counter timer stop Early
expect_now "apt installs what is recommended" install_recommended
expect_now "She starts a timer" as_ada counter timer start 20s Robins
expect "Her service manager has it" is_armed
expect "It rings" rings
expect_now "and has ended" is_timer Robins ended
expect_now "She acknowledges it" as_ada counter timer acknowledge Robins
expect "It is silent" not rings
expect_now "Nothing is armed any more" not is_armed
expect_now "She starts another one" as_ada counter timer start 1h Wrens
expect "It is armed" is_armed
# As at a boot: the manager forgets what was armed.
expect_now "Her service manager starts anew" systemctl restart "user@$(id -u ada).service"
expect "It is armed again without her" is_armed
expect_now "Over SSH doctor says that she does not linger" is_told_of_lingering
expect_now "No unit has failed" no_unit_has_failed
type_line counter
expect "She counts on" counts 1 "$(as ada counter show)"
expect "The keyboard is exclusive" shows 1 'AT Translated Set 2 keyboard exclusive'
