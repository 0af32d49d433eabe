public import CounterModel
public import CounterStore
import Glibc
import System

/// A part of a location's history, by its own days and hours.
public struct LocationSpan {
    /// More would be hours by the million.
    private static let mostYears = 100

    /// Whose history.
    public let location: Location
    /// Its days, for the range and some days about it.
    public let calendar: OperationalCalendar
    /// Which part of it.
    public let range: HistoryRange

    /// Finds the range that is selected.
    ///
    /// - Throws: `HistoryRangeError`, `Failure` (64) for a range that is too long.
    public init(_ location: Location, _ selection: HistorySelection, now: Timestamp) throws {
        self.location = location
        calendar = location.calendar(for: selection.outerBounds(now: now))
        range = try selection.range(in: calendar, now: now)
        let seconds = range.end.seconds - range.start.seconds
        guard seconds <= Self.mostYears * 366 * 86_400 else {
            throw Failure(
                "the range is longer than \(Self.mostYears) years",
                remedy: "Let it begin later or end earlier.",
                status: EX_USAGE)
        }
    }

    /// A range that is known already.
    public init(_ location: Location, _ range: HistoryRange) {
        self.location = location
        self.range = range
        calendar = location.calendar(for: range.start...range.end)
    }

    /// What it came to, up to now.
    ///
    /// - Throws: `JournalError`
    public func kpis(
        in journal: SQLiteJournal, silentAfter: Duration, now: Timestamp
    ) throws(JournalError) -> KPIs {
        try journal.kpis(
            of: location, in: range.start..<range.end, calendar, silentAfter: silentAfter, now: now)
    }

    /// Hands over the rows behind it in the order of time, a page of them in memory at once.
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
    /// Between which times it lies, give or take a day for the zone, which is to be read for them.
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
