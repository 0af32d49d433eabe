import CounterModel
import CounterStore
import CounterTUI
import Reports
import System

/// A range of history as it was read: its totals, and the visible part of its rows.
struct HistoryReading {
    let span: LocationSpan
    /// When the result changes without an event: at the next hour or day; `nil` for a range in the past.
    let end: Timestamp?
    private let texts: HistoryTexts
    private let summary: HistorySummary
    private var window: HistoryWindow
    private var lines: [HistoryList.Line] = []

    /// Reads a range.
    ///
    /// Where the range is the one read `last`, the same rows stay visible.
    ///
    /// - Throws: `JournalError`
    init(
        of span: LocationSpan, in session: CountingSession, _ settings: Settings, at now: Timestamp,
        after last: HistoryReading?
    ) throws {
        self.span = span
        texts = HistoryTexts(span.range, in: span.calendar, now: now) {
            session.devices.name(of: $0, own: $0)
        }
        let kpis = try span.kpis(in: session.journal, silentAfter: settings.silentAfter, now: now)
        var summary = texts.summary(kpis)
        if span.location.zoneNote != nil {
            summary.facts.append(.init("times", "UTC; \(span.location.timezone) is unknown here".sanitised))
        }
        self.summary = summary
        end = span.range.buckets(in: span.calendar).first { $0.end > now }?.end
        let range = span.range.start..<span.range.end
        let isSame = last?.span.location.id == span.location.id && last?.window.range == range
        window = isSame ? last?.window ?? HistoryWindow(range: range) : HistoryWindow(range: range)
        try window.refresh(fetch(session))
        update()
    }

    /// Whether the result may have changed by `now` without an event.
    func isOver(at now: Timestamp) -> Bool { end.map { $0 <= now } ?? false }

    /// Copies the result into the view model.
    func show(in model: inout HistoryViewModel) {
        model.summary = summary
        model.list = HistoryList(lines: lines, top: window.top, cursor: window.cursor)
    }

    mutating func select(by rows: Int, visible: Int, in session: CountingSession) throws(JournalError) {
        try window.select(by: rows, visible: visible, fetch(session))
        update()
    }

    mutating func select(_ position: Position) { window.select(position) }

    /// The row at a position, as it is displayed, if it is in memory.
    func row(at position: Position) -> (row: HistoryRow, line: HistoryList.Line)? {
        window.rows.first { $0.id == position }.map { ($0, texts.line($0)) }
    }

    mutating func scroll(by rows: Int, visible: Int, in session: CountingSession) throws(JournalError) {
        try window.scroll(by: rows, visible: visible, fetch(session))
        update()
    }

    mutating func showLatest(in session: CountingSession) throws(JournalError) {
        try window.showLatest(fetch(session))
        update()
    }

    mutating func showEarliest(visible: Int, in session: CountingSession) throws(JournalError) {
        try window.showEarliest(visible: visible, fetch(session))
        update()
    }

    private func fetch(_ session: CountingSession) -> (HistoryPage) throws(JournalError) -> [HistoryRow] {
        let (journal, id) = (session.journal, span.location.id)
        return { (page) throws(JournalError) in try journal.history(of: id, page) }
    }

    private mutating func update() { lines = window.rows.map(texts.line) }
}
