import CounterModel
import TestSupport
import Testing

/// In Europe/Zurich, whose clocks skip 02:00 to 03:00 on 2026-03-29 and repeat it on 2026-10-25; days start at four.
@Suite struct HistoryRangeTests {
    let calendar: OperationalCalendar
    /// A Monday afternoon.
    let now = Timestamp(iso8601: "2026-03-30T14:20:00+02:00")

    init() throws {
        let zone = try #require(try DayReference()["Europe/Zurich"])
        calendar = OperationalCalendar(zone: zone.offsets, startHour: 4)
    }

    // MARK: Ranges

    @Test(arguments: [
        ("today", "yesterday"), ("today", "today"), ("2026-03-31", nil),
        ("2026-03-29 02:10", "2026-03-29 02:50"),
    ])
    func `A range that ends before it begins is refused`(from: String, to: String?) throws {
        let selection = try HistorySelection.between(HistoryBound(from), to.map { try HistoryBound($0) })
        let error = #expect(throws: HistoryRangeError.self) {
            try selection.range(in: calendar, now: #require(now))
        }
        #expect(error?.failure.message.hasSuffix("is empty") == true)
    }

    @Test(arguments: [
        "", "tomorrow", "Today", "2026-02-30", "2026-11-31 10:00", "2026-11-01 24:00", "2026-11-01 7:00",
        "14", "24:00", "14:60", "1400", "014:00", "today14:00", "tomorrow 14:00", "now 14:00", "-1:00",
        "2026-11-01 14:00 Uhr", "2026-11-01 14:00:00 +01:00", "01.11.2026", "2026-11-01T", "2026-11-01 14",
    ])
    func `What is no date or time is refused, with words that help`(text: String) {
        let error = #expect(throws: HistoryRangeError.self) { try HistoryBound(text) }
        #expect(error?.failure.message == "'\(text)' is not a date or time")
        #expect(error?.failure.remedy?.contains("2026-11-01") == true)
    }

    @Test(arguments: ["1899-12-31", "2200-01-01 00:00", "9999-12-31", "0001-01-01T00:00:00Z"])
    func `Years for which a zone would be read for long are refused`(text: String) {
        let error = #expect(throws: HistoryRangeError.self) { try HistoryBound(text) }
        #expect(error?.failure.message == "'\(text)' is too far away")
        #expect(error?.failure.remedy == "Write a year from 1900 to 2199.")
        #expect(throws: Never.self) { try HistorySelection("1900-01-01 to 2199-12-31 23:59") }
    }

