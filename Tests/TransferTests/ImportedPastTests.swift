import CounterStore
import Linux
import Testing

@testable import CounterModel
@testable import Transfer

/// What a file brings of the past leaves today alone.
@Suite(.serialized) struct ImportedPastTests {
    private let place: ImportPlace

    init() throws { place = try ImportPlace() }

    /// How the days of the running week end.
    enum Ends: CaseIterable { case never, byHand, automatic }

    /// The figures of a week, in which all of a location is that screens and commands show.
    private struct Figures: Equatable {
        let state: CounterState
        let days: [DaySnapshot]
        let week, today: KPIs
        let rows: [HistoryRow]
        let timer: [[TimerCount]]
    }

    private static let monday = ImportPlace.time("2026-11-16T00:00:00+01:00")

    private func moment(day: Int, _ hour: Int, _ minute: Int = 0) -> Timestamp {
        Self.monday + .seconds((day * 24 + hour) * 3600 + minute * 60)
    }

    /// Monday to Sunday of the week before, and this Monday's morning: each day 9 come and 7 leave.
    private func countWeek(_ ends: Ends) throws {
        try place.add(
            "hall", .capacity(10), .endsDaysAutomatically(ends == .automatic),
            .openingHours(OpeningHours("daily 09:00-17:00")))
        for day in 0...7 {
            for count in 0..<(day < 7 ? 16 : 3) {
                try self.count(count < 9 ? .in : .out, at: moment(day: day, 9, count * 20))
            }
            guard ends == .byHand, day < 7 else { continue }
            _ = try DayEnd(of: hall, in: place.journal, now: moment(day: day, 17)).end(
                at: moment(day: day, 17))
        }
    }

    private var hall: Location {
        get throws { try #require(try place.journal.location(named: "hall")) }
    }

    private func count(_ type: EntryType = .in, at time: Timestamp) throws {
        let entry = Entry(type, deviceId: "door", source: .hardware)
        _ = try place.journal.append(
            [Request(locationId: "hall", timestamp: time, .entry(entry))], receivedAt: time)
    }

    private func kpis(in range: Range<Timestamp>) throws -> KPIs {
        let hall = try hall
        let calendar = hall.calendar(for: range.lowerBound...range.upperBound)
        return try place.journal.kpis(
            of: hall, in: range, calendar, silentAfter: .seconds(1800), now: ImportPlace.now)
    }

    private func figures() throws -> Figures {
        let range = Self.monday..<ImportPlace.now
        let state = try #require(try place.journal.state(of: "hall"))
        var window = TimerWindow(round: 1, from: moment(day: 3, 9), to: moment(day: 3, 12), journal: nil)
        window.parts = [.init(from: window.from, to: window.to, after: .start, before: nil)]
        return Figures(
            state: CounterState(
                locationId: state.locationId, level: state.level, maxCapacity: state.maxCapacity,
                target: state.target, lastReset: state.lastReset, lastUpdated: state.lastUpdated,
                lastEventAt: state.lastEventAt, position: .start),
            days: try place.journal.endedDays(of: "hall").map(\.snapshot).filter { $0.from >= Self.monday },
            week: try kpis(in: range),
            today: try place.journal.today(of: hall, silentAfter: .seconds(1800), now: ImportPlace.now).kpis,
            rows: try place.journal.history(
                of: "hall", HistoryPage(range: range, isBackward: false, limit: 10_000)),
            timer: try place.journal.counts(in: [window], of: .all))
    }

    /// A year up to the day before the week: each day 5 come, 2 leave, and one day somebody corrects by 312.
    private func year() -> [String] {
        let days = (1...365).map { Self.monday - .seconds($0 * 86_400) }
        return ["timestamp,type,delta,locationId,reason"]
            + days.flatMap { day in
                (0..<7).map { count in
                    "\((day + .seconds((10 + count) * 3600)).iso8601),\(count < 5 ? "in,1" : "out,-1"),hall,"
                } + (day == days[40] ? ["\((day + .seconds(50_000)).iso8601),correction,312,hall,why"] : [])
            }
    }

    @Test(arguments: Ends.allCases)
    func `No figure of a running week moves when a year is imported`(ends: Ends) throws {
        try countWeek(ends)
        let before = try figures()
        let options = ImportOptions(endsDays: ends != .automatic)
        let summary = try place.imports(year(), options, groupSize: 1000)
        #expect(summary.accepted == 365 * 7 + 1)
        #expect(summary.endedDays == 365)
        #expect(place.problems == [])
        #expect(try figures() == before)
        // They are rows like others: listed, and taken back where one is chosen.
        let days = try place.journal.endedDays(of: "hall").filter { $0.snapshot.to <= Self.monday }
        #expect(days.count == 365)
        #expect(days.first?.snapshot.to == Self.monday)
        #expect(days.allSatisfy { $0.snapshot.totalIn == 5 && $0.snapshot.totalOut == 2 })
        #expect(Set(days.map(\.snapshot.finalLevel)) == [3, 315])
        // What comes next is as if nothing had been imported.
        #expect(try place.imports(year(), options).duplicate == 365 * 7 + 1)
        #expect(try figures() == before)
        try endNextDay()
    }

    /// Today ends with its own figures.
    private func endNextDay() throws {
        try count(at: ImportPlace.now + .seconds(86_400))
        guard let last = try place.journal.endedDays(of: "hall").first, last.snapshot.isAutomatic,
            last.snapshot.to > ImportPlace.now
        else { return }
        #expect(last.snapshot.from == moment(day: 7, 0))
        #expect(last.snapshot.totalIn == 3)
    }

    @Test func `Without ends the past is in the level of today`() throws {
        try countWeek(.never)
        let before = try figures()
        #expect(try place.imports(year()).endedDays == 0)
        #expect(try figures() != before)
        #expect(try figures().week.openingLevel == 365 * 3 + 312)
    }

    @Test func `Days of a new journal end where its location ends days by itself`() throws {
        try place.add("hall", .capacity(50), .endsDaysAutomatically(true))
        #expect(try place.imports(year()).endedDays == 365)
        #expect(try place.level("hall") == 0)
        // An end is no correction.
        let kpis = try kpis(in: Self.monday - .seconds(86_400)..<Self.monday)
        #expect([kpis.totalIn, kpis.totalOut, kpis.net, kpis.correctedDown] == [5, 2, 3, 0])
        #expect([kpis.openingLevel, kpis.highestLevel, kpis.closingLevel] == [0, 5, 0])
        // The next day that ends is the one of the next count, and no other.
        for day in 0...1 { try count(at: ImportPlace.now + .seconds(day * 86_400)) }
        let days = try place.journal.endedDays(of: "hall").map(\.snapshot).filter { $0.to > Self.monday }
        #expect(days.map(\.from) == [moment(day: 7, 0)])
        #expect(days.map(\.totalIn) == [1])
        #expect(try place.level("hall") == 1)
    }

    @Test(arguments: [Ends.byHand, .automatic])
    func `A day of the week that has ended here moves no day after it`(ends: Ends) throws {
        try countWeek(ends)
        let before = try figures()
        let lines =
            ["timestamp,delta,locationId"] + (0..<4).map { "\(moment(day: 2, 16 + $0, 1).iso8601),1,hall" }
        let summary = try place.imports(lines, ImportOptions(endsDays: true))
        // What came after the end of its day at 17:00 is in the level until midnight.
        #expect(summary.endedDays == (ends == .byHand ? 1 : 0))
        let after = try figures()
        #expect(after.state == before.state)
        #expect(after.today == before.today)
        #expect(after.week.totalIn == before.week.totalIn + 4)
        let kpis = try kpis(in: moment(day: 3, 0)..<moment(day: 4, 0))
        #expect([kpis.openingLevel, kpis.highestLevel] == [0, 9])
    }

    @Test func `A day that is not over stays open, and one that leaves nothing over ends too`() throws {
        let lines = [
            "timestamp,delta", "2026-11-22T10:00:00Z,1", "2026-11-22T11:00:00Z,-1", "2026-11-23T10:00:00Z,1",
        ]
        #expect(try place.imports(lines, ImportOptions(endsDays: true)).endedDays == 1)
        #expect(try place.level() == 1)
        #expect(
            try place.rows() == [
                "2026-11-22 11:00:00 +1", "2026-11-22 12:00:00 -1", "2026-11-22 23:59:59 end at 0",
                "2026-11-23 11:00:00 +1",
            ])
    }

