package import CounterModel
package import CounterStore
package import Linux

/// A range of history as it was read: its totals, and the part of its rows that is loaded.
package struct HistoryReading {
    private let texts: HistoryTexts
    package let summary: HistorySummary
    package private(set) var window: HistoryWindow
    /// When the result changes without an event: when the present bar ends, or the next minute begins where the range ends now;
    /// `nil` for a range in the past.
    package let end: Timestamp?

    init(_ texts: HistoryTexts, _ summary: HistorySummary, _ window: HistoryWindow, end: Timestamp? = nil) {
        (self.texts, self.summary, self.window, self.end) = (texts, summary, window, end)
    }

    /// Reads a range. Where it is the one read `last`, the same rows stay visible. The windows of `timers` are marked.
    package init(
        of span: LocationSpan, in journal: SQLiteJournal, silentAfter: Duration, at now: Timestamp,
        after last: HistoryReading?, timers: TimerBoard = TimerBoard(),
        deviceName: @escaping (Identifier) -> String
    ) throws(JournalError) {
        let texts = HistoryTexts(span, now: now, deviceName: deviceName)
        let kpis = try span.kpis(in: journal, silentAfter: silentAfter, now: now)
        var summary = texts.summary(kpis)
        try summary.mark(timers, in: journal, texts, at: now)
        let isSame = last?.span.location.id == span.location.id && last?.window.range == span.range
        let window = isSame ? last?.window : nil
        let end =
            span.range.end == now
            ? now.nextMinute : summary.bars.first { $0.bucket.end > now }?.bucket.end
        self.init(texts, summary, window ?? HistoryWindow(range: span.range), end: end)
        try self.window.refresh(fetch(journal))
    }

    package var span: LocationSpan { texts.span }

    /// Whether the result may have changed by `now` without an event.
    package func isOver(at now: Timestamp) -> Bool { end.map { $0 <= now } ?? false }

    package enum Move {
        /// Selects an earlier row, or a later one where negative.
        case select(by: Int)
        /// Scrolls to earlier rows, or to later ones where negative.
        case scroll(by: Int)
        /// Scrolls the latest row to the top, the earliest to the bottom.
        case latest, earliest
    }

    /// Goes to other rows; `visible` is the number of visible ones.
    package mutating func move(_ move: Move, visible: Int, in journal: SQLiteJournal) throws(JournalError) {
        let fetch = fetch(journal)
        switch move {
        case .select(let rows): try window.select(by: rows, visible: visible, fetch)
        case .scroll(let rows): try window.scroll(by: rows, visible: visible, fetch)
        case .latest: try window.showLatest(fetch)
        case .earliest: try window.showEarliest(visible: visible, fetch)
        }
    }

    /// Selects the row at a position, if it is loaded.
    package mutating func select(_ position: Position) { window.select(position) }

    /// The row at a position, and how it is displayed; nil where it is not loaded.
    package func row(at position: Position) -> (row: HistoryRow, line: HistoryLine)? {
        window.rows.first { $0.id == position }.map { ($0, texts.line($0)) }
    }

    /// The lines of the visible rows.
    package func lines(visible: Int) -> [HistoryLine] { window.shown(visible: visible).map(texts.line) }

    private func fetch(_ journal: SQLiteJournal) -> (HistoryPage) throws(JournalError) -> [HistoryRow] {
        let id = span.location.id
        return { (page) throws(JournalError) in try journal.history(of: id, page) }
    }
}

/// A row of the history, as it is displayed.
package struct HistoryLine {
    package let position: Position
    /// The time at which it counts, in the location's zone.
    package let time: String
    /// The change: `+1`, `reset to 0`, `capacity 120`.
    package let what: String
    /// The device, the user and the reason, as far as they are known.
    package let origin: String
    /// Who took it back and when; nil where it counts.
    package let void: String?
    package var isVoid: Bool { void != nil }

    /// The texts may hold any characters: they are sanitised for the terminal.
    init(position: Position, time: String, what: String, origin: String, void: String?) {
        self.position = position
        self.void = void?.sanitised
        self.time = time.sanitised
        self.what = what.sanitised
        self.origin = origin.sanitised
    }
}

/// Keeps a screen from reading the journal all the time, however long the range is: keys are read in between.
package struct ReadingPace {
    /// Reading takes at most one part in so many of the time.
    private static let share = 10

    /// When to read next at the earliest.
    package private(set) var next: MonotonicTime

    package init(at now: MonotonicTime) { next = now }

    package mutating func note(from start: MonotonicTime, to end: MonotonicTime) {
        next = end + (end - start) * Self.share
    }
}
