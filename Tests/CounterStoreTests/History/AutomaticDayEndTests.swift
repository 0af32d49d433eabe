import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// Days of `default`, in Europe/Zurich, that end by themselves. One at a time: the C library has one zone for a process.
@Suite(.serialized) struct AutomaticDayEndTests {
    private let directory = TemporaryDirectory()
    private let journal: SQLiteJournal
    /// 2026-10-19 00:00 in Zurich, a Monday; clocks are set back on the Sunday.
    private static let monday = 1_792_360_800

    init() throws { journal = try SQLiteJournal(inZurich: directory) }

    private func time(day: Int, _ hour: Int, _ minute: Int = 0) -> Timestamp {
        Timestamp(seconds: Self.monday + (day * 24 + hour) * 3600 + minute * 60)
    }

    /// From 08:00 of the Monday on it holds 50, and its days end by themselves.
    private func endDays() throws {
        try set(.capacity(50), at: time(day: 0, 8))
        try set(.endsDaysAutomatically(true), at: time(day: 0, 8))
    }

    /// From 08:00 of the Monday on it holds 50, and its days end by hand.
    private func place() throws -> Location {
        try set(.capacity(50), at: time(day: 0, 8))
        return try #require(try journal.locations().first)
    }

    private func set(_ setting: LocationSetting, at time: Timestamp) throws {
        try journal.append(Ask.setting(setting, at: time.microseconds), at: time)
    }

    private func count(_ type: EntryType = .in, at times: Timestamp...) throws {
        for time in times { try journal.append(Ask.count(type, at: time.microseconds), at: time) }
    }

    private func days(_ other: SQLiteJournal? = nil) throws -> [EndedDay] {
        let journal = other ?? journal
        #expect(try journal.verify() == [])
        return try journal.endedDays(of: "default")
    }

