import Linux
import Testing

@testable import VolumeInput

@Suite struct GestureTimingTests {
    @Test func theDefaultsAreThoseOfTheTable() throws {
        let timing = GestureTiming()
        try timing.validate()
        #expect(timing.debounce == .milliseconds(150))
        #expect(timing.chord == .milliseconds(100))
        #expect(timing.holdDelay == .milliseconds(400))
        #expect(timing.repeatInterval == .milliseconds(150))
        #expect(timing.bounce == .milliseconds(25))
        #expect(timing.holdLimit == .seconds(30))
    }

    struct Refusal: Sendable {
        let message: String
        let change: @Sendable (inout GestureTiming) -> Void
    }

    @Test(arguments: [
        Refusal(message: "debounce must be 0 to 10 s") { $0.debounce = .milliseconds(-1) },
        Refusal(message: "debounce must be 0 to 10 s") { $0.debounce = .milliseconds(10_001) },
        Refusal(message: "bounce must be 0 to 1 s") { $0.bounce = .milliseconds(-1) },
        Refusal(message: "bounce must be 0 to 1 s") { $0.bounce = .milliseconds(1_001) },
        Refusal(message: "hold-delay must be 1 ms to 1 min") { $0.holdDelay = .zero },
        Refusal(message: "hold-delay must be 1 ms to 1 min") { $0.holdDelay = .milliseconds(60_001) },
        Refusal(message: "repeat must be 10 ms to 1 min") { $0.repeatInterval = .zero },
        Refusal(message: "repeat must be 10 ms to 1 min") { $0.repeatInterval = .milliseconds(9) },
        Refusal(message: "repeat must be 10 ms to 1 min") { $0.repeatInterval = .milliseconds(-150) },
        Refusal(message: "repeat must be 10 ms to 1 min") { $0.repeatInterval = .milliseconds(60_001) },
        Refusal(message: "hold-limit must be at most 1 h") { $0.holdLimit = .milliseconds(3_600_001) },
        Refusal(message: "hold-limit must be at most 1 h") { $0.holdLimit = .milliseconds(-1) },
        Refusal(message: "chord must be 0 or more, and less than hold-delay") {
            $0.chord = .milliseconds(-1)
        },
        Refusal(message: "chord must be 0 or more, and less than hold-delay") { $0.chord = $0.holdDelay },
        Refusal(message: "chord must be 0 or more, and less than hold-delay") { $0.chord = .seconds(1) },
        Refusal(message: "hold-limit must be more than hold-delay") { $0.holdLimit = $0.holdDelay },
        Refusal(message: "hold-limit must be more than hold-delay") { $0.holdLimit = .zero },
    ])
    func whatMakesNoSenseIsRefused(refusal: Refusal) {
        var timing = GestureTiming()
        refusal.change(&timing)
        let error = #expect(throws: GestureTiming.Invalid.self) { try timing.validate() }
        #expect(error.map { "\($0)" } == refusal.message)
    }

    @Test func theEndsOfTheRangesAreAllowed() throws {
        var timing = GestureTiming()
        timing.debounce = .zero
        timing.bounce = .zero
        timing.chord = .zero
        timing.holdDelay = .milliseconds(1)
        timing.repeatInterval = .milliseconds(10)
        timing.holdLimit = .milliseconds(2)
        try timing.validate()
        timing.debounce = .seconds(10)
        timing.bounce = .seconds(1)
        timing.holdDelay = .seconds(60)
        timing.chord = .milliseconds(59_999)
        timing.repeatInterval = .seconds(60)
        timing.holdLimit = .seconds(3600)
        try timing.validate()
    }

    /// The largest and the smallest settings together, through a whole hold: no arithmetic overflows.
    @Test func aSettingAtItsEndStillCounts() throws {
        var timing = GestureTiming()
        timing.holdDelay = .milliseconds(1)
        timing.chord = .zero
        timing.repeatInterval = .milliseconds(10)
        timing.holdLimit = .seconds(3600)
        let run = GestureRun(try GestureScript("d:up t:3600000 u:up"), timing: timing)
        #expect(total(run.outcomes) == 360_001)
    }
}