    @Test func `An import that was cut before its ends ends its days when it is run again`() throws {
        try countWeek(.byHand)
        let (before, options) = (try figures(), ImportOptions(endsDays: true))
        for items in [1, 2_000, 365 * 7 + 1, 365 * 7 + 40] {
            try place.imports(year(), options, items: items, groupSize: 100)
        }
        #expect(try place.imports(year(), options).endedDays == 365 - 39)
        #expect(try figures() == before)
    }

    @Test
    func `The end of a day of a file is taken back by choosing it, and what it left over is there again`()
        throws
    {
        try place.imports(
            ["timestamp,delta", "2026-11-22T10:00:00Z,1", "2026-11-22T11:00:00Z,1"],
            ImportOptions(endsDays: true))
        let location = try #require(try place.journal.location(named: "default"))
        let end = try #require(try place.journal.endedDays(of: "default").first)
        let reopened = try #require(try place.journal.reopening(end.id, of: location))
        #expect((reopened.count, reopened.newCount) == (0, 2))
        #expect(!reopened.wasSetSince)
        let outcome = try place.journal.append(
            [Request(locationId: "default", userId: "ada", timestamp: ImportPlace.now, .void(end.id))],
            receivedAt: ImportPlace.now)[0].outcome
        guard case .undone(_, let undone) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(undone.change == .endOfDay)
        #expect(try place.level() == 2)
        #expect(try place.journal.endedDays(of: "default") == [])
        #expect(try place.journal.verify() == [])
    }

    @Test func `Another journal takes the ends over with their figures`() throws {
        try countWeek(.byHand)
        try place.imports(year(), ImportOptions(endsDays: true))
        let copy = try ImportPlace()
        try copy.imports(place.journal.exported())
        #expect(copy.problems == [])
        #expect(
            try copy.journal.endedDays(of: "hall").map(\.snapshot)
                == place.journal.endedDays(of: "hall").map(\.snapshot))
        #expect(try copy.rows("hall") == place.rows("hall"))
        #expect(try copy.level("hall") == place.level("hall"))
    }
}
