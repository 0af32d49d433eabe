import CounterModel
import TestSupport
import Testing

@testable import Practice

@Suite struct PlayDayTests {
    private let calendar = Sample.utc
    private let midnight = Sample.noon.later(by: 12 * 3600)

    private func seconds(_ day: PlayDay) -> Int { Int(day.played.components.seconds) }

    @Test func `A day begins at midnight with nothing played`() {
        var day = PlayDay()
        day.add(.seconds(15), until: midnight.later(by: -1), in: calendar)
        day.activitiesCompleted = 3
        day.begin(at: midnight.later(by: -1), in: calendar)
        #expect(seconds(day) == 15 && day.activitiesCompleted == 3)
        day.begin(at: midnight, in: calendar)
        #expect(seconds(day) == 0 && day.activitiesCompleted == 0)
        #expect(day.date?.description == "2026-06-02")
    }

    /// What is played, each until a moment after noon, in seconds; how much of it counts for the last day, and which one that is.
    @Test(arguments: [
        // Over midnight: only the part after it counts for the new day, however often it is written.
        ([(0, 42_600), (900, 43_500)], 300, "2026-06-02"),
        (stride(from: 42_600, through: 43_500, by: 15).map { (15, $0) }, 300, "2026-06-02"),
        // A clock that is set back gives no time again.
        ([(3000, 0), (100, -3600), (100, -86_400), (100, -40 * 86_400), (50, 7200)], 3350, "2026-06-01"),
        // A clock that is set to another day and back gives one day, not two.
        ([(3600, 0), (3600, 86_400), (60, 0), (60, 86_400)], 3720, "2026-06-02"),
    ])
    func `A day has the time that was played since its midnight`(
        played: [(Int, Int)], counted: Int, date: String
    ) {
        var day = PlayDay()
        for (elapsed, end) in played {
            day.add(.seconds(elapsed), until: Sample.noon.later(by: end), in: calendar)
        }
        #expect(seconds(day) == counted && day.date?.description == date)
    }

    @Test func `Clocks that change to summer time and back change no time played`() {
        // 2026-03-29 01:00 UTC and 2026-10-25 01:00 UTC, as in Europe.
        let spring = Timestamp(seconds: 1_774_746_000)
        let autumn = Timestamp(seconds: 1_792_890_000)
        let zone = ZoneOffsets(
            initial: UTCOffset(seconds: 3600),
            changes: [
                .init(start: spring, offset: UTCOffset(seconds: 7200)),
                .init(start: autumn, offset: UTCOffset(seconds: 3600)),
            ])
        for change in [spring, autumn] {
            var day = PlayDay()
            for second in stride(from: -1785, through: 1800, by: 15) {
                day.add(
                    .seconds(15), until: change.later(by: second), in: OperationalCalendar(zone: zone))
            }
            #expect(seconds(day) == 3600)
        }
        var day = PlayDay()
        day.begin(at: spring, in: OperationalCalendar(zone: zone))
        let midnight = day.end(in: OperationalCalendar(zone: zone))
        #expect(midnight == spring.later(by: 21 * 3600))
    }

    @Test func `What a limit leaves is rounded up: the last second is a minute`() {
        let minutes = [0, 54, 54.99, 55, 59, 59.999, 60, 61].map {
            PlayDay(played: .seconds(60 * $0)).minutesLeft(of: 60)
        }
        #expect(minutes == [60, 6, 6, 5, 1, 1, 0, 0])
        #expect(PlayDay().minutesLeft(of: 0) == 0)
        #expect(PlayDay().end(in: calendar) == nil)
    }

    /// A month of random sessions, with a clock that is set back now and then: no day has more time than the limit and one
    /// level, and never does the clock's change give time back.
    @Test func `A simulated month keeps the limit each day`() {
        for seed in Volume.of(sample: 20, full: UInt64(0)..<500) {
            var random = SplitMix64(seed: seed)
            var day = PlayDay()
            var played: [CalendarDate: Int] = [:]
            var (now, error) = (Sample.noon, 0)
            for _ in 0..<3_000 {
                now = now.later(by: 15 + (random.below(20) == 0 ? random.below(30_000) : 0))
                if random.below(200) == 0 { error = -random.below(3 * 86_400) }
                if random.below(300) == 0 { error = 0 }
                day.begin(at: now.later(by: error), in: calendar)
                guard day.minutesLeft(of: 30) > 0, let date = day.date else { continue }
                day.add(.seconds(15), until: now.later(by: error), in: calendar)
                played[date, default: 0] += 15
            }
            #expect(played.values.max() ?? 0 <= 1800, "seed \(seed)")
        }
    }
}

