package import CounterModel
package import CounterStore
import Glibc
import Linux

/// A part of a location's history, with its own days and hours.
package struct LocationSpan {
    /// A longer range would have millions of hours.
    private static let maxYears = 100
    package let location: Location
    /// Its operational days, for the range and some days around it.
    package let calendar: OperationalCalendar
    package let range: Range<Timestamp>
    package let unit: HistoryUnit

    /// - Parameter maxDaysByMinute: A longer range would have too many bars of minutes.
    /// - Throws: `HistoryRangeError`; `ProgramError` (64) for a range that is too long, or too long to be shown by minutes.
    package init(
        _ location: Location, _ selection: HistorySelection, by unit: HistoryUnit? = nil,
        maxDaysByMinute: Int = 31, now: Timestamp
    ) throws {
        let calendar = location.calendar(for: selection.outerBounds(now: now))
        let range = try selection.range(in: calendar, now: now)
        let unit = unit ?? range.naturalUnit(in: calendar)
        let seconds = range.end.seconds - range.start.seconds
        guard seconds <= Self.maxYears * 366 * 86_400 else {
            throw ProgramError(
                "the range is longer than \(Self.maxYears) years",
                remedy: "Let it begin later or end earlier.", status: EX_USAGE)
        }
        // One of the days may have 25 hours.
        guard unit != .minute || seconds <= (maxDaysByMinute * 24 + 1) * 3_600 else {
            throw ProgramError(
                "a range of more than \(maxDaysByMinute) days cannot be shown by minutes",
                remedy: "Let it begin later or end earlier, or show it by hours.", status: EX_USAGE)
        }
        self.init(location, range, by: unit, in: calendar)
    }

    /// `calendar` is that of the location.
    package init(
        _ location: Location, _ range: Range<Timestamp>, by unit: HistoryUnit? = nil,
        in calendar: OperationalCalendar? = nil
    ) {
        (self.location, self.range) = (location, range)
        let calendar = calendar ?? location.calendar(for: range.start...range.end)
        self.calendar = calendar
        self.unit = unit ?? range.naturalUnit(in: calendar)
    }

    /// The parts of the range that have a bar each. Of a long range there are many.
    package var buckets: [Range<Timestamp>] { range.buckets(of: unit, in: calendar) }

    /// The name of a part of the range, or of several that follow one another. A week is named by its days in the range.
    func label(_ first: Range<Timestamp>, to last: Range<Timestamp>) -> String {
        func text(_ moment: Timestamp) -> String {
            switch unit {
            case .minute, .hour: calendar.zone.shortText(of: moment)
            case .day, .week: "\(calendar.day(containing: moment).date)"
            }
        }
        let from = text(first.start)
        if unit == .week { return "\(from) to \(text(last.end - .microseconds(1)))" }
        return first == last ? from : "\(from) to \(text(last.start))"
    }

    package func kpis(
        in journal: SQLiteJournal, silentAfter: Duration, now: Timestamp
    ) throws(JournalError) -> KPIs {
        try journal.kpis(
            of: location, in: range, calendar, bars: buckets.map(\.start), silentAfter: silentAfter, now: now)
    }
}

extension Location {
    var averageName: String { openingHours == nil ? "average inside" : "average inside while open" }
}

extension [LocationSpan] {
    /// Calls `body` with each row of the ranges, in the order of time, and its span. One page of rows of each is in memory at a time.
    package func forEachRow(in journal: SQLiteJournal, _ body: (HistoryRow, LocationSpan) throws -> Void)
        throws
    {
        var pages = try map { try RowPages(of: $0, in: journal) }
        func next() -> Int? {
            pages.indices.compactMap { index in pages[index].first.map { (index, $0.anchor) } }
                .min { $0.1 < $1.1 }?.0
        }
        while let index = next(), let row = pages[index].first {
            try body(row, self[index])
            try pages[index].advance(in: journal)
        }
    }
}

private struct RowPages {
    private static let limit = 1000

    private let span: LocationSpan
    private var rows: [HistoryRow] = []
    private var index = 0

    init(of span: LocationSpan, in journal: SQLiteJournal) throws(JournalError) {
        self.span = span
        try read(after: nil, in: journal)
    }

    /// The next row; nil after the last.
    var first: HistoryRow? { index < rows.count ? rows[index] : nil }

    mutating func advance(in journal: SQLiteJournal) throws(JournalError) {
        index += 1
        if index == rows.count, index == Self.limit { try read(after: rows.last?.anchor, in: journal) }
    }

    private mutating func read(after last: HistoryAnchor?, in journal: SQLiteJournal) throws(JournalError) {
        let page = HistoryPage(range: span.range, anchor: last, isBackward: false, limit: Self.limit)
        (rows, index) = (try journal.history(of: span.location.id, page), 0)
    }
}