    @Test(arguments: [
        ("today", "2026-03-30 04:00:00", "2026-03-31 04:00:00"),
        ("yesterday", "2026-03-29 04:00:00", "2026-03-30 04:00:00"),
        ("1d", "2026-03-30 04:00:00", "2026-03-31 04:00:00"),
        ("30d", "2026-03-01 04:00:00", "2026-03-31 04:00:00"),
        ("2026-03-01 to 2026-03-08", "2026-03-01 04:00:00", "2026-03-08 04:00:00"),
        ("  yesterday   to today ", "2026-03-29 04:00:00", "2026-03-30 04:00:00"),
        ("2026-03-29 14:00 to 2026-03-29 15:30:10", "2026-03-29 14:00:00", "2026-03-29 15:30:10"),
        ("2026-03-29T14:00 to 2026-03-30 14:00", "2026-03-29 14:00:00", "2026-03-30 14:00:00"),
        ("9:05 to 14:00", "2026-03-30 09:05:00", "2026-03-30 14:00:00"),
        // Days start at four, so this is late in today.
        ("today 14:00 to 02:00", "2026-03-30 14:00:00", "2026-03-31 02:00:00"),
        ("yesterday 23:00 to now", "2026-03-29 23:00:00", "2026-03-30 14:20:00"),
        ("04:00", "2026-03-30 04:00:00", "2026-03-31 04:00:00"),
        // Skipped: the end of the gap.
        ("2026-03-29 02:30 to 2026-03-29 05:00", "2026-03-29 03:00:00", "2026-03-29 05:00:00"),
        // Repeated: the first, unless an offset selects one.
        ("2026-10-25 02:30 to 2026-10-26", "2026-10-25 02:30:00+02:00", "2026-10-26 04:00:00"),
        ("2026-10-25 02:30+01:00 to 2026-10-26", "2026-10-25 02:30:00+01:00", "2026-10-26 04:00:00"),
        (
            "2026-10-25T00:30:00Z to 2026-10-25T01:30:00Z", "2026-10-25 02:30:00+02:00",
            "2026-10-25 02:30:00+01:00"
        ),
        ("10min", "2026-03-30 14:10:00", "2026-03-30 14:20:00"),
        ("2h", "2026-03-30 12:20:00", "2026-03-30 14:20:00"),
        ("1h30m", "2026-03-30 12:50:00", "2026-03-30 14:20:00"),
        ("90s", "2026-03-30 14:18:30", "2026-03-30 14:20:00"),
        ("1 hour", "2026-03-30 13:20:00", "2026-03-30 14:20:00"),
        ("7d", "2026-03-24 04:00:00", "2026-03-31 04:00:00"),
        ("2 weeks", "2026-03-17 04:00:00", "2026-03-31 04:00:00"),
        ("this week", "2026-03-30 04:00:00", "2026-04-06 04:00:00"),
        ("last week", "2026-03-23 04:00:00", "2026-03-30 04:00:00"),
        ("this month", "2026-03-01 04:00:00", "2026-04-01 04:00:00"),
        ("last  month", "2026-02-01 04:00:00", "2026-03-01 04:00:00"),
        ("2026-03-28", "2026-03-28 04:00:00", "2026-03-29 04:00:00"),
        ("2026-03-28 to now", "2026-03-28 04:00:00", "2026-03-30 14:20:00"),
    ])
    func `A range is written as people say it`(text: String, from: String, to: String) throws {
        let range = try range(text)
        #expect([range.start, range.end].map(calendar.zone.text) == [from, to])
    }

    @Test(arguments: [
        ("this week", "2026-12-28 04:00:00", "2027-01-04 04:00:00"),
        ("last week", "2026-12-21 04:00:00", "2026-12-28 04:00:00"),
        ("this month", "2027-01-01 04:00:00", "2027-02-01 04:00:00"),
        ("last month", "2026-12-01 04:00:00", "2027-01-01 04:00:00"),
        ("2026-11", "2026-11-01 04:00:00", "2026-12-01 04:00:00"),
        ("2026-W47", "2026-11-16 04:00:00", "2026-11-23 04:00:00"),
        ("2026-w53", "2026-12-28 04:00:00", "2027-01-04 04:00:00"),
        ("2027-W01", "2027-01-04 04:00:00", "2027-01-11 04:00:00"),
    ])
    func `Weeks and months go on across years`(text: String, from: String, to: String) throws {
        // At two in the night it is still Sunday, whose day started at four.
        let now = try #require(Timestamp(iso8601: "2027-01-04T02:00:00+01:00"))
        let range = try HistorySelection(text).range(in: calendar, now: now)
        #expect([range.start, range.end].map(calendar.zone.text) == [from, to])
    }

    @Test(arguments: ["0min", "0d", "36526d", "99999999999999999999h", "5218w"])
    func `A length of nothing or of more than a hundred years is refused`(text: String) {
        let error = #expect(throws: HistoryRangeError.self) { try HistorySelection(text) }
        #expect(error?.failure.message == "'\(text)' is no length from 1s to a hundred years")
    }

    @Test(arguments: [
        "h", "-2h", "1.5h", "2h30", "2m1h", "1h1h", "1d12h", "this year", "10 min ago", "", "to",
        "2026-11-01 to", "to 2026-11-01", "2026-11-01 2026-11-02", "a to b to c",
    ])
    func `What is no range is refused`(text: String) {
        let error = #expect(throws: HistoryRangeError.self) { try HistorySelection(text) }
        #expect(error?.failure.message.hasSuffix("' is not a date or time") == true)
    }

    // MARK: Buckets