@Suite struct PlayMeterTests {
    /// Key presses at these seconds; the time played and the idle time until the last number.
    @Test(arguments: [
        ([0, 10, 20, 30], 30, 0), ([0, 60, 120], 120, 0), ([0, 200], 60, 140),
        ([0, 61, 1000, 1010], 130, 880),
        ([0, 0, 0], 0, 0),
    ])
    func `Of a pause the first minute counts`(keys: [Int], played: Int, idle: Int) {
        for tick in [1, 7, 15, 5_000] {
            var meter = PlayMeter(start: .zero)
            var sum = (played: Duration.zero, idle: Duration.zero)
            for second in 0...(keys.last ?? 0) where second % tick == 0 || keys.contains(second) {
                let more = meter.measure(at: .seconds(second))
                sum = (sum.played + more.played, sum.idle + more.idle)
                if keys.contains(second) { meter.key(at: .seconds(second)) }
            }
            #expect(sum == (.seconds(played), .seconds(idle)), "looked every \(tick) s")
        }
    }

    @Test func `A moment before the last one measures nothing`() {
        var meter = PlayMeter(start: .seconds(100))
        let times = [50, 110].map { meter.measure(at: .seconds($0)).played }
        #expect(times == [.zero, .seconds(10)])
    }
}

@Suite struct StreakTests {
    /// Solves a level on each of some days after 2026-06-01, and quits it on one of them; returns the streak after each.
    private func streaks(
        _ days: [Int], quitting quit: Int? = nil, in calendar: OperationalCalendar = Sample.utc
    ) -> [Int] {
        var player = Sample.player()
        return days.map { day in
            let result = Sample.result(solved: day != quit, at: Sample.noon.later(by: day * 86_400))
            _ = player.finish(level: result, in: calendar)
            return player.consecutiveDays
        }
    }

    @Test func `A day after a day counts on, one left out starts again, a clock set back changes nothing`() {
        #expect(streaks([0, 0, 1, 2, 2, 4, 5, 9]) == [1, 1, 2, 3, 3, 1, 2, 1])
        #expect(streaks([0, 1, 0, 1, 2]) == [1, 2, 2, 2, 3])
        #expect(streaks([0, 1, -30, -29, -28, 2]) == [1, 2, 2, 2, 2, 3])
    }

    @Test func `A level that was quit makes no day`() {
        #expect(streaks([0, 1, 2], quitting: 1) == [1, 1, 1])
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

@Suite struct PINAttemptsTests {
    private func moment(_ seconds: Int, boot: String = "first") -> BootMoment {
        BootMoment(bootId: boot, sinceBoot: .seconds(seconds))
    }

    /// The attempts after a number of failures, the last one at `second`.
    private func failed(_ times: Int, at second: Int = 0) -> PINAttempts {
        PINAttempts(failures: times, lastTry: times == 0 ? nil : moment(second))
    }

    @Test func `Five tries are free, then the waits double up to an hour`() {
        let waits = (0...14).map { Int(failed($0).wait(at: moment(0)).components.seconds) }
        #expect(waits == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        #expect(failed(1_000_000).wait(at: moment(0)) == .seconds(3600))
    }

    @Test func `A try before the end of the wait is not made and changes nothing`() {
        var attempts = failed(5)
        let before = attempts
        let early = attempts.begin(at: moment(29))
        #expect(!early && attempts == before)
        let due = attempts.begin(at: moment(30))
        #expect(due && attempts.failures == 6)
        #expect(attempts.wait(at: moment(31)) == .seconds(59))
    }

    @Test func `A try counts as failed until the PIN is right, which makes all tries free again`() {
        var attempts = failed(4)
        let mayTry = attempts.begin(at: moment(3))
        #expect(mayTry && attempts == failed(5, at: 3))
        attempts.succeed()
        #expect(attempts == PINAttempts())
    }

    @Test func `A restart of the machine, or a try from later than now, begins the wait again`() {
        let moments = [moment(5_100), moment(10, boot: "second"), moment(120, boot: "second"), moment(10)]
        let waits = moments.map { failed(7, at: 5_000).wait(at: $0) }
        #expect(waits == [.seconds(20), .seconds(110), .zero, .seconds(120)])
    }

    @Test(arguments: [
        ("1234", true), ("000000000000", true), ("123", false), ("1234567890123", false), ("12a4", false),
        ("", false), ("١٢٣٤", false), ("12 34", false), ("-123", false),
    ])
    func `A PIN has 4 to 12 digits`(pin: String, admitted: Bool) {
        #expect(PIN.admits(pin) == admitted)
    }
}
