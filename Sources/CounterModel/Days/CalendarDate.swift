/// A date of the proleptic Gregorian calendar, as in ISO 8601; without a zone.
package struct CalendarDate: Comparable, Hashable, Sendable, CustomStringConvertible {
    /// The year; year 0 is the one before year 1, as in ISO 8601.
    package let year: Int
    /// 1 (January) to 12.
    package let month: Int
    /// 1 to the last day of the month.
    package let day: Int

    /// `nil` where the month has no such day, or the year more than six digits.
    package init?(year: Int, month: Int, day: Int) {
        guard (-999_999...999_999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.days(inMonth: month, of: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads a date of four, two and two digits: `2026-11-21`. `nil` for any other text, and for dates that do not exist, such as
    /// `2026-02-30`.
    package init?(iso8601 text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(\.isDecimalDigit),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// In ISO 8601 form: `2026-11-21`. Years before 0 and after 9999 have a sign (ISO 8601 leaves these to agreement).
    package var description: String {
        let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
        return "\(sign)\(year.magnitude.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

// MARK: Counting days

/// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". The year begins in March, so that the leap day is its
/// last one, and the months before it follow a straight line: 153 days for each five months. Years are grouped in eras of
/// 400, which all have the same number of days.
extension CalendarDate {
    private static let daysOfEra = 146_097
    /// The days from 0000-03-01 to 1970-01-01.
    private static let daysToEpoch = 719_468

    /// Days since 1970-01-01; negative before it.
    package var dayNumber: Int {
        let (era, yearOfEra) = (month > 2 ? year : year - 1).flooredQuotientAndRemainder(dividingBy: 400)
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOfEra + dayOfEra - Self.daysToEpoch
    }

    /// The date `dayNumber` days after 1970-01-01, or before it where negative, within some million years of 1970; every
    /// ``Timestamp`` is in that range.
    package init(dayNumber: Int) {
        let (era, dayOfEra) = (dayNumber + Self.daysToEpoch)
            .flooredQuotientAndRemainder(dividingBy: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The date some days later, or earlier where `days` is negative.
    package func advanced(by days: Int) -> CalendarDate { CalendarDate(dayNumber: dayNumber + days) }

    /// By `weekday`.
    package static let dayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// 0 (Monday) to 6.
    package var weekday: Int {
        // 1970-01-01 was a Thursday.
        (dayNumber + 3).flooredQuotientAndRemainder(dividingBy: 7).remainder
    }

    /// The Monday on which the week of this date begins, as in ISO 8601.
    package var monday: CalendarDate { advanced(by: -weekday) }

    /// The first day of this date's month, or of the month `ago` months before; after it where negative.
    func firstOfMonth(ago: Int) -> CalendarDate {
        let (year, month) = (year * 12 + month - 1 - ago).flooredQuotientAndRemainder(dividingBy: 12)
        return CalendarDate(year: year, month: month + 1, day: 1) ?? self
    }
}
