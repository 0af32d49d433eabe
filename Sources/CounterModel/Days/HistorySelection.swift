import Glibc
package import Linux

/// The ranges that a user can choose from.
package enum HistorySelection: Hashable, Sendable {
    /// The last operational days, 1 or more, the current one included.
    case lastDays(Int)
    /// The last so many seconds, 1 or more.
    case lastSeconds(Int)
    /// The calendar week of today, or so many weeks before it. Weeks begin on Monday, as in ISO 8601.
    case week(ago: Int)
    /// The calendar month of today, or so many months before it.
    case month(ago: Int)
    /// From a bound to another one, which is not included; without the second, to the end of today.
    case between(HistoryBound, HistoryBound?)

    /// The current operational day, to its end, so that entries of a clock somewhat ahead are included.
    package static let today = HistorySelection.between(.today, nil)
    package static let yesterday = HistorySelection.between(.yesterday, .today)

    /// The range in a location's calendar: at least one microsecond. Only `between` throws.
    package func range(
        in calendar: OperationalCalendar, now: Timestamp
    ) throws(HistoryRangeError) -> Range<Timestamp> {
        let (start, end) = ends(in: calendar, now: now)
        guard start < end else {
            let (from, to) = (calendar.zone.text(of: start), calendar.zone.text(of: end))
            throw HistoryRangeError(
                "the range from \(from) to \(to) is empty",
                remedy:
                    "A range ends where its last moment is over: one day is from that date to the next.")
        }
        return start..<end
    }

    private func ends(
        in calendar: OperationalCalendar, now: Timestamp
    ) -> (start: Timestamp, end: Timestamp) {
        let today = calendar.day(containing: now)
        switch self {
        case .lastDays(let count):
            precondition(count > 0, "no day is no range")
            let first = (1..<count).reduce(today) { day, _ in calendar.day(before: day) }
            return (first.start, today.end)
        case .lastSeconds(let seconds): return (now - .seconds(seconds), now)
        case .week(let ago):
            let monday = today.date.monday.advanced(by: -7 * ago)
            return (calendar.day(of: monday).start, calendar.day(of: monday.advanced(by: 7)).start)
        case .month(let ago):
            let first = today.date.firstOfMonth(ago: ago)
            return (calendar.day(of: first).start, calendar.day(of: first.firstOfMonth(ago: -1)).start)
        case .between(let from, let to):
            let end = to?.moment(in: calendar, now: now) ?? today.end
            return (from.moment(in: calendar, now: now), end)
        }
    }

    /// Bounds of the range and of the present in any zone, for which offsets are to be read.
    package func outerBounds(now: Timestamp) -> ClosedRange<Timestamp> {
        // At midnight of UTC it may still be the month before elsewhere, or be the next one.
        let margin = Duration.seconds(32 * 86_400)
        let (start, end) = ends(in: OperationalCalendar(zone: .utc), now: now)
        return min(start, end, now) - margin...max(start, end, now) + margin
    }
}

extension HistorySelection {
    fileprivate static let named: [String: HistorySelection] = [
        "today": .today, "yesterday": .yesterday,
        "this week": .week(ago: 0), "last week": .week(ago: 1),
        "this month": .month(ago: 0), "last month": .month(ago: 1),
    ]

    /// A hundred years.
    private static let maxDays = 36_525

    /// Reads a name (`today`, `this week`), a length (`10min`, `1h30m`, `7d`, `2 weeks`), a month or a week of ISO 8601 (`2026-11`,
    /// `2026-W47`), a date, or `FROM to TO` with bounds as in ``HistoryBound/init(_:)``: `2026-11-01 14:00 to now`. A date alone is
    /// its day; a time alone goes on to the end of today.
    package init(_ text: String) throws(HistoryRangeError) {
        let words = text.split(separator: " ")
        let plain = words.joined(separator: " ")
        if let named = Self.named[plain] {
            self = named
        } else if let length = try Self.length(plain) {
            self = length
        } else if let (first, end) = Self.monthOrWeek(plain) {
            guard HistoryBound.years.contains(first.year) else { throw .outOfReach(text) }
            self = .between(.date(first), .date(end))
        } else if let divider = words.firstIndex(of: "to") {
            let (from, to) = (words[..<divider], words[(divider + 1)...])
            self = .between(
                try HistoryBound(from.joined(separator: " ")), try HistoryBound(to.joined(separator: " ")))
        } else if case .date(let date) = try HistoryBound(plain) {
            self = .between(.date(date), .date(date.advanced(by: 1)))
        } else {
            self = .between(try HistoryBound(plain), nil)
        }
    }

    /// The first day of `2026-11` or `2026-W47`, and the day after the last; nil for another text.
    private static func monthOrWeek(_ text: String) -> (CalendarDate, CalendarDate)? {
        if let first = CalendarDate(iso8601: text + "-01") { return (first, first.firstOfMonth(ago: -1)) }
        let parts = text.uppercased().split(separator: "-W", omittingEmptySubsequences: false)
        // The first week of a year is that of January 4th.
        guard parts.map(\.count) == [4, 2], parts.joined().allSatisfy(\.isDecimalDigit),
            let year = Int(parts[0]), let number = Int(parts[1]),
            let inFirst = CalendarDate(year: year, month: 1, day: 4), number > 0
        else { return nil }
        let monday = inFirst.monday.advanced(by: 7 * (number - 1))
        return monday.advanced(by: 3).year == year ? (monday, monday.advanced(by: 7)) : nil
    }

