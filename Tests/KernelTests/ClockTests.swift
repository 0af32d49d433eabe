import CTestSupport
import Glibc
import TestSupport
import Testing

/// The clock of a guest, for tests that set it. Its value is seconds since 1970-01-01 UTC.
final class GuestClock {
    /// 2027-01-01 00:00 UTC.
    static let lastOfYear = 1_798_761_600
    /// The wall clock before, and what a clock said then that nobody sets.
    private let before = time(CLOCK_REALTIME), boottime = time(CLOCK_BOOTTIME)

    init(setTo seconds: Int, isSynchronised: Bool = true) throws(SupportError) {
        try set(seconds, isSynchronised: isSynchronised)
    }

    /// As NTP sets it, or by hand.
    func set(_ seconds: Int, isSynchronised: Bool = true) throws(SupportError) {
        var time = timespec(tv_sec: seconds, tv_nsec: 0)
        guard clock_settime(CLOCK_REALTIME, &time) == 0 else {
            throw .system(call: "clock_settime", subject: "the guest's clock", errno: errno)
        }
        guard !isSynchronised || ctest_synchronise_clock() == 0 else {
            throw .system(call: "adjtimex", subject: "the guest's clock", errno: errno)
        }
    }

    func move(by seconds: Int) throws(SupportError) { try set(Self.time(CLOCK_REALTIME) + seconds) }

    func restore() { try? set(before + Self.time(CLOCK_BOOTTIME) - boottime) }

    private static func time(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec
    }
}

/// The clock is set while programs run. Only in the guest, whose clock nobody else needs.
@Suite(.serialized, .withOutsideKeyboards) struct ClockTests {
    @Test func `What was counted before NTP sets the clock moves with it, and new days show by themselves`()
        throws
    {
        let clock = try GuestClock(setTo: GuestClock.lastOfYear - 7_200, isSynchronised: false)
        defer { clock.restore() }
        let place = try Workplace(environment: ["TZ": "UTC"])
        let terminal = try place.open()
        try terminal.waitForText("Count 0")
        try terminal.type("++")
        try terminal.waitForText("Count 2")
        try clock.set(GuestClock.lastOfYear + 7_200)
        try terminal.waitForText("2 rows that it had timed moved with it")
        let entries = try place.run("history", "--entries").output
        #expect(entries.contains("2027-01-01 02:0") && entries.contains("moved"), "\(entries)")
        // A synchronised clock is believed, whatever it says next.
        try terminal.type("3")
        try terminal.waitForText("Today  2027-01-01")
        try clock.set(GuestClock.lastOfYear + 86_460)
        try terminal.waitForText("Today  2027-01-02")
        try clock.set(GuestClock.lastOfYear + 86_340)
        try terminal.waitForText("Today  2027-01-01")
        #expect(!(try terminal.screen().lines.contains { $0.contains("Was the clock wrong?") }))
        #expect(try place.verify().status == .exited(0))
    }

    /// It is set forward and back.
    @Test func `A timer goes on, and counts what is counted, when the clock is set`() throws {
        let clock = try GuestClock(setTo: GuestClock.lastOfYear + 43_200)
        defer { clock.restore() }
        let place = try Workplace()
        try place.run("add", "7")
        try place.run("timer", "start", "1h", "Birds")
        try place.run("add", "2")
        try clock.move(by: 3_600)
        let seen = try place.run("timer", "list", "--json").output
        #expect(seen.contains(#""status":"running""#) && seen.contains(#""totalIn":2,"#), "\(seen)")
        #expect(seen.contains(#/"remainingSeconds":3[56]\d\d,/#), "\(seen)")
        try place.run("add", "4")
        for action in ["pause", "resume"] { try place.run("timer", action, "1") }
        try place.run("sub")
        try clock.move(by: -3_600)
        try place.run("add", "8")
        let result = try place.run("timer", "stop", "1").output
        #expect(result.contains("is stopped: 14 up, 1 down"), "\(result)")
        #expect(try place.run("timer", "results", "--csv").output.contains(",14,1,13\n"))
        #expect(try place.verify().status == .exited(0))
    }
}
