import TestSupport
import Testing

@testable import CounterModel

@Suite struct CalendarDateTests {
    /// Dates and their days since 1970, as Python's `datetime.date` counts them.
    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017),
        ("1900-02-28", -25_509), ("1900-03-01", -25_508), ("2026-11-21", 20_778), ("0001-01-01", -719_162),
        ("9999-12-31", 2_932_896),
    ])
    func `A date is a number of days`(text: String, number: Int) throws {
        let date = try #require(CalendarDate(iso8601: text))
        #expect(date.dayNumber == number)
        #expect(CalendarDate(dayNumber: number) == date)
        #expect(date.description == text)
    }

    @Test func `Each day of 2,000 years follows the one before it`() throws {
        var expected = try #require(CalendarDate(year: 1000, month: 1, day: 1))
        for number in expected.dayNumber..<(expected.dayNumber + 730_485) {
            let date = CalendarDate(dayNumber: number)
            guard date == expected, date.dayNumber == number else {
                Issue.record("\(date) where \(expected) was due")
                return
            }
            expected = try #require(successor(of: date))
        }
        #expect(expected.description == "3000-01-01")
    }

    /// The next date, found by trying the next day, month and year.
    private func successor(of date: CalendarDate) -> CalendarDate? {
        CalendarDate(year: date.year, month: date.month, day: date.day + 1)
            ?? CalendarDate(year: date.year, month: date.month + 1, day: 1)
            ?? CalendarDate(year: date.year + 1, month: 1, day: 1)
    }

    @Test(arguments: [
        "2026-02-30", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00",
        "2026-1-01", "2026-01-1", "02026-01-01", "26-01-01", "2026/01/01", "2026-01-01 ", " 2026-01-01",
        "-026-01-01", "+026-01-01", "2026-01", "2026-01-01-", "", "today", "٢٠٢٦-01-01",
    ])
    func `What is no date is refused`(text: String) {
        #expect(CalendarDate(iso8601: text) == nil)
    }

    @Test func `Dates go in order and far`() throws {
        let date = try #require(CalendarDate(year: 2026, month: 12, day: 31))
        #expect(date.advanced(by: 1).description == "2027-01-01")
        #expect(date < date.advanced(by: 1))
        #expect(date > date.advanced(by: -400))
        #expect(CalendarDate(dayNumber: -800_000).description == "-0221-09-04")
        #expect(CalendarDate(dayNumber: 3_000_000).description == "+10183-09-21")
        #expect(CalendarDate(year: 1_000_000, month: 1, day: 1) == nil)
    }
}
