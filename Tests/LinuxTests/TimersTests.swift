import Linux
import TestSupport
import Testing

@Suite struct TimerDescriptorTests {
    @Test func `It is silent until it is armed`() throws {
        let timer = try TimerDescriptor()
        #expect(try !isReadable(timer.number))
        withExtendedLifetime(timer) {}
    }

    @Test func `It becomes readable when the moment has come, and not before`() throws {
        let timer = try TimerDescriptor()
        let moment = MonotonicTime.now + .milliseconds(5)
        try timer.arm(moment)
        #expect(try isReadable(timer.number, within: .seconds(10)))
        #expect(MonotonicTime.now >= moment)
    }

    /// timerfd_settime(2) takes zero as disarming; a deadline in the past must still be reported.
    @Test(arguments: [0, 1, -1, Int64.min])
    func `A past moment comes at once`(microseconds: Int64) throws {
        let timer = try TimerDescriptor()
        try timer.arm(MonotonicTime(microseconds: microseconds))
        #expect(try isReadable(timer.number, within: .seconds(10)))
    }

    @Test func `The end of time can be armed`() throws {
        let timer = try TimerDescriptor()
        try timer.arm(MonotonicTime(microseconds: .max))
        #expect(try !isReadable(timer.number))
    }

    @Test func `Acknowledging silences it`() throws {
        let timer = try TimerDescriptor()
        let past = MonotonicTime(microseconds: 1)
        try timer.arm(past)
        #expect(try isReadable(timer.number, within: .seconds(10)))
        timer.acknowledge()
        #expect(try !isReadable(timer.number))
        try timer.arm(past)
        #expect(try isReadable(timer.number, within: .seconds(10)), "the same moment can be armed again")
    }

    @Test func `No deadline disarms it`() throws {
        let timer = try TimerDescriptor()
        try timer.arm(.now + .milliseconds(5))
        try timer.arm(nil)
        #expect(try !isReadable(timer.number, within: .milliseconds(20)))
    }
}

@Suite struct WallClockTimerTests {
    private func wait(for timer: WallClockTimer, until end: MonotonicTime) throws -> WallClockTimer.Event? {
        var polled = PollSet()
        polled.add(timer.number)
        try polled.wait(until: end)
        return timer.take()
    }

    @Test func `A moment comes once`() throws {
        let timer = try WallClockTimer()
        #expect(timer.take() == nil)
        try timer.arm(Clock.realtime.microseconds + 20_000)
        #expect(try wait(for: timer, until: .now + .seconds(60)) == .due)
        #expect(timer.take() == nil)
    }

    @Test func `A past moment has come`() throws {
        let timer = try WallClockTimer()
        try timer.arm(Clock.realtime.microseconds - 3_600_000_000)
        #expect(try wait(for: timer, until: .now + .seconds(60)) == .due)
    }

    @Test func `A disarmed timer is silent`() throws {
        let timer = try WallClockTimer()
        try timer.arm(Clock.realtime.microseconds + 50_000)
        try timer.arm(nil)
        #expect(try wait(for: timer, until: .now + .milliseconds(100)) == nil)
    }
}

@Suite struct MonotonicTimeTests {
    @Test func `It adds and subtracts durations`() {
        let time = MonotonicTime(microseconds: 1_000)
        #expect(time + .milliseconds(2) == MonotonicTime(microseconds: 3_000))
        #expect(time + .milliseconds(-2) == MonotonicTime(microseconds: -1_000))
        #expect(time - MonotonicTime(microseconds: 250) == .microseconds(750))
        #expect(MonotonicTime(microseconds: 250) - time == .microseconds(-750))
        #expect(MonotonicTime(microseconds: -1) < MonotonicTime(microseconds: 0))
    }

    @Test func `It stays at the ends of its range`() {
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
    func `Counts whole microseconds rounded toward zero`(duration: Duration, expected: Int64) {
        #expect(duration.microseconds == expected)
    }

    @Test func `The clock goes forward`() {
        let before = MonotonicTime.now
        #expect(MonotonicTime.now >= before)
        #expect(before.microseconds > 0)
        // 2020 in microseconds: the realtime clock does not count from the boot.
        #expect(Clock.realtime.microseconds > 1_577_836_800_000_000)
    }
}
