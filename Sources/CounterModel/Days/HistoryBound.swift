/// A start or an end of a range of history, in the form in which users enter it.
package enum HistoryBound: Hashable, Sendable {
    /// The current operational day.
    case today
    /// The operational day before the current one.
    case yesterday
    /// The operational day of a date.
    case date(CalendarDate)
    /// A time of day, of the current operational day or the one before: with days from four, 02:00 is late in the day.
    case clock(hour: Int, minute: Int, isYesterday: Bool)
    /// The present moment.
    case now
    /// A local time of the location: where its clocks skip that time, the next moment; where they show it twice, the first.
    case local(LocalDateTime)
    /// A moment, independent of zones.
    case moment(Timestamp)

    /// The years that are accepted. Ranges are computed day by day, so a mistyped year would take seconds.
    static let years = 1900...2199

    /// Reads `today`, `yesterday`, `now`, `14:00`, `yesterday 14:00`, `2026-11-01`, `2026-11-01 14:00`, or, with an offset, a
    /// time of RFC 3339: `2026-11-01T14:00:00Z`.
    ///
    /// - Throws: ``HistoryRangeError/unreadable(_:)`` for other texts and for dates that do not exist: `2026-02-30`;
    ///   ``HistoryRangeError/outOfReach(_:)`` for a year outside ``years``.
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
            throw .unreadable(text)
        }
    }

    /// Reads `14:00`, `9:30`, `today 14:00`, `yesterday 14:00`.
    private static func clock(_ text: String) -> HistoryBound? {
        let words = text.split(separator: " ")
        guard let time = words.last, words.count <= 2,
            ["today", "yesterday"].contains(words[0]) || words.count == 1
        else { return nil }
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.joined().allSatisfy(\.isDecimalDigit), let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        return .clock(hour: hour, minute: minute, isYesterday: words[0] == "yesterday")
    }

    /// The moment of the bound.
    ///
    /// - Parameters:
    ///     - calendar: The location's calendar.
    ///     - now: The present moment.
    /// - Returns: For a day, its first moment.
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

/// Why a range is invalid.
package enum HistoryRangeError: Error, Hashable, CustomStringConvertible {
    /// The bound cannot be read, or the date does not exist.
    case unreadable(String)
    /// A bound that is too long ago or too far ahead.
    case outOfReach(String)
    /// A length of more than a hundred years, or of nothing.
    case length(String)
    /// The unit of the bars is none of minute, hour, day and week.
    case unknownUnit(String)
    /// The range would end before it begins, or be empty. The texts are local times.
    case empty(from: String, to: String)

    /// The problem, on one line.
    package var description: String {
        switch self {
        case .unreadable(let text): "'\(text)' is not a date or time"
        case .outOfReach(let text): "'\(text)' is too far away"
        case .length(let text): "'\(text)' is no length from 1s to a hundred years"
        case .unknownUnit(let text): "'\(text)' is not a unit"
        case .empty(let from, let to): "the range from \(from) to \(to) is empty"
        }
    }

    /// What the user can do about it.
    package var remedy: String {
        switch self {
        case .unreadable:
            "Write 10min, 2h, 7d, today, yesterday, 'this week', 'last month', a time such as 14:00, a date such as "
                + "2026-11-01, a local time such as '2026-11-01 14:00', or one with its offset such as "
                + "2026-11-01T14:00:00Z."
        case .outOfReach:
            "Write a year from \(HistoryBound.years.lowerBound) to \(HistoryBound.years.upperBound)."
        case .length: "Write for example 10min, 2h, 7d or 4w."
        case .unknownUnit: "The units are minute, hour, day and week."
        case .empty: "A range ends where its last moment is over: one day is from that date to the next."
        }
    }
}
