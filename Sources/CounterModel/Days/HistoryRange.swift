/// A range of time: `start` is included, `end` is not.
package struct HistoryRange: Hashable, Sendable {
    /// Its first moment.
    package let start: Timestamp
    /// The first moment after it; later than `start`.
    package let end: Timestamp

    /// The part of it before `now`, over which averages are computed.
    ///
    /// - Returns: `nil` where it has not begun.
    package func elapsed(until now: Timestamp) -> HistoryRange? {
        start < now ? HistoryRange(start: start, end: min(end, now)) : nil
    }
}

/// The ranges that a user can choose from.
package enum HistorySelection: Hashable, Sendable {
    /// The current operational day, to its end, so that entries of a clock somewhat ahead are included. Its part until now is
    /// ``HistoryRange/elapsed(until:)``.
    case today
    /// The operational day before the current one.
    case yesterday
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

    /// The range of the selection.
    ///
    /// - Parameters:
    ///     - calendar: The location's calendar.
    ///     - now: The present moment.
    /// - Returns: A range of at least one microsecond.
    /// - Throws: ``HistoryRangeError/empty(from:to:)``, for `between` only.
    package func range(in calendar: OperationalCalendar, now: Timestamp) throws(HistoryRangeError)
        -> HistoryRange
    {
        let today = calendar.day(containing: now)
        switch self {
        case .today: return HistoryRange(today)
        case .yesterday: return HistoryRange(calendar.day(before: today))
        case .lastDays(let count):
            precondition(count > 0, "no day is no range")
            let first = (1..<count).reduce(today) { day, _ in calendar.day(before: day) }
            return HistoryRange(start: first.start, end: today.end)
        case .lastSeconds(let seconds):
            return HistoryRange(
                start: Timestamp(microseconds: now.microseconds - Int64(seconds) * 1_000_000), end: now)
        case .week(let ago):
            let monday = today.date.monday.advanced(by: -7 * ago)
            return HistoryRange(
                start: calendar.day(of: monday).start, end: calendar.day(of: monday.advanced(by: 7)).start)
        case .month(let ago):
            let first = today.date.firstOfMonth(ago: ago)
            return HistoryRange(
                start: calendar.day(of: first).start, end: calendar.day(of: first.firstOfMonth(ago: -1)).start
            )
        case .between(let from, let to):
            let start = from.moment(in: calendar, now: now)
            let end = to?.moment(in: calendar, now: now) ?? today.end
            guard start < end else {
                throw .empty(from: calendar.zone.text(of: start), to: calendar.zone.text(of: end))
            }
            return HistoryRange(start: start, end: end)
        }
    }
}

extension HistoryRange {
    fileprivate init(_ day: OperationalDay) {
        self.init(start: day.start, end: day.end)
    }
}
