import Linux
import Testing

@testable import VolumeInput

/// The timing table, rule by rule: the cases of `timing-table.txt`.
@Suite struct TimingTableTests {
    private static let path = #filePath.replacing("TimingTableTests.swift", with: "timing-table.txt")

    @Test(arguments: try GestureRule.all(in: Self.path))
    func `Each case gives its counts, and the same ones however late it is read`(rule: GestureRule) throws {
        try rule.timing.validate()
        #expect(!rule.cases.isEmpty)
        for example in rule.cases {
            let script = try GestureScript(example.script)
            let comment = Comment(rawValue: "timing-table.txt:\(example.line): \(example.script)")
            let run = run(rule, script)
            #expect((example.isOnlyLeft ? run.kept : run.trace) == example.outcome, comment)
            #expect(run.violations.isEmpty, comment)
            // The reference resets always, and is not told how far ahead the program has seen its clock.
            if rule.admitsChords, !example.isOnlyLeft {
                let reference = GestureReference(script, timing: rule.timing).outcomes
                #expect(run.outcomes == reference, comment)
                expectSameWhenLate(rule, script, comment)
            }
        }
    }

    private func run(_ rule: GestureRule, _ script: GestureScript, _ reading: Reading = .prompt) -> GestureRun
    {
        GestureRun(
            script, timing: rule.timing, reading: reading, admitsChords: rule.admitsChords,
            heldChord: rule.heldChord)
    }

    private func expectSameWhenLate(_ rule: GestureRule, _ script: GestureScript, _ comment: Comment) {
        var finished = script
        finished.pass(.seconds(70))
        let prompt = run(rule, finished).kept
        for reading in [.byEventsOnly, .late(.milliseconds(200)), .late(.seconds(35)), .random(seed: 1)]
            as [Reading]
        {
            let late = run(rule, finished, reading)
            #expect(late.kept == prompt, "\(reading), \(comment)")
            #expect(late.violations.isEmpty, "\(reading), \(comment)")
        }
    }

    @Test func `More nodes than bits are no crash`() throws {
        let presses = (1...80).map { "press:up@\($0)" }.joined(separator: " ")
        let releases = (1...80).map { "release:up@\($0)" }.joined(separator: " ")
        let run = GestureRun(try GestureScript("\(presses) 50ms \(releases) 200ms press:up@80"))
        #expect(run.kept == "+1@0 +1@250")
    }

    @Test func `Nodes that come and go forever keep their bits`() throws {
        let script = (1...500).map { "press:up@\($0) 20ms gone@\($0) 180ms" }.joined(separator: " ")
        #expect(total(GestureRun(try GestureScript(script)).outcomes) == 500)
    }
}

// MARK: - Settings

@Suite struct GestureTimingTests {
    @Test(arguments: [
        ("debounce", "0 to 10 s", [-1, 10_001]), ("bounce", "0 to 1 s", [-1, 1_001]),
        ("hold-delay", "1 ms to 1 min", [0, 60_001]),
        ("repeat", "10 ms to 1 min", [0, 9, -150, 60_001]), ("hold-limit", "at most 1 h", [3_600_001, -1]),
        ("chord", "0 or more, and less than hold-delay", [-1, 400, 1000]),
        ("hold-limit", "more than hold-delay", [400, 0]),
    ])
    func `What makes no sense is refused`(setting: String, requirement: String, values: [Int]) throws {
        for value in values {
            var timing = GestureTiming()
            try timing.set(setting, to: .milliseconds(value))
            let error = #expect(throws: GestureTiming.Invalid.self, "\(value)") { try timing.validate() }
            #expect(error.map { "\($0)" } == "\(setting) must be \(requirement)")
        }
    }

    @Test(arguments: [
        ["debounce": 0, "bounce": 0, "chord": 0, "hold-delay": 1, "repeat": 10, "hold-limit": 2],
        [
            "debounce": 10_000, "bounce": 1000, "chord": 59_999, "hold-delay": 60_000, "repeat": 60_000,
            "hold-limit": 3_600_000,
        ],
    ])
    func `The ends of the ranges are allowed`(settings: [String: Int]) throws {
        var timing = GestureTiming()
        for (setting, value) in settings { try timing.set(setting, to: .milliseconds(value)) }
        try timing.validate()
    }

    /// The largest and the smallest settings together, through a whole hold: no arithmetic overflows.
    @Test func `A setting at its end still counts`() throws {
        var timing = GestureTiming()
        timing.holdDelay = .milliseconds(1)
        timing.chord = .zero
        timing.repeatInterval = .milliseconds(10)
        timing.holdLimit = .seconds(3600)
        let run = GestureRun(try GestureScript("press:up 3600000ms release:up"), timing: timing)
        #expect(total(run.outcomes) == 360_001)
    }
}
