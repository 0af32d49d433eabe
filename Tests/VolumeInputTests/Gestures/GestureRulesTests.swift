import Linux
import Testing

@testable import VolumeInput

/// The timing table, row by row: a script, and all events of the recogniser.
@Suite struct GestureRulesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let script: String
        let trace: String
        init(_ script: String, _ trace: String) {
            self.script = script
            self.trace = trace
        }
        var testDescription: String { script }
    }

    /// Compares the trace of a program that is never late, and checks that late reading and the reference computation
    /// leave the same counts.
    private func expect(
        _ row: Row, timing: GestureTiming = GestureTiming(), sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try timing.validate()
        let script = try GestureScript(row.script)
        let run = GestureRun(script, timing: timing)
        #expect(run.trace == row.trace, sourceLocation: sourceLocation)
        #expect(run.violations.isEmpty, sourceLocation: sourceLocation)
        #expect(
            run.outcomes == GestureReference(script, timing: timing).outcomes, "the reference",
            sourceLocation: sourceLocation)
        var finished = script
        finished.pass(.seconds(70))
        let prompt = GestureRun(finished, timing: timing).kept
        for reading in [.byEventsOnly, .late(.milliseconds(200)), .late(.seconds(35)), .random(seed: 1)]
            as [Reading]
        {
            let late = GestureRun(finished, timing: timing, reading: reading)
            #expect(late.kept == prompt, "\(reading)", sourceLocation: sourceLocation)
            #expect(late.violations.isEmpty, "\(reading)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        Row("d:up", "+1@0"),
        Row("t:7 d:down", "-1@7"),
        Row("d:up t:50 u:up t:200 d:down t:50 u:down", "+1@0 -1@250"),
        Row("t:3 d:reset t:50 u:reset", "reset@3"),
    ])
    func g1AKeyCountsAtOnce(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("d:up t:50 u:up t:99 d:up", "+1@0"),
        Row("d:up t:50 u:up t:100 d:up", "+1@0 +1@150"),
        Row("d:up t:50 u:up t:101 d:up", "+1@0 +1@151"),
        Row("d:up t:50 u:up t:99.999 d:up", "+1@0"),
        // From the last count, not from the last press.
        Row("d:up t:50 u:up t:50 d:up t:20 u:up t:30 d:up", "+1@0 +1@150"),
        // Repeats count for debounce.
        Row("d:up t:410 u:up t:139 d:up t:20 u:up", "+1@0 +1@400"),
        Row("d:up t:410 u:up t:140 d:up t:20 u:up", "+1@0 +1@400 +1@550"),
        // Voided counts count for debounce; the second key of a chord had none.
        Row("d:up t:10 d:down t:40 u:up u:down t:50 d:up", "+1@0 void(+1@0) both@10"),
        Row("d:up t:10 d:down t:40 u:up u:down t:100 d:up", "+1@0 void(+1@0) both@10 +1@150"),
        Row("d:up t:10 d:down t:40 u:up u:down t:50 d:down", "+1@0 void(+1@0) both@10 -1@100"),
        // A press that is not counted still becomes a hold, or a chord that voids only what the two presses counted.
        Row("d:up t:50 u:up t:50 d:up t:401 u:up", "+1@0 +1@500"),
        Row("d:up t:50 u:up t:50 d:up t:50 d:down", "+1@0 both@150"),
        Row("d:reset t:20 u:reset t:129 d:reset t:20 u:reset", "reset@0"),
        Row("d:reset t:20 u:reset t:130 d:reset t:20 u:reset", "reset@0 reset@150"),
    ])
    func g2TheSameKeyIsDebounced(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("d:up t:50 u:up t:20 d:down t:50 u:down", "+1@0 -1@70"),
        Row("d:down t:50 u:down t:1 d:up t:50 u:up", "-1@0 +1@51"),
        // Each key has its own debounce: the press of down in between does not change that of up.
        Row("d:up t:50 u:up t:10 d:down t:50 u:down t:39 d:up", "+1@0 -1@60"),
        Row("d:up t:50 u:up t:10 d:down t:50 u:down t:40 d:up", "+1@0 -1@60 +1@150"),
    ])
    func g3TheOtherKeyCountsForItself(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("d:up t:99 d:down", "+1@0 void(+1@0) both@99"),
        Row("d:up t:100 d:down", "+1@0 void(+1@0) both@100"),
        Row("d:up t:100.001 d:down", "+1@0 -1@100.001"),
        Row("d:up t:101 d:down", "+1@0 -1@101"),
        Row("d:down t:100 d:up", "-1@0 void(-1@0) both@100"),
        Row("[d:up d:down]", "+1@0 void(+1@0) both@0"),
        // A single-slot keyboard: first up, second down in one frame. In two frames it is a correction.
        Row("d:up t:60 [u:up d:down] t:50 u:down", "+1@0 void(+1@0) both@60"),
        Row("d:up t:100 [u:up d:down]", "+1@0 void(+1@0) both@100"),
        Row("d:up t:101 [u:up d:down]", "+1@0 -1@101"),
        Row("d:up t:60 u:up d:down t:50 u:down", "+1@0 -1@60"),
        Row("[d:up u:up d:down]", "+1@0 void(+1@0) both@0"),
        Row("[d:up u:up] d:down", "+1@0 -1@0"),
    ])
    func g4BothKeysTogetherAreAReset(row: Row) throws { try expect(row) }

    @Test(arguments: [
        // One key is pressed repeatedly while the other stays down: nothing counts.
        Row("d:up t:50 d:down t:300 u:up t:200 d:up t:600 u:up", "+1@0 void(+1@0) both@50"),
        // Neither holds.
        Row("d:up t:50 d:down t:2000 u:up u:down", "+1@0 void(+1@0) both@50"),
        // 24, 25, 26 ms after both are up. A press that comes too early begins the wait again.
        Row("d:up t:50 d:down t:300 u:up u:down t:24 d:up", "+1@0 void(+1@0) both@50"),
        Row("d:up t:50 d:down t:300 u:up u:down t:25 d:up", "+1@0 void(+1@0) both@50 +1@375"),
        Row("d:up t:50 d:down t:300 u:up u:down t:26 d:up", "+1@0 void(+1@0) both@50 +1@376"),
        Row("d:up t:50 d:down t:300 u:up t:10 u:down t:24 d:down", "+1@0 void(+1@0) both@50"),
        Row("d:up t:50 d:down t:300 u:up t:10 u:down t:25 d:down", "+1@0 void(+1@0) both@50 -1@385"),
        Row(
            "d:up t:50 d:down t:300 u:up u:down t:20 d:up t:10 u:up t:24 d:up t:5 u:up t:25 d:up",
            "+1@0 void(+1@0) both@50 +1@434"),
        // Long after its own release, but not after the other key's.
        Row("d:up t:50 d:down t:300 u:up t:10 u:down t:24 d:up", "+1@0 void(+1@0) both@50"),
        Row("d:up t:50 d:down t:300 u:up t:10 u:down t:25 d:up", "+1@0 void(+1@0) both@50 +1@385"),
        // A release within a frame is not decisive if the key is down at its end.
        Row(
            "d:up t:50 d:down t:300 u:up t:100 [u:down d:down] t:50 d:up t:10 u:up", "+1@0 void(+1@0) both@50"
        ),
        Row("[d:up u:up d:down d:up]", "+1@0 void(+1@0) both@0"),
        // A chord, and then another.
        Row(
            "d:up t:50 d:down t:50 u:up u:down t:200 d:down t:100 d:up",
            "+1@0 void(+1@0) both@50 -1@300 void(-1@300) both@400"),
        // The reset key is not part of a chord.
        Row("d:up t:50 d:down t:50 d:reset", "+1@0 void(+1@0) both@50 reset@100"),
        Row("d:reset t:50 d:up", "reset@0 +1@50"),
    ])
    func g4NothingCountsUntilBothHaveBeenUp(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("d:up t:399 u:up", "+1@0"),
        Row("d:up t:399.999 u:up", "+1@0"),
        Row("d:up t:400 u:up", "+1@0"),
        Row("d:up t:400", "+1@0 +1@400"),
        Row("d:up t:400.001 u:up", "+1@0 +1@400"),
        Row("d:up t:550 u:up", "+1@0 +1@400"),
        Row("d:up t:551 u:up", "+1@0 +1@400 +1@550"),
        Row("d:down t:701 u:down", "-1@0 -1@400 -1@550 -1@700"),
        Row("d:reset t:1000 u:reset", "reset@0"),
    ])
    func g5AHeldKeyRepeats(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("d:up t:50 d:down t:60 u:up t:10 u:down t:500", "+1@0 -1@50"),
        Row("d:up d:down t:900 u:up u:down t:200 d:up t:60 u:up", "+1@0 -1@0 +1@1100"),
    ])
    func g4WhereNothingIsResetEachKeyCounts(row: Row) throws {
        let run = GestureRun(try GestureScript(row.script), admitsChords: false)
        #expect(run.trace == row.trace)
        #expect(run.violations.isEmpty)
    }

    @Test func g5HeldForAlmostTwoSecondsCountsTwelve() throws {
        let run = GestureRun(try GestureScript("d:up t:1930 u:up t:1000"))
        #expect(total(run.outcomes) == 12)
    }

    @Test(arguments: [
        Row("d:up t:101 d:down t:2000 u:up u:down", "+1@0 -1@101"),
        // A hold ends when the other key goes down; a repeat due at that moment is not counted.
        Row("d:up t:560 d:down t:500", "+1@0 +1@400 +1@550 -1@560"),
        Row("d:up t:550 d:down t:500", "+1@0 +1@400 -1@550"),
        // Nor does the key that stays down, until both have been up.
        Row("d:up t:200 d:down t:100 u:up t:2000 u:down", "+1@0 -1@200"),
        Row("d:up t:200 d:down t:100 u:down t:2000 u:up t:10 d:down t:410", "+1@0 -1@200 -1@2310 -1@2710"),
        // Short presses of the other key while one is held: each counts.
        Row(
            "d:up t:200 d:down t:50 u:down t:200 d:down t:50 u:down t:1000 u:up",
            "+1@0 -1@200 -1@450"),
    ])
    func g6BothDownAndNoChordCountOnceEach(row: Row) throws { try expect(row) }

    @Test(arguments: [
        // 24, 25, 26 ms: the old press continues, or a new one is counted.
        Row("d:up t:300 u:up t:24 d:up t:100", "+1@0 +1@400"),
        Row("d:up t:300 u:up t:24.999 d:up t:100", "+1@0 +1@400"),
        Row("d:up t:300 u:up t:25 d:up t:399", "+1@0 +1@325"),
        Row("d:up t:300 u:up t:26 d:up t:399", "+1@0 +1@326"),
        // Again and again.
        Row("d:up t:300 u:up t:20 d:up t:5 u:up t:20 d:up t:5 u:up t:24 d:up t:30", "+1@0 +1@400"),
        // A repeat due in the gap counts, with its due time.
        Row("d:up t:390 u:up t:20 d:up t:100 u:up", "+1@0 +1@400"),
        Row("d:up t:400 u:up t:10 d:up t:100 u:up", "+1@0 +1@400"),
        Row("d:up t:390 u:up t:10 d:up t:0.001", "+1@0 +1@400"),
        // Bounce at the press.
        Row("d:up t:1 u:up t:1 d:up t:1 u:up t:1 d:up t:397", "+1@0 +1@400"),
        // The chord is measured from the real beginning of the press.
        Row("d:up t:60 u:up t:20 d:up t:20 d:down", "+1@0 void(+1@0) both@100"),
        Row("d:up t:60 u:up t:20 d:up t:21 d:down", "+1@0 -1@101"),
        // A chord is judged before bounce.
        Row("d:up t:300 u:up t:10 d:down t:10 d:up", "+1@0 -1@310 void(-1@310) both@320"),
        Row("d:reset t:300 u:reset t:24 d:reset", "reset@0"),
        Row("d:reset t:300 u:reset t:25 d:reset", "reset@0 reset@325"),
    ])
    func g7ContactBounceIsNoRelease(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("[d:up u:up] t:1000", "+1@0"),
        Row("d:up t:2 u:up t:1000", "+1@0"),
        // A knob at 60 ms per detent: about one in three.
        Row(
            "d:up t:2 u:up t:58 d:up t:2 u:up t:58 d:up t:2 u:up t:58 d:up t:2 u:up t:1000",
            "+1@0 +1@180"),
    ])
    func g8AShortPressIsOneCount(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("u:up t:10 u:down t:500", ""),
        Row("u:up t:10 d:up t:10 u:up", "+1@10"),
        Row("d:up t:100 u:up@2 t:350 u:up", "+1@0 +1@400"),
        Row("d:up t:100 u:down t:300.001 u:up", "+1@0 +1@400"),
        Row("[u:up d:down] t:10", "-1@0"),
    ])
    func g9AReleaseWithoutAPressIsIgnored(row: Row) throws { try expect(row) }

    /// Autorepeat events (value 2) never get here; a press of a key that is down is ignored too.
    @Test(arguments: [
        Row("d:up t:100 d:up t:310 u:up", "+1@0 +1@400"),
        Row("d:up t:250 d:up t:33 d:up t:33 d:up t:33 d:up t:33 d:up t:33 u:up", "+1@0 +1@400"),
    ])
    func g10AutorepeatIsIgnored(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("d:up t:30000 u:up", "LIMITED"),
        Row("d:up t:29999.999 u:up", "LAST"),
        Row("d:up t:40000 u:up", "LIMITED"),
        Row("d:up t:40000 u:up t:200 d:up t:10 u:up", "LIMITED +1@40200"),
        // The release was lost: the next press is a press.
        Row("d:up t:40000 d:up t:10 u:up", "LIMITED +1@40000"),
        Row("d:up t:30000 u:up t:10 u:up t:10 d:up t:10 u:up", "LIMITED"),
    ])
    func g11AHoldStopsBeforeItsLimit(row: Row) throws {
        let repeats = stride(from: 400, to: 30_000, by: 150).map { "+1@\($0)" }.joined(separator: " ")
        let trace = row.trace.replacing("LAST", with: "+1@0 \(repeats)")
            .replacing("LIMITED", with: "+1@0 \(repeats) limit(up)@30000")
        try expect(Row(row.script, trace))
    }

    @Test(arguments: [
        Row("d:up t:1000", "+1@0 +1@400 +1@500 +1@600 limit(up)@700"),
        // A repeat due at the limit is not counted; the limit may come before the first repeat of both.
        Row("d:up t:200 d:down t:1000", "+1@0 -1@200 limit(up)@700 limit(down)@900"),
        // A key that is taken as up has no effect on the other: no chord, no overlap, but no repeat before both are
        // up.
        Row("d:up t:700 d:down t:450", "+1@0 +1@400 +1@500 +1@600 limit(up)@700 -1@700 -1@1100"),
        Row("d:up t:650 d:down t:600", "+1@0 +1@400 +1@500 +1@600 -1@650 limit(up)@700"),
        // Both keys of a chord are taken as up: a press counts after `bounce`.
        Row(
            "d:up t:50 d:down t:724 d:up t:300 u:up",
            "+1@0 void(+1@0) both@50 limit(up)@700 limit(down)@750"),
        Row(
            "d:up t:50 d:down t:725 d:up t:300 u:up",
            "+1@0 void(+1@0) both@50 limit(up)@700 limit(down)@750 +1@775"),
        // The hold continues through bounce, up to its original limit.
        Row("d:up t:690 u:up t:20 d:up t:500 u:up", "+1@0 +1@400 +1@500 +1@600 limit(up)@700"),
        Row("d:reset t:1000", "reset@0 limit(reset)@700"),
    ])
    func g11AtAShortLimit(row: Row) throws {
        var timing = GestureTiming()
        timing.holdLimit = .milliseconds(700)
        timing.repeatInterval = .milliseconds(100)
        try expect(row, timing: timing)
    }

    @Test(arguments: [
        // Unplugged during a hold: repeats that were due before count, later ones do not.
        Row("d:up t:560 gone t:1000", "+1@0 +1@400 +1@550"),
        Row("d:up t:550 gone t:1000", "+1@0 +1@400"),
        Row("d:up t:50 gone t:1000 u:up", "+1@0"),
        // A bounce does not continue the press, but debounce goes on.
        Row("d:up t:50 gone t:10 d:up t:500", "+1@0 +1@460"),
        Row("d:up t:300 gone t:10 d:up", "+1@0 +1@310"),
        // A key of another node stays down.
        Row("d:up d:up@2 t:50 gone t:351", "+1@0 +1@400"),
        Row("d:up t:50 gone@2 t:351", "+1@0 +1@400"),
        // One key of a chord is gone: only the other has to come up.
        Row("d:up t:50 d:down@2 t:50 gone t:500 u:down@2 t:25 d:down", "+1@0 void(+1@0) both@50 -1@625"),
        // A key that is gone makes no chord.
        Row("d:up t:50 gone t:10 d:down", "+1@0 -1@60"),
    ])
    func g12WhatIsGoneIsReleased(row: Row) throws { try expect(row) }

    @Test(arguments: [
        // Newly down: once, and no hold.
        Row("drop:up t:1000 u:up", "+1@0"),
        Row("drop:up+down t:1000", "+1@0 -1@0"),
        Row("drop:reset", "reset@0"),
        Row("d:up t:50 u:up t:50 drop:up t:1000", "+1@0"),
        Row("d:up t:50 u:up t:100 drop:up t:1000", "+1@0 +1@150"),
        // Down before and after: the hold ends, and the release is waited for.
        Row("d:up t:410 drop:up t:1000 u:up t:30 d:up", "+1@0 +1@400 +1@1440"),
        Row("d:up t:50 drop:up t:1000 d:up t:10 u:up", "+1@0"),
        // Down before, up after: released, without a count.
        Row("d:up t:410 drop: t:1000 u:up", "+1@0 +1@400"),
        Row("d:up t:410 drop: t:140 d:up", "+1@0 +1@400 +1@550"),
        // Up before and after.
        Row("d:up t:50 u:up t:50 drop: t:50 d:up", "+1@0 +1@150"),
        // Only the keys of that node.
        Row("d:up t:50 drop:@2 t:351", "+1@0 +1@400"),
        Row("d:up t:50 drop:up@2 t:351", "+1@0 +1@400"),
        // While a chord is held nothing counts.
        Row(
            "d:up t:50 d:down t:50 drop:up+down t:100 drop:down t:100 drop:up+down", "+1@0 void(+1@0) both@50"
        ),
        // Newly down while another key is held: neither repeats (G6).
        Row("d:up t:200 drop:up+down t:1000", "+1@0 -1@200"),
        Row("d:up t:410 drop:down@2 t:1000", "+1@0 +1@400 -1@410"),
    ])
    func g12DroppedEventsAreNotGuessed(row: Row) throws { try expect(row) }

    @Test func g12AKeyBeyondItsLimitIsNotNewlyDown() throws {
        var timing = GestureTiming()
        timing.holdLimit = .milliseconds(401)
        try expect(Row("d:up t:5000 drop:up t:500", "+1@0 +1@400 limit(up)@401"), timing: timing)
        try expect(Row("d:up t:5000 u:up t:10 drop:up", "+1@0 +1@400 limit(up)@401 +1@5010"), timing: timing)
    }

    @Test(arguments: [
        // A release that is read late takes back the repeats after its stamp.
        Row("d:up t:390 ahead:400 u:up", "+1@0 +1@400 +1@550 +1@700 void(+1@400 +1@550 +1@700)"),
        Row("d:up t:560 ahead:300 u:up", "+1@0 +1@400 +1@550 +1@700 +1@850 void(+1@700 +1@850)"),
        Row("d:up t:550 ahead:1 u:up", "+1@0 +1@400 +1@550 void(+1@550)"),
        // Repeats that were taken back do not count for debounce.
        Row("d:up t:390 ahead:300 u:up t:30 d:up", "+1@0 +1@400 +1@550 void(+1@400 +1@550) +1@420"),
        Row("d:up t:410 ahead:300 u:up t:140 d:up", "+1@0 +1@400 +1@550 +1@700 void(+1@550 +1@700) +1@550"),
        // A chord that is read late takes back everything, and debounces from the press alone.
        Row("d:up t:80 ahead:500 d:down", "+1@0 +1@400 +1@550 void(+1@0 +1@400 +1@550) both@80"),
        Row(
            "d:up t:80 ahead:500 d:down t:10 u:up u:down t:60 d:up",
            "+1@0 +1@400 +1@550 void(+1@0 +1@400 +1@550) both@80 +1@150"),
        // The other key, read late: the hold ended at its stamp.
        Row("d:up t:200 ahead:300 d:down t:1000", "+1@0 +1@400 -1@200 void(+1@400)"),
        // Bounce, read late: taken back at the release, and counted again because the hold continued.
        Row("d:up t:390 ahead:20 u:up t:20 d:up t:100", "+1@0 +1@400 void(+1@400) +1@400"),
        Row("d:up t:390 ahead:20 [u:up d:up] t:100", "+1@0 +1@400"),
        // Repeats before the event's stamp stay.
        Row("d:up t:100 ahead:500 u:down t:400 ahead:100 u:up", "+1@0 +1@400 +1@550 void(+1@550)"),
        Row("d:up t:100 ahead:500 d:reset t:1000", "+1@0 +1@400 +1@550 reset@100 +1@700 +1@850 +1@1000"),
        // Unplugged, and events dropped, read late.
        Row("d:up t:100 ahead:500 gone t:500", "+1@0 +1@400 +1@550 void(+1@400 +1@550)"),
        Row("d:up t:410 ahead:300 drop:up t:500", "+1@0 +1@400 +1@550 +1@700 void(+1@550 +1@700)"),
    ])
    func g13WhatRanLateIsSetRight(row: Row) throws { try expect(row) }

    @Test(arguments: [
        Row("t:100 d:up t:-50 u:up t:300", "+1@100"),
        Row("t:100 d:up t:-90 d:down", "+1@100 void(+1@100) both@100"),
        // A stamp that goes backwards is taken as the release's: contact bounce, and so one hold from 500 on.
        Row("t:500 d:up t:50 u:up t:-500 d:up t:851 u:up", "+1@500 +1@900"),
    ])
    func g13StampsThatGoBackwardsAreClamped(row: Row) throws { try expect(row) }

    /// The hold reached its limit only if the clock was read too early.
    @Test(arguments: [
        Row("d:up t:80 ahead:40000 d:down", "both@80"),
        Row("d:up t:300 ahead:40000 u:up t:200 d:up t:20 u:up", "+1@0 +1@500"),
        Row("d:up t:300 ahead:40000 d:down t:3000", "+1@0 -1@300"),
        Row("d:up t:300 ahead:40000 d:up@2 t:50 u:up t:51 u:up@2", "+1@0 +1@400"),
    ])
    func g13ALimitThatWasReachedTooEarlyIsForgotten(row: Row) throws {
        let run = GestureRun(try GestureScript(row.script))
        #expect(run.kept == row.trace)
        #expect(run.violations.isEmpty)
    }

    // MARK: - Several nodes

    @Test(arguments: [
        // One press, reported by two nodes of a laptop: at once, overlapping, one after the other.
        Row("d:up@1 d:up@2 t:80 u:up@1 u:up@2 t:500", "+1@0"),
        Row("d:up@1 t:3 d:up@2 t:80 u:up@1 t:3 u:up@2 t:500", "+1@0"),
        Row("[d:up u:up]@1 t:5 d:up@2 t:80 u:up@2 t:500", "+1@0"),
        Row("d:up@1 t:3 d:up@2 t:80 u:up@1 t:400 u:up@2", "+1@0 +1@400"),
        // Each key on its own node: a tablet's chord.
        Row("d:up@1 t:60 d:down@2", "+1@0 void(+1@0) both@60"),
    ])
    func aDevicesKeyIsDownWhileItIsDownOnAnyNode(row: Row) throws { try expect(row) }

    @Test func moreNodesThanBitsAreNoCrash() throws {
        let presses = (1...80).map { "d:up@\($0)" }.joined(separator: " ")
        let releases = (1...80).map { "u:up@\($0)" }.joined(separator: " ")
        let run = GestureRun(try GestureScript("\(presses) t:50 \(releases) t:200 d:up@80"))
        #expect(run.kept == "+1@0 +1@250")
    }

    @Test func nodesThatComeAndGoForeverKeepTheirBits() throws {
        let script = (1...500).map { "d:up@\($0) t:20 gone@\($0) t:180" }.joined(separator: " ")
        #expect(total(GestureRun(try GestureScript(script)).outcomes) == 500)
    }

    // MARK: - Settings

    @Test(arguments: [
        (["bounce": 0], Row("d:up t:300 u:up t:1 d:up t:399", "+1@0 +1@301")),
        (["bounce": 0], Row("d:up t:50 d:down t:300 u:up u:down d:up", "+1@0 void(+1@0) both@50 +1@350")),
        (["debounce": 0], Row("d:up t:1 u:up t:1 d:up t:1 u:up d:up t:10", "+1@0 +1@2 +1@3")),
        (["debounce": 10], Row("d:up t:2 u:up t:7 d:up t:2 u:up", "+1@0")),
        (["debounce": 10], Row("d:up t:2 u:up t:10 d:up t:2 u:up t:10 d:up", "+1@0 +1@12 +1@24")),
        (["hold-delay": 150], Row("d:up t:451 u:up", "+1@0 +1@150 +1@300 +1@450")),
        (["hold-delay": 150, "chord": 149], Row("d:up t:149 d:down", "+1@0 void(+1@0) both@149")),
        (["bounce": 0], Row("[d:up d:down u:up u:down d:down]", "+1@0 void(+1@0) both@0")),
        // A repeat in the gap of a bounce counts, although the other key is down by then.
        (["chord": 4], Row("d:up t:390 u:up t:15 d:down t:5 d:up t:500", "+1@0 -1@405 +1@400")),
        (["chord": 0], Row("d:up t:0.001 d:down", "+1@0 -1@0.001")),
        (["chord": 0], Row("[d:up d:down]", "+1@0 void(+1@0) both@0")),
        (["debounce": 1000], Row("d:up t:20 u:up t:979 d:up t:20 u:up", "+1@0")),
        (["debounce": 1000], Row("d:up t:601 u:up", "+1@0 +1@400 +1@550")),
        (["repeat": 10], Row("d:up t:421 u:up", "+1@0 +1@400 +1@410 +1@420")),
    ])
    func settingsMoveTheEdges(settings: [String: Int], row: Row) throws {
        var timing = GestureTiming()
        for (name, value) in settings {
            switch name {
            case "bounce": timing.bounce = .milliseconds(value)
            case "debounce": timing.debounce = .milliseconds(value)
            case "hold-delay": timing.holdDelay = .milliseconds(value)
            case "chord": timing.chord = .milliseconds(value)
            case "repeat": timing.repeatInterval = .milliseconds(value)
            default: Issue.record("no such setting: \(name)")
            }
        }
        try expect(row, timing: timing)
    }
}
