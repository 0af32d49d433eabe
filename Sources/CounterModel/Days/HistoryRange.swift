/// A range of time: `start` is included, `end` is not.
public struct HistoryRange: Hashable, Sendable {
    /// Its first moment.
    public let start: Timestamp
    /// The first moment after it; later than `start`.
    public let end: Timestamp

    /// The part of it before `now`, over which averages are computed.
    ///
    /// - Returns: `nil` where it has not begun.
    public func elapsed(until now: Timestamp) -> HistoryRange? {
        start < now ? HistoryRange(start: start, end: min(end, now)) : nil
    }
}

/// The ranges that a user can choose from.
public enum HistorySelection: Hashable, Sendable {
    /// The current operational day, to its end, so that entries of a clock somewhat ahead are included. Its part until now is
    /// ``HistoryRange/elapsed(until:)``.
    case today
    /// The operational day before the current one.
    case yesterday
    /// The last operational days, 1 or more, the current one included.
    case lastDays(Int)
    /// From a bound to another one, which is not included; without the second, to the end of today.
    case between(HistoryBound, HistoryBound?)

    /// The range of the selection.
    ///
    /// - Parameters:
    ///     - calendar: The location's calendar.
    ///     - now: The present moment.
    /// - Returns: A range of at least one microsecond.
    /// - Throws: ``HistoryRangeError/empty(from:to:)``, for `between` only.
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

extension HistorySelection {
    /// Reads `FROM` or `FROM to TO`, with bounds as in ``HistoryBound/init(_:)``: `2026-11-01 14:00 to today`.
    ///
    /// - Throws: ``HistoryRangeError/unreadable(_:)`` with the bound that cannot be read.
    public init(_ text: String) throws(HistoryRangeError) {
        let words = text.split(separator: " ")
        let divider = words.firstIndex(of: "to")
        let from = words[..<(divider ?? words.endIndex)].joined(separator: " ")
        guard let divider else {
            self = .between(try HistoryBound(from), nil)
            return
        }
        let to = words[(divider + 1)...].joined(separator: " ")
        self = .between(try HistoryBound(from), try HistoryBound(to))
    }
}
