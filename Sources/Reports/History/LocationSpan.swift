public import CounterModel
public import CounterStore
import Glibc
import System

/// A part of a location's history, with its own days and hours.
public struct LocationSpan {
    /// A longer range would have millions of hours.
    private static let maxYears = 100

    /// The location.
    public let location: Location
    /// Its operational days, for the range and some days around it.
    public let calendar: OperationalCalendar
    /// The range.
    public let range: HistoryRange

    /// Computes the range of a selection.
    ///
    /// - Throws: `HistoryRangeError`; `Failure` (64) for a range that is too long.
    public init(_ location: Location, _ selection: HistorySelection, now: Timestamp) throws {
        self.location = location
        calendar = location.calendar(for: selection.outerBounds(now: now))
        range = try selection.range(in: calendar, now: now)
        let seconds = range.end.seconds - range.start.seconds
        guard seconds <= Self.maxYears * 366 * 86_400 else {
            throw Failure(
                "the range is longer than \(Self.maxYears) years",
                remedy: "Let it begin later or end earlier.",
                status: EX_USAGE)
        }
    }

    /// Creates a span for a given range.
    public init(_ location: Location, _ range: HistoryRange) {
        self.location = location
        self.range = range
        calendar = location.calendar(for: range.start...range.end)
    }

    /// The figures of the range, until now.
    ///
    /// - Throws: `JournalError`
    public func kpis(
        in journal: SQLiteJournal, silentAfter: Duration, now: Timestamp
    ) throws(JournalError) -> KPIs {
        try journal.kpis(
            of: location, in: range.start..<range.end, calendar, silentAfter: silentAfter, now: now)
    }

    /// Calls `body` with each row of the range in order of time. One page of rows is in memory at a time.
    ///
    /// - Throws: `JournalError`, or what `body` throws.
    public func forEachRow(in journal: SQLiteJournal, _ body: (HistoryRow) throws -> Void) throws {
        let limit = 1000
        var last: HistoryAnchor?
        while true {
            let page = HistoryPage(
                range: range.start..<range.end, anchor: last, isBackward: false, limit: limit)
            let rows = try journal.history(of: location.id, page)
            try rows.forEach(body)
            if rows.count < limit { return }
            last = rows.last?.anchor
        }
    }
}

extension HistorySelection {
    /// Approximate bounds of the selection, wrong by a day at most in any zone. The zone's offsets are read for this range.
    fileprivate func outerBounds(now: Timestamp) -> ClosedRange<Timestamp> {
        switch self {
        case .today, .yesterday: return now...now
        case .lastDays(let count): return Timestamp(seconds: now.seconds - count * 86_400)...now
        case .between(let from, let to):
            let utc = OperationalCalendar(zone: .utc)
            let times = [now, from.moment(in: utc, now: now), (to ?? .today).moment(in: utc, now: now)]
            return (times.min() ?? now)...(times.max() ?? now)
        }
    }
}