    @Test func aForgottenDayEndsAtTheStartOfTheNextWithItsOwnFigures() throws {
        try endDays()
        try count(at: time(day: 0, 9), time(day: 0, 12), time(day: 0, 12, 30))
        try count(.out, at: time(day: 0, 18))
        // It is Thursday.
        #expect(
            try journal.endDueDays(now: time(day: 3, 9)).map(\.request.row.timestamp) == [time(day: 1, 0)])
        let day = try #require(try days().first)
        #expect(day.userId == nil)
        #expect(
            day.snapshot
                == DaySnapshot(
                    from: time(day: 0, 0), to: time(day: 1, 0), finalLevel: 2, totalIn: 3, totalOut: 1,
                    peakHour: .init(start: time(day: 0, 12), totalIn: 2), highestLevel: 3,
                    averageOccupancy: day.snapshot.averageOccupancy, isAutomatic: true))
        let average = try #require(day.snapshot.averageOccupancy)
        #expect(abs(average - (15.0 + 12 + 11.5 - 6) / 24) < 1e-9)
        #expect(try journal.level() == 0)
        #expect(try journal.endDueDays(now: time(day: 5, 9)) == [])
        #expect(try days().count == 1)
    }

    @Test func anEndThatFailsIsTriedAgainLessAndLessOften() throws {
        try endDays()
        try count(at: time(day: 0, 9))
        let other = try SQLiteJournal(inZurich: directory)
        try journal.run(sql: "PRAGMA busy_timeout = 20")
        let locations = try journal.locations()
        var next = NextDayEnd(of: locations, now: time(day: 0, 23))
        #expect(next.time == time(day: 1, 0) && next.retryAt == nil)
        var moment = MonotonicTime(microseconds: 0)
        func end(at now: Timestamp) throws -> Int {
            try next.end(in: journal, locations, now: now, at: moment).count
        }
        #expect(try end(at: time(day: 0, 23, 59)) == 0)
        try other.write { _ throws -> Void in
            for pause in [1, 2, 4] {
                #expect(try end(at: time(day: 1, 0)) == 0)
                #expect(next.retryAt == moment + .seconds(pause) && next.time == nil)
                // Another program has written meanwhile: it is still to be tried.
                next.follow(locations, now: time(day: 1, 0))
                #expect(try end(at: time(day: 1, 0)) == 0)
                moment = moment + .seconds(pause)
            }
        }
        #expect(try end(at: time(day: 1, 0)) == 1)
        #expect(next.retryAt == nil && next.time == time(day: 2, 0))
        #expect(try days().count == 1)
    }

    @Test func whyAnEndFailsIsToldOnce() throws {
        try endDays()
        try count(at: time(day: 0, 9))
        let locations = try journal.locations()
        var next = NextDayEnd(of: locations, now: time(day: 0, 23))
        let viewer = try SQLiteJournal(
            directory: directory.path + "/data", timezone: "UTC", role: .viewer)
        let now = time(day: 1, 0)
        var moment = MonotonicTime(microseconds: 0)
        #expect(throws: JournalError.self) { try next.end(in: viewer, locations, now: now, at: moment) }
        moment = try #require(next.retryAt)
        #expect(try next.end(in: viewer, locations, now: now, at: moment) == [])
    }

    @Test func aDayThatAnotherJournalHasEndedByItselfTooIsListedOnce() throws {
        try endDays()
        try count(at: time(day: 0, 9))
        let hub = try SQLiteJournal(inZurich: directory, "hub")
        try hub.takeOver(journal, at: time(day: 1, 8))
        // Both end the day before they hear of each other.
        #expect(try journal.endDueDays(now: time(day: 1, 7)).count == 1)
        #expect(try hub.endDueDays(now: time(day: 1, 8)).count == 1)
        let last = try #require(try hub.takeOver(journal, at: time(day: 1, 8)).last)
        #expect(last == .accepted(try hub.lastPosition()))
        #expect(try days(hub).map(\.snapshot) == days().map(\.snapshot))
        #expect(try days(hub).count == 1)
    }

    @Test func theFirstCountOfTheNextDayEndsTheDayBefore() throws {
        try endDays()
        try count(at: time(day: 0, 23, 59), time(day: 1, 0), time(day: 2, 10))
        #expect(try days().map(\.snapshot.to) == [time(day: 2, 0), time(day: 1, 0)])
        #expect(try days().map(\.snapshot.totalIn) == [1, 1])
        #expect(try journal.level() == 1)
    }

    @Test func daysBeforeTheSettingDoNotEnd() throws {
        try count(at: time(day: 0, 9), time(day: 1, 9))
        try set(.endsDaysAutomatically(true), at: time(day: 2, 12))
        #expect(try journal.endDueDays(now: time(day: 2, 23, 59)) == [])
        #expect(try journal.endDueDays(now: time(day: 3, 0)).count == 1)
        let day = try #require(try days().first?.snapshot)
        #expect((day.from, day.to) == (time(day: 2, 0), time(day: 3, 0)))
        #expect((day.totalIn, day.finalLevel) == (0, 2))
    }

    @Test func anEndThatWasTakenBackStaysSoUntilTheDayAfter() throws {
        try endDays()
        try count(at: time(day: 0, 9))
        let end = try #require(try journal.endDueDays(now: time(day: 1, 9)).first?.rows?.lowerBound)
        try journal.append(Ask.void(end), at: time(day: 1, 10))
        #expect(try journal.level() == 1)
        #expect(try journal.endDueDays(now: time(day: 1, 11)) == [])
        try count(at: time(day: 1, 12))
        #expect(try journal.level() == 2)
        try count(at: time(day: 2, 9))
        let day = try #require(try days().first?.snapshot)
        #expect((day.from, day.to) == (time(day: 0, 0), time(day: 2, 0)))
        #expect((day.totalIn, day.finalLevel) == (2, 2))
        #expect(try journal.level() == 1)
    }

    @Test func undoDoesNotTakeBackWhatNobodyDid() throws {
        try endDays()
        try journal.append(Ask.entries(1, at: time(day: 0, 9).microseconds), at: time(day: 0, 9))
        #expect(try journal.endDueDays(now: time(day: 1, 9)).count == 1)
        try journal.append(Ask.undo(at: time(day: 1, 9).microseconds), at: time(day: 1, 9))
        #expect(try days().count == 1)
        #expect(try journal.level() == 0)
    }

    @Test func aDayThatWasEndedByHandDoesNotEndTwice() throws {
        try endDays()
        try count(at: time(day: 0, 9))
        let end = Ask.endOfDay(at: time(day: 0, 18).microseconds)
        try journal.append(end, at: time(day: 0, 18))
        #expect(try journal.endDueDays(now: time(day: 1, 9)) == [])
        #expect(try days().map(\.snapshot.isAutomatic) == [false])
    }

    @Test func twoProgramsEndADayOnce() throws {
        try endDays()
        let other = try SQLiteJournal(inZurich: directory)
        try count(at: time(day: 0, 9))
        #expect(try other.endDueDays(now: time(day: 1, 9)).count == 1)
        #expect(try journal.endDueDays(now: time(day: 1, 9)) == [])
        try count(at: time(day: 1, 9))
        #expect(try other.endDueDays(now: time(day: 2, 9)).count == 1)
        let last = time(day: 2, 9)
        try other.append(Ask.count(at: last.microseconds), at: last)
        #expect(try days().count == 2)
    }

    @Test func lateEventsOfAnEndedDayChangeItAndNotThePresentLevel() throws {
        try endDays()
        try count(at: time(day: 0, 9), time(day: 1, 9))
        let late = Ask.count(at: time(day: 0, 20).microseconds, device: "far", number: 1)
        try journal.append(late, at: time(day: 1, 10))
        #expect(try journal.level() == 1)
        #expect(try days().map(\.snapshot.totalIn) == [1])
        let monday = try journal.kpis(from: time(day: 0, 0), to: time(day: 1, 0), now: time(day: 1, 10))
        #expect((monday.totalIn, monday.closingLevel) == (2, 2))
    }

    /// A door that was offline for two days sends what it has kept.
    @Test func daysThatArriveLateEndInTheirTurn() throws {
        try endDays()
        let times = [time(day: 0, 9), time(day: 0, 10), time(day: 1, 9), time(day: 2, 9)]
        let requests = times.enumerated().map {
            Ask.count(at: $1.microseconds, device: "far", number: $0)
        }
        _ = try journal.append(requests, receivedAt: time(day: 3, 9))
        #expect(try journal.level() == 0)
        #expect(try days().map(\.snapshot.finalLevel) == [1, 1, 2])
    }

    @Test func aChangedDayStartHoldsFromItsChangeOn() throws {
        try endDays()
        try count(at: time(day: 0, 9))
        let change = time(day: 0, 22)
        // At 21:00 no day started yet when the hour passed.
        try set(.dayStart(21), at: change)
        #expect(try journal.endDueDays(now: time(day: 1, 20)) == [])
        #expect(
            try journal.endDueDays(now: time(day: 1, 21)).map(\.request.row.timestamp) == [time(day: 1, 21)])
        let late = time(day: 3, 12)
        try count(at: time(day: 2, 12))
        try set(.timezone("Asia/Tokyo"), at: late)
        #expect(try days().map(\.snapshot.to) == [time(day: 2, 21), time(day: 1, 21)])
    }

    @Test func theDayOnWhichClocksAreSetBackHas25Hours() throws {
        try endDays()
        try count(at: time(day: 6, 9))
        #expect(try journal.endDueDays(now: time(day: 7, 0)) == [])
        #expect(
            try journal.endDueDays(now: time(day: 7, 1)).map(\.request.row.timestamp) == [time(day: 7, 1)])
        #expect(try days().map(\.snapshot.from) == [time(day: 6, 0)])
    }

    @Test func anOverdueDayIsEndedAtItsOwnEnd() throws {
        let location = try place()
        try count(at: time(day: 0, 9), time(day: 0, 12))
        #expect(try journal.overdueDay(of: location, now: time(day: 0, 23)) == nil)
        #expect(try journal.overdueDay(of: location, now: time(day: 2, 9))?.isYesterday == false)
        let overdue = try #require(try journal.overdueDay(of: location, now: time(day: 1, 9)))
        #expect(overdue.isYesterday)
        #expect(overdue.count == 2)
        let end = try DayEnd(of: location, in: journal, now: time(day: 1, 9), overdue: overdue.day)
        #expect(try end.preview() == end.end(at: time(day: 1, 9)))
        let day = try #require(try days().first?.snapshot)
        #expect((day.from, day.to) == (time(day: 0, 0), time(day: 1, 0)))
        #expect((day.totalIn, day.finalLevel, day.isAutomatic) == (2, 2, false))
        #expect(try journal.overdueDay(of: location, now: time(day: 1, 9)) == nil)
        try count(at: time(day: 1, 10))
        #expect(try journal.level() == 1)
    }

    @Test func aDayIsEndedAtItsOwnEndWhateverWasCountedSince() throws {
        let location = try place()
        _ = try DayEnd(of: location, in: journal, now: time(day: 0, 9)).end(at: time(day: 0, 9))
        try count(at: time(day: 0, 10), time(day: 0, 11), time(day: 1, 9))
        let overdue = try #require(try journal.overdueDay(of: location, now: time(day: 1, 10)))
        #expect((overdue.count, overdue.number, overdue.isYesterday) == (2, 1, true) && overdue.isExpected)
        let end = try DayEnd(of: location, in: journal, now: time(day: 1, 10), overdue: overdue.day)
        #expect(try end.end(at: time(day: 1, 10)).map(\.finalLevel) == [2])
        #expect(try journal.level() == 1)
        #expect(try journal.verify() == [])
        #expect(try journal.overdueDay(of: location, now: time(day: 1, 10)) == nil)
        #expect(throws: (any Error).self) { try end.end(at: time(day: 1, 10)) }
    }

    /// What was left over was taken off by the correction, so ending the day would take it off once more.
    @Test func aCorrectionAfterADayIsAsGoodAsItsEnd() throws {
        let location = try place()
        _ = try DayEnd(of: location, in: journal, now: time(day: 0, 9)).end(at: time(day: 0, 9))
        try count(at: time(day: 0, 10), time(day: 1, 9))
        try journal.append(Ask.correction(.to(1), at: time(day: 1, 10).microseconds), at: time(day: 1, 10))
        #expect(try journal.overdueDay(of: location, now: time(day: 2, 9))?.number == 1)
        try count(at: time(day: 2, 10))
        let end = try DayEnd(of: location, in: journal, now: time(day: 2, 12))
        let days = try end.end(at: time(day: 2, 12))
        #expect(days.map(\.finalLevel) == [1, 1])
        #expect(days.map(\.from) == [time(day: 0, 9), time(day: 2, 0)])
        #expect(try journal.level() == 0)
    }

    @Test func aDayIsNotExpectedToEndWhereNoneWasEndedAndTheCountGoesOn() throws {
        let location = try place()
        try count(at: time(day: 0, 9), time(day: 1, 9))
        let overdue = try #require(try journal.overdueDay(of: location, now: time(day: 1, 10)))
        #expect((overdue.count, overdue.isExpected) == (1, false))
    }

    @Test func aTallyThatNobodyEndsIsNeverOverdue() throws {
        try count(at: time(day: 0, 9))
        let location = try #require(try journal.locations().first)
        #expect(try journal.overdueDay(of: location, now: time(day: 1, 9)) == nil)
    }

    /// Random weeks: every end is where a walk through the rows finds that one is due, and nowhere else.
    @Test(arguments: Volume.of(sample: 12, full: UInt64(1)...100))
    func randomWeeksEndAsTheRulesSay(seed: UInt64) throws {
        try endDays()
        var random = SplitMix64(seed: seed)
        var now = time(day: 0, 8).microseconds
        for number in 0..<80 {
            now += Int64.random(in: 1...10 * 3_600_000_000, using: &random)
            let request = randomRequest(number, at: now, &random)
            try journal.append(request, at: Timestamp(microseconds: now))
            try checkLastDay(of: journal, after: request)
        }
        _ = try journal.endDueDays(now: Timestamp(microseconds: now))
        let walk = try BruteForceDayEnds(journal)
        #expect(walk.problems == [])
        #expect(walk.due.map { $0 > now } ?? true)
        #expect(try journal.verify() == [])
    }

    private func randomRequest(_ number: Int, at now: Int64, _ random: inout SplitMix64) -> Request {
        let type: EntryType = Int.random(in: 0..<5, using: &random) < 3 ? .in : .out
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return Ask.setting(.endsDaysAutomatically(Int.random(in: 0..<4, using: &random) > 0), at: now)
        case 1: return Ask.setting(.dayStart([0, 2, 3, 6, 21].randomElement(using: &random) ?? 0), at: now)
        case 2: return Ask.endOfDay(at: now)
        case 3: return Ask.undo(at: now)
        case 13: return Ask.redo(at: now)
        case 4...6: return Ask.void(Int64.random(in: 1...Int64(number + 3), using: &random))
        case 7: return Ask.correction(.to(Int.random(in: 0...12, using: &random)), at: now)
        case 8...12:
            let time = now - Int64.random(in: 0..<40 * 3_600_000_000, using: &random)
            return Ask.count(type, at: time, device: "far", number: number)
        default: return Ask.count(type, at: now)
        }
    }

    /// The figures of the last day that ended by itself, if the request has not changed it since.
    private func checkLastDay(of journal: SQLiteJournal, after request: Request) throws {
        guard let day = try journal.endedDays(of: "default").first, day.snapshot.isAutomatic,
            case .entry(let entry) = request.row.content, entry.sequenceNumber == nil
        else { return }
        guard day.id.number >= (try journal.lastPosition().number) - 1 else { return }
        let history = try BruteForceHistory(journal, location: "default")
        let (from, to) = (day.snapshot.from.microseconds, day.snapshot.to.microseconds)
        let entries = history.entries(from: from, to: to, isCorrection: false)
        #expect(day.snapshot.totalIn == entries.count { $0.delta > 0 })
        #expect(day.snapshot.totalOut == entries.count { $0.delta < 0 })
        #expect(day.snapshot.finalLevel == history.level(before: to))
    }
}

