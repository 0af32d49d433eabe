# A second user logs in on another virtual terminal: only the user in the foreground counts.

about "Two users"
switch_to 2
expect "bob is logged in there" is_at_seat bob tty2
expect "ada is told that she hears nothing now" shows 1 'AT Translated Set 2 keyboard shared'
expect "His shell waits for him" shows 2 'bob@'
expect_now "bob can open no device either" no_node_opens_for bob
type_line counter
expect "He counts from 0" counts 2 0
expect "and intercepts the keyboard" shows 2 'AT Translated Set 2 keyboard exclusive'
press volumedown volumedown
expect "His presses count on his screen" counts 2 -2
expect "and not on hers" counts 1 3

as bob counter listen --data-dir /tmp/bob --always >/run/bob-hears 2>/run/bob-told &
expect "He listens in the background too" grep -q 'AT Translated' /run/bob-told
switch_to 1
expect "ada intercepts the keyboard again" shows 1 'AT Translated Set 2 keyboard exclusive'
press volumeup
expect "Her press counts on her screen" counts 1 4
expect "not on his" counts 2 -2
expect_now "and what he has left listening has heard nothing" not test -s /run/bob-hears
pkill -u bob -f 'counter listen'
expect "which ends when it is told to" not pgrep -u bob -f 'counter listen'
expect "Nobody else has heard a volume key in all of this" has_heard KEY_VOLUMEUP 0
