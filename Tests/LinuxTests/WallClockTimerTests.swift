import Linux
import Testing

@Suite struct WallClockTimerTests {
    private func wait(for timer: WallClockTimer, until end: MonotonicTime) throws -> WallClockTimer.Event? {
        var polled = PollSet()
        polled.add(timer.number)
        try polled.wait(until: end)
        return timer.take()
    }

    @Test func aMomentComesOnce() throws {
        let timer = try WallClockTimer()
        #expect(timer.take() == nil)
        try timer.arm(Clock.realtime.microseconds + 20_000)
        #expect(try wait(for: timer, until: .now + .seconds(60)) == .due)
        #expect(timer.take() == nil)
    }

    @Test func aPastMomentHasCome() throws {
        let timer = try WallClockTimer()
        try timer.arm(Clock.realtime.microseconds - 3_600_000_000)
        #expect(try wait(for: timer, until: .now + .seconds(60)) == .due)
    }

    @Test func aDisarmedTimerIsSilent() throws {
        let timer = try WallClockTimer()
        try timer.arm(Clock.realtime.microseconds + 50_000)
        try timer.arm(nil)
        #expect(try wait(for: timer, until: .now + .milliseconds(100)) == nil)
    }
}