/// Walks through the rows of `default`, in Europe/Zurich in October 2026, and tells where a day should have ended by itself.
private struct BruteForceDayEnds {
    private(set) var problems: [String] = []
    /// When the present day ends by itself; nil where it does not.
    private(set) var due: Int64?

    init(_ journal: SQLiteJournal) throws {
        let outside = try RawDatabase(journal.path)
        let sql = """
            SELECT position, kind, setting, text, min(timestamp, receivedAt), target, orderedAt,
                coalesce(delta, value, 0), (SELECT isAutomatic FROM snapshot WHERE snapshot.position = journal.position)
            FROM journal ORDER BY position
            """
        var rows: [[String?]] = []
        var (isOn, dayStart, settled) = (false, 0, Int64.min)
        var (latest, lastEnd): (Int64?, Int64?)
        func next() -> Int64? {
            guard isOn, let latest, lastEnd != latest || Self.level(rows) != 0 else { return nil }
            return Self.dayEnd(after: max(latest, settled), dayStart)
        }
        for row in try outside.rows(sql) {
            func number(_ column: Int) -> Int64? { row[column].flatMap { Int64($0) } }
            let (kind, time) = (number(1) ?? 0, number(4) ?? 0)
            due = next()
            if number(8) == 1 {
                if due != time { problems.append("#\(row[0] ?? "") at \(time), due \(due ?? 0)") }
            } else if let due, due <= time {
                problems.append("none before #\(row[0] ?? "") at \(due)")
            }
            if kind == 4 {
                let setting = number(2)
                if setting == 8 { isOn = row[3] == "true" }
                if setting == 4 { dayStart = Int(row[3] ?? "") ?? 0 }
                if setting == 8 || setting == 4 { settled = max(settled, time) }
            } else if kind != 2 {
                latest = max(latest ?? .min, time)
                if number(8) != nil { lastEnd = time }
            }
            rows.append(row)
        }
        due = next()
    }

    /// The level after some rows, by what stands among them.
    private static func level(_ rows: [[String?]]) -> Int64 {
        func number(_ row: [String?], _ column: Int) -> Int64? { row[column].flatMap { Int64($0) } }
        let voids = Set(rows.compactMap { number($0, 5) })
        let standing = rows.filter { !voids.contains(number($0, 0) ?? 0) }
            .sorted { (number($0, 6) ?? 0, number($0, 0) ?? 0) < (number($1, 6) ?? 0, number($1, 0) ?? 0) }
        let begin = standing.lastIndex { number($0, 1) == 3 } ?? 0
        return standing[begin...].filter { [1, 5].contains(number($0, 1)) }
            .reduce(0) { $0 + (number($1, 7) ?? 0) }
    }

    /// The first hour after a time at which clocks in Zurich first show `hour`.
    private static func dayEnd(after time: Int64, _ hour: Int) -> Int64 {
        let length: Int64 = 3_600_000_000
        func shown(_ start: Int64) -> Int {
            Int((start / length + (start < 1_792_890_000_000_000 ? 2 : 1)) % 24)
        }
        var start = (time / length + 1) * length
        while shown(start) != hour || shown(start - length) == hour { start += length }
        return start
    }
}