    /// Weeks begin on Monday; minutes and hours tile an hour that clocks repeat.
    @Test(
        arguments: [
            (
                "2026-03-18 12:00", "2026-03-31", .week,
                ["2026-03-18 12:00:00", "2026-03-23 04:00:00", "2026-03-30 04:00:00"]
            ),
            (
                "2026-10-25 02:59:30+02:00", "2026-10-25 02:01+01:00", .minute,
                ["2026-10-25 02:59:30+02:00", "2026-10-25 02:00:00+01:00"]
            ),
            (
                "2026-10-25 02:30", "2026-10-25 03:10", .hour,
                ["2026-10-25 02:30:00+02:00", "2026-10-25 02:00:00+01:00", "2026-10-25 03:00:00"]
            ),
            ("2026-03-28 12:00", "2026-03-29 12:00", .day, ["2026-03-28 12:00:00", "2026-03-29 04:00:00"]),
        ] as [(String, String, HistoryUnit, [String])])
    func `Any unit can be asked for, and is cut at the edges`(
        from: String, to: String, unit: HistoryUnit, starts: [String]
    ) throws {
        let range = try range(from, to)
        let buckets = range.buckets(of: unit, in: calendar)
        #expect(buckets.map { calendar.zone.text(of: $0.start) } == starts)
        expectTiles(buckets, range)
    }

    private func expectTiles(_ buckets: [Range<Timestamp>], _ range: Range<Timestamp>) {
        #expect(buckets.first?.start == range.start)
        #expect(buckets.last?.end == range.end)
        #expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    @Test(arguments: [
        ("2026-03-28", "2026-03-30", HistoryUnit.hour, 47), ("2026-10-24", "2026-10-26", .hour, 49),
        ("2026-03-01", "2026-03-03", .hour, 48), ("2026-03-01", "2026-03-04", .day, 3),
        ("2026-03-01 14:00", "2026-03-03 14:00", .hour, 48),
        ("2026-03-01 14:00", "2026-03-03 14:00:01", .day, 3),
        ("2026-10-24 14:00", "2026-10-26 14:00", .hour, 49),
        ("2026-03-01 14:10", "2026-03-01 14:20", .minute, 10),
        ("2026-03-01 14:10:30", "2026-03-01 15:10:30", .minute, 61),
        ("2026-03-01 14:10:30", "2026-03-01 15:10:31", .hour, 2),
        ("2026-03-24", "2026-03-31", .day, 7),
    ])
    func `Minutes are shown up to an hour, hours up to two days, days beyond`(
        from: String, to: String, unit: HistoryUnit, count: Int
    ) throws {
        let range = try range(from, to)
        #expect(range.naturalUnit(in: calendar) == unit)
        let buckets = range.buckets(of: unit, in: calendar)
        #expect(buckets.count == count)
        expectTiles(buckets, range)
    }

    // MARK: Neighbours

    @Test(arguments: [
        ("2026-10-25 to 2026-10-26", "2026-10-24 to 2026-10-25", "2026-10-26 to 2026-10-27"),
        ("2026-10-19 to 2026-10-26", "2026-10-12 to 2026-10-19", "2026-10-26 to 2026-11-02"),
        // The range is not made of whole days: midnight to midnight is 25 hours, so its neighbours are 25 hours
        // long.
        (
            "2026-10-25 00:00 to 2026-10-26 00:00", "2026-10-23 23:00 to 2026-10-25 00:00",
            "2026-10-26 00:00 to 2026-10-27 01:00"
        ),
        (
            "2026-11-01 14:00 to 2026-11-01 15:00", "2026-11-01 13:00 to 2026-11-01 14:00",
            "2026-11-01 15:00 to 2026-11-01 16:00"
        ),
    ])
    func `A range has one before it and one after it`(text: String, before: String, after: String) throws {
        let range = try self.range(text)
        #expect(try range.previous(in: calendar) == self.range(before))
        #expect(try range.next(in: calendar) == self.range(after))
    }

    @Test func `Days are whole or cut`() throws {
        #expect(try self.range("2026-10-25 to 2026-10-27").wholeDays(in: calendar)?.count == 2)
        #expect(try self.range("2026-10-25 to 2026-10-26 04:01").wholeDays(in: calendar) == nil)
    }

    // MARK: Helpers

    private func range(_ text: String) throws -> Range<Timestamp> {
        try HistorySelection(text).range(in: calendar, now: #require(now))
    }

    private func range(_ from: String, _ to: String) throws -> Range<Timestamp> {
        try HistorySelection.between(HistoryBound(from), HistoryBound(to)).range(
            in: calendar, now: #require(now))
    }
}
