import Linux
import Testing

@Suite struct MonotonicTimeTests {
    @Test func addsAndSubtractsDurations() {
        let time = MonotonicTime(microseconds: 1_000)
        #expect(time + .milliseconds(2) == MonotonicTime(microseconds: 3_000))
        #expect(time + .milliseconds(-2) == MonotonicTime(microseconds: -1_000))
        #expect(time - MonotonicTime(microseconds: 250) == .microseconds(750))
        #expect(MonotonicTime(microseconds: 250) - time == .microseconds(-750))
        #expect(MonotonicTime(microseconds: -1) < MonotonicTime(microseconds: 0))
    }

    @Test func staysAtTheEndsOfItsRange() {
        #expect(MonotonicTime(microseconds: .max - 1) + .microseconds(2) == MonotonicTime(microseconds: .max))
        #expect(MonotonicTime(microseconds: .max) + .seconds(1) == MonotonicTime(microseconds: .max))
        #expect(MonotonicTime(microseconds: .min) + .seconds(-1) == MonotonicTime(microseconds: .min))
        #expect(MonotonicTime(microseconds: 0) + .seconds(Int64.max) == MonotonicTime(microseconds: .max))
        #expect(
            MonotonicTime(microseconds: .max) - MonotonicTime(microseconds: -1) == .microseconds(Int64.max))
        #expect(
            MonotonicTime(microseconds: .min) - MonotonicTime(microseconds: 1) == .microseconds(Int64.min))
    }

    /// (duration, whole microseconds)
    @Test(
        arguments: [
            (.zero, 0), (.nanoseconds(999), 0), (.nanoseconds(1_000), 1), (.nanoseconds(1_999), 1),
            (.nanoseconds(-999), 0), (.nanoseconds(-1_000), -1), (.nanoseconds(-1_999), -1),
            (.seconds(-1) - .nanoseconds(1), -1_000_000),
            (.milliseconds(150), 150_000), (.seconds(-2), -2_000_000),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
            (.microseconds(Int64.max), .max), (.microseconds(Int64.min), .min),
            (.microseconds(Int64.max) + .microseconds(1), .max),
            (.microseconds(Int64.min) - .microseconds(1), .min),
        ] as [(Duration, Int64)])
    func countsWholeMicrosecondsRoundedTowardZero(duration: Duration, expected: Int64) {
        #expect(duration.microseconds == expected)
    }

    @Test func theClockGoesForward() {
        let before = MonotonicTime.now
        #expect(MonotonicTime.now >= before)
        #expect(before.microseconds > 0)
        // 2020 in microseconds: the realtime clock does not count from the boot.
        #expect(Clock.realtime.microseconds > 1_577_836_800_000_000)
    }
}
