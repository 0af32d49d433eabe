package import Reports

/// What the History screen shows: a range of one location's history.
package struct HistoryViewModel: Hashable, Sendable {
    /// The totals of the range; nil before it has been read.
    package var summary: HistorySummary?
    /// The rows of the range.
    package var list = HistoryList()
    /// Whether the user may take rows back.
    package var mayChange = true

    /// A screen before anything has been read.
    package init() {}
}

extension HistoryViewModel {
    /// The keys of this screen; `area` is the size of the tab's own area.
    func keys(area: Size) -> [KeyBinding] {
        ranges + rows(visible: visibleRows(in: area)) + [
            KeyBinding("a", does: .history(.toggleAnomalies))
        ]
    }

    /// The intent of a number of wheel clicks.
    func scroll(_ clicks: Int, area: Size) -> Intent {
        .history(.scroll(clicks * 3, visible: visibleRows(in: area)))
    }

    private var ranges: [KeyBinding] {
        [
            KeyBinding(
                "t", does: .history(.choose(.today)), label: .init("T", "oday", rank: 0),
                help: ("T, Y, W, M, F", "choose the range")),
            KeyBinding(
                "y", does: .history(.choose(.yesterday)), label: .init("Y", "esterday", rank: 1)),
            KeyBinding("w", does: .history(.choose(.lastDays(7))), label: .init("W", "eek", rank: 2)),
            KeyBinding("m", does: .history(.choose(.lastDays(30))), label: .init("M", "onth", rank: 3)),
            KeyBinding("f", does: .history(.askRange), label: .init("F", "rom-to", rank: 4)),
            KeyBinding(
                "<", .left, does: .history(.step(.before)), help: ("< > Left Right; A", "ranges; anomalies")),
            KeyBinding(">", .right, does: .history(.step(.after))),
        ]
    }

    private func rows(visible: Int) -> [KeyBinding] {
        let page = max(1, visible - 1)
        func scroll(_ rows: Int) -> Intent { .history(.scroll(rows, visible: visible)) }
        return [
            KeyBinding(
                "", .up, does: .history(.move(-1, visible: visible)),
                help: ("Up Down PgUp PgDn", "rows behind it")),
            KeyBinding("", .down, does: .history(.move(1, visible: visible))),
            KeyBinding(
                "x", does: list.selected.map { .history(.askToTakeBack($0.position)) } ?? .ring,
                label: .init("X", " Undo row", rank: 5, isOn: mayChange && list.selected != nil)),
            KeyBinding("", .pageUp, does: scroll(-page)),
            KeyBinding("", .pageDown, does: scroll(page)),
            KeyBinding("", .home, does: .history(.showLatest), help: ("Home, End; X", "ends; take back")),
            KeyBinding("", .end, does: .history(.showEarliest(visible: visible))),
        ]
    }

    private func visibleRows(in area: Size) -> Int {
        HistoryLayout(summary, rows: area.rows, columns: area.columns).list
    }
}
