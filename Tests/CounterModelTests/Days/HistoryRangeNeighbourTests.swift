import CounterModel
import TestSupport
import Testing

/// In Europe/Zurich, where 2026-10-25 has 25 hours; days start at four.
@Suite struct HistoryRangeNeighbourTests {
    let calendar: OperationalCalendar

    init() throws {
        let zone = try #require(try DayReference()["Europe/Zurich"])
        calendar = OperationalCalendar(zone: zone.offsets, startHour: 4)
    }

    @Test(
        arguments: [
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
        let range = try range(text)
        #expect(try range.previous(in: calendar) == self.range(before))
        #expect(try range.next(in: calendar) == self.range(after))
    }

    @Test func `Days are whole or cut`() throws {
        #expect(try range("2026-10-25 to 2026-10-27").wholeDays(in: calendar)?.count == 2)
        #expect(try range("2026-10-25 to 2026-10-26 04:01").wholeDays(in: calendar) == nil)
    }

    @Test(
        arguments: [
            ("2026-11-01", .between(.date(date), .date(date.advanced(by: 1)))),
            ("14:00", .between(.clock(hour: 14, minute: 0, isYesterday: false), nil)),
            ("  yesterday   to today ", .between(.yesterday, .today)),
            ("2026-11-01 to 2026-11-01", .between(.date(date), .date(date))),
        ] as [(String, HistorySelection)])
    func `A range is typed`(text: String, selection: HistorySelection) throws {
        #expect(try HistorySelection(text) == selection)
    }

    @Test(arguments: ["", "to", "2026-11-01 to", "to 2026-11-01", "2026-11-01 2026-11-02", "a to b to c"])
    func `What is no range is refused`(text: String) {
        #expect(throws: HistoryRangeError.self) { try HistorySelection(text) }
    }

    private static let date = CalendarDate(dayNumber: 20_758)

    private func range(_ text: String) throws -> HistoryRange {
        try HistorySelection(text).range(in: calendar, now: Timestamp(microseconds: 0))
    }
}
