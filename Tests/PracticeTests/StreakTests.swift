import CounterModel
import Testing

@testable import Practice

@Suite struct StreakTests {
    /// Solves a level on each of some days after 2026-06-01, at an hour UTC; returns the streak after each.
    private func streaks(_ days: [Int], hour: Int = 12, in calendar: OperationalCalendar = Sample.utc)
        -> [Int]
    {
        var player = Sample.player()
        return days.map { day in
            let moment = Sample.noon.later(by: day * 86_400 + (hour - 12) * 3600)
            _ = player.finish(level: Sample.result(at: moment), in: calendar)
            return player.consecutiveDays
        }
    }

    @Test func `A day after a day counts on, a day left out starts again`() {
        #expect(streaks([0, 0, 1, 2, 2, 4, 5, 9]) == [1, 1, 2, 3, 3, 1, 2, 1])
    }

    @Test func `A clock that is set back neither adds nor takes a day`() {
        #expect(streaks([0, 1, 0, 1, 2]) == [1, 2, 2, 2, 3])
        #expect(streaks([0, 1, -30, -29, -28, 2]) == [1, 2, 2, 2, 2, 3])
    }

    @Test func `A level that was quit makes no day`() {
        var player = Sample.player()
        for day in 0...2 {
            let moment = Sample.noon.later(by: day * 86_400)
            let result = Sample.result(solved: day != 1, at: moment)
            _ = player.finish(level: result, in: Sample.utc)
        }
        #expect(player.consecutiveDays == 1)
    }

    @Test func `A stored day that is later than today stays`() throws {
        let later = try #require(CalendarDate(iso8601: "2026-06-05"))
        var player = Sample.player()
        (player.consecutiveDays, player.lastSolvedDay) = (4, later)
        _ = player.finish(level: Sample.result(), in: Sample.utc)
        #expect((player.consecutiveDays, player.lastSolvedDay) == (4, later))
    }

    @Test func `Days are local, from midnight`() {
        // 22:30 UTC is 00:30 of the next day at +2 h.
        let east = OperationalCalendar(zone: ZoneOffsets(initial: UTCOffset(seconds: 7200)))
        var player = Sample.player()
        for seconds in [0, 21 * 1800] {
            _ = player.finish(level: Sample.result(at: Sample.noon.later(by: seconds)), in: east)
        }
        #expect(player.consecutiveDays == 2)
    }

    @Test func `Days of 23 and 25 hours, and a date that the zone skipped, break no streak`() {
        let summer = ZoneOffsets(
            initial: UTCOffset(seconds: 3600),
            changes: [
                .init(start: Sample.noon.later(by: 86_400), offset: UTCOffset(seconds: 7200)),
                .init(start: Sample.noon.later(by: 3 * 86_400), offset: UTCOffset(seconds: 3600)),
            ])
        #expect(streaks(Array(0...5), in: OperationalCalendar(zone: summer)) == [1, 2, 3, 4, 5, 6])
        let skipping = ZoneOffsets(
            initial: UTCOffset(seconds: -10 * 3600),
            changes: [.init(start: Sample.noon.later(by: 22 * 3600), offset: UTCOffset(seconds: 14 * 3600))])
        #expect(streaks([0, 1, 2], in: OperationalCalendar(zone: skipping)) == [1, 2, 3])
    }
}
