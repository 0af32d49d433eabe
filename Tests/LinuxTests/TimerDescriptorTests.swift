import Linux
import Testing

@Suite struct TimerDescriptorTests {
    private func isReadable(_ timer: TimerDescriptor, within duration: Duration) throws -> Bool {
        var set = PollSet()
        let place = set.add(timer.number)
        try set.wait(until: .now + duration)
        return set.result(at: place).isReadable
    }

    @Test func itIsSilentUntilItIsArmed() throws {
        #expect(try !isReadable(TimerDescriptor(), within: .zero))
    }

    @Test func itBecomesReadableWhenTheMomentHasComeAndNotBefore() throws {
        let timer = try TimerDescriptor()
        let moment = MonotonicTime.now + .milliseconds(5)
        try timer.arm(moment)
        #expect(try isReadable(timer, within: .seconds(10)))
        #expect(MonotonicTime.now >= moment)
    }

    /// timerfd_settime(2) takes zero as disarming; a deadline in the past must still be reported.
    @Test(arguments: [0, 1, -1, Int64.min])
    func aPastMomentComesAtOnce(microseconds: Int64) throws {
        let timer = try TimerDescriptor()
        try timer.arm(MonotonicTime(microseconds: microseconds))
        #expect(try isReadable(timer, within: .seconds(10)))
    }

    @Test func theEndOfTimeCanBeArmed() throws {
        let timer = try TimerDescriptor()
        try timer.arm(MonotonicTime(microseconds: .max))
        #expect(try !isReadable(timer, within: .zero))
    }

    @Test func acknowledgingSilencesIt() throws {
        let timer = try TimerDescriptor()
        let past = MonotonicTime(microseconds: 1)
        try timer.arm(past)
        #expect(try isReadable(timer, within: .seconds(10)))
        timer.acknowledge()
        #expect(try !isReadable(timer, within: .zero))
        try timer.arm(past)
        #expect(try isReadable(timer, within: .seconds(10)), "the same moment can be armed again")
    }

    @Test func noDeadlineDisarmsIt() throws {
        let timer = try TimerDescriptor()
        try timer.arm(.now + .milliseconds(5))
        try timer.arm(nil)
        #expect(try !isReadable(timer, within: .milliseconds(20)))
    }
}
