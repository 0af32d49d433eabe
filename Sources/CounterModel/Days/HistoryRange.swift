/// The time that a history is about: from `start` to `end`, which is not of it.
public struct HistoryRange: Hashable, Sendable {
    /// Its first moment.
    public let start: Timestamp
    /// The first moment after it; later than `start`.
    public let end: Timestamp

    /// The part of it that is over, which is all there is to an average: for today, up to now.
    ///
    /// - Returns: `nil` where it has not begun.
    public func elapsed(until now: Timestamp) -> HistoryRange? {
        start < now ? HistoryRange(start: start, end: min(end, now)) : nil
    }
}

/// The ranges that there are to choose from.
public enum HistorySelection: Hashable, Sendable {
    /// The present operational day. It reaches to the day's end, so that nothing is left out that came by a clock
    /// somewhat ahead; what is over of it is ``HistoryRange/elapsed(until:)``.
    case today
    /// The operational day before.
    case yesterday
    /// So many operational days, 1 or more; the present one is the last of them.
    case lastDays(Int)
    /// From a bound to another one, which is not of it; without that, to the end of today.
    case between(HistoryBound, HistoryBound?)

    /// The range that it stands for.
    ///
    /// - Parameters:
    ///     - calendar: The location's.
    ///     - now: The present moment.
    /// - Returns: At least a microsecond.
    /// - Throws: ``HistoryRangeError/empty(from:to:)``; only `between` can be.
    public func range(in calendar: OperationalCalendar, now: Timestamp) throws(HistoryRangeError)
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
