/// Where a range of history starts or ends, in the words of who asks for it.
public enum HistoryBound: Hashable, Sendable {
    /// The present operational day.
    case today
    /// The operational day before the present one.
    case yesterday
    /// The operational day of a date.
    case date(CalendarDate)
    /// A time on the location's own clocks: where they skip it, the next moment; where they show it twice, the first.
    case local(LocalDateTime)
    /// A moment, whatever clocks show.
    case moment(Timestamp)

    /// The years that can be asked about. A zone is read day by day, so a year that was mistyped would take seconds.
    static let years = 1900...2199

    /// Reads `today`, `yesterday`, `2026-11-01`, `2026-11-01 14:00`, or, with an offset, a time of RFC 3339:
    /// `2026-11-01T14:00:00Z`.
    ///
    /// - Throws: ``HistoryRangeError/unreadable(_:)`` for other texts, and for what does not exist: `2026-02-30`;
    ///   ``HistoryRangeError/outOfReach(_:)`` for a year that is none of ``years``.
    public init(_ text: String) throws(HistoryRangeError) {
        if text == "today" {
            self = .today
        } else if text == "yesterday" {
            self = .yesterday
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

    /// The moment that it stands for.
    ///
    /// - Parameters:
    ///     - calendar: The location's.
    ///     - now: The present moment.
    /// - Returns: Of a day, its first moment.
    public func moment(in calendar: OperationalCalendar, now: Timestamp) -> Timestamp {
        switch self {
        case .today: calendar.day(containing: now).start
        case .yesterday: calendar.day(before: calendar.day(containing: now)).start
        case .date(let date): calendar.day(of: date).start
        case .local(let local): calendar.zone.firstMoment(showing: local)
        case .moment(let moment): moment
        }
    }
}

/// Why there is no such range.
public enum HistoryRangeError: Error, Hashable, CustomStringConvertible {
    /// A bound that cannot be read, or does not exist.
    case unreadable(String)
    /// A bound that is too long ago or too far ahead.
    case outOfReach(String)
    /// The range would end before it has begun. The texts are local times.
    case empty(from: String, to: String)

    /// What is wrong, on one line.
    public var description: String {
        switch self {
        case .unreadable(let text): "'\(text)' is no date or time"
        case .outOfReach(let text): "'\(text)' is too far away"
        case .empty(let from, let to): "the range from \(from) to \(to) is empty"
        }
    }

    /// What to do about it.
    public var remedy: String {
        switch self {
        case .unreadable:
            "Write today, yesterday, a date such as 2026-11-01, a local time such as '2026-11-01 14:00', "
                + "or one with its offset such as 2026-11-01T14:00:00Z."
        case .outOfReach:
            "Write a year from \(HistoryBound.years.lowerBound) to \(HistoryBound.years.upperBound)."
        case .empty: "A range ends where its last moment is over: one day is from that date to the next."
        }
    }
}