    /// In seconds.
    private static let units: [String: Int] = [
        "s": 1, "sec": 1, "second": 1, "seconds": 1,
        "m": 60, "min": 60, "minute": 60, "minutes": 60,
        "h": 3600, "hour": 3600, "hours": 3600,
        "d": day, "day": day, "days": day,
        "w": 7 * day, "week": 7 * day, "weeks": 7 * day,
    ]
    private static let day = 86_400

    /// Reads a length of time that ends now: `90s`, `1h30m`, `2 weeks`. Hours and less are exact, the others whole operational
    /// days.
    private static func length(_ text: String) throws(HistoryRangeError) -> HistorySelection? {
        var rest = text[...]
        var (seconds, smallest) = (0, Int.max)
        repeat {
            let digits = rest.prefix(while: \.isDecimalDigit)
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count).drop { $0 == " " }
            guard !digits.isEmpty, let unit = units[String(name)], unit < smallest else { return nil }
            guard let count = Int(digits), count <= maxDays * day / unit else { throw .length(text) }
            (seconds, smallest) = (seconds + count * unit, unit)
        } while !rest.isEmpty && smallest < day
        guard rest.isEmpty else { return nil }
        guard 1...maxDays * day ~= seconds else { throw .length(text) }
        return smallest < day ? .lastSeconds(seconds) : .lastDays(seconds / day)
    }
}

/// A start or an end of a range of history, in the form in which users enter it.
package enum HistoryBound: Hashable, Sendable {
    /// The current operational day, and the one before.
    case today, yesterday
    case date(CalendarDate)
    /// A time of day, of the current operational day or the one before: with days from four, 02:00 is late in the day.
    case clock(hour: Int, minute: Int, isYesterday: Bool)
    case now
    /// A local time of the location: where its clocks skip that time, the next moment; where they show it twice, the first.
    case local(LocalDateTime)
    case moment(Timestamp)

    /// The years that are accepted. Ranges are computed day by day, so a mistyped year would take seconds.
    static let years = 1900...2199

    /// Reads `today`, `yesterday`, `now`, `14:00`, `yesterday 14:00`, `2026-11-01`, `2026-11-01 14:00`, or, with an offset, a
    /// time of RFC 3339: `2026-11-01T14:00:00Z`.
    package init(_ text: String) throws(HistoryRangeError) {
        if text == "today" {
            self = .today
        } else if text == "yesterday" {
            self = .yesterday
        } else if text == "now" {
            self = .now
        } else if let clock = Self.clock(text) {
            self = clock
        } else if let date = CalendarDate(iso8601: text) {
            guard Self.years.contains(date.year) else { throw .outOfReach(text) }
            self = .date(date)
        } else if let time = DateTimeText(text) {
            guard Self.years.contains(time.local.date.year) else { throw .outOfReach(text) }
            self = time.moment.map { .moment($0) } ?? .local(time.local)
        } else {
            throw HistoryRangeError(
                "'\(text)' is not a date or time",
                remedy: HistorySelection.named.keys.sorted().suggestion(for: text)
                    + "Write 10min, 2h, 7d, today, yesterday, 'this week', 'last month', 2026-W47, 2026-11, a time such as 14:00, a date such as "
                    + "2026-11-01, a local time such as '2026-11-01 14:00', or one with its offset such as "
                    + "2026-11-01T14:00:00Z.")
        }
    }

    /// Reads `14:00`, `9:30`, `today 14:00`, `yesterday 14:00`.
    private static func clock(_ text: String) -> HistoryBound? {
        let words = text.split(separator: " ")
        guard let time = words.last, words.count <= 2,
            ["today", "yesterday"].contains(words[0]) || words.count == 1
        else { return nil }
        guard time.contains(where: { $0 == ":" }), let minutes = OpeningHours.minutes(time), minutes < 24 * 60
        else { return nil }
        return .clock(hour: minutes / 60, minute: minutes % 60, isYesterday: words[0] == "yesterday")
    }

    /// The moment of the bound in a location's calendar; of a day, its first one.
    package func moment(in calendar: OperationalCalendar, now: Timestamp) -> Timestamp {
        switch self {
        case .today: calendar.day(containing: now).start
        case .yesterday: calendar.day(before: calendar.day(containing: now)).start
        case .clock(let hour, let minute, let isYesterday):
            calendar.moment(
                showing: hour, minute,
                of: (isYesterday ? Self.yesterday : .today).moment(in: calendar, now: now))
        case .now: now
        case .date(let date): calendar.day(of: date).start
        case .local(let local): calendar.zone.firstMoment(showing: local)
        case .moment(let moment): moment
        }
    }
}

package struct HistoryRangeError: ExplainedError {
    package let failure: ProgramError

    package init(_ message: String, remedy: String) {
        failure = ProgramError(message, remedy: remedy, status: EX_USAGE)
    }

    fileprivate static func outOfReach(_ text: String) -> HistoryRangeError {
        let years = HistoryBound.years
        return HistoryRangeError(
            "'\(text)' is too far away",
            remedy: "Write a year from \(years.lowerBound) to \(years.upperBound).")
    }

    /// A length of more than a hundred years, or of nothing.
    fileprivate static func length(_ text: String) -> HistoryRangeError {
        HistoryRangeError(
            "'\(text)' is no length from 1s to a hundred years",
            remedy: "Write for example 10min, 2h, 7d or 4w.")
    }
}
