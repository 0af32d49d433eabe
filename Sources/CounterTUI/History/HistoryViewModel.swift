package import CounterModel
package import Reports

/// What the keys of History have done.
package protocol HistoryActions: AnyObject {
    func choose(_ selection: HistorySelection)
    func step(_ step: HistoryChoice.Step)
    /// Shows the range that was typed, `FROM` or `FROM to TO`. The field closes, or shows what is wrong.
    func show(typed text: String)
    /// Goes to other rows; `visible` is the number of visible ones.
    func move(_ move: HistoryReading.Move, visible: Int)
    func select(_ position: Position)
    func askToTakeBack(_ position: Position)
}

/// The History screen: a range of one location's history.
package final class HistoryViewModel: TabScreen {
    /// The range; nil before it has been read.
    package var reading: HistoryReading?
    package var mayChange = true
    package weak var actions: (any HistoryActions)?
    let context: ScreenContext

    init(_ context: ScreenContext) { self.context = context }

    var summary: HistorySummary? { reading?.summary }
    var selected: HistoryRow? { reading?.window.selected }

    func draw(into frame: inout Frame, rows: Range<Int>, theme: Theme) {
        HistoryView(model: self, theme: theme).draw(into: &frame, rows: rows)
    }

    func toggleAnomalies() { context.toggle(.anomalies) }

    // MARK: - Keys

    func keys(in area: Size) -> [KeyBinding] {
        let visible = visibleRows(in: area)
        let (undo, anomalies) = (context.name(of: "x0"), context.name(of: "a!"))
        return ranges
            + .list(ends: "the latest row, the earliest") { move in
                { self.move(move, visible: visible) }
            } + [
                KeyBinding(
                    undo.lowercased(),
                    label: .init(undo, " Undo row", rank: 5, isOn: mayChange && selected != nil),
                    help: (undo, "take back the chosen row"), does: takeBack),
                KeyBinding(
                    anomalies.lowercased(), help: (anomalies, "list the anomalies"), does: toggleAnomalies),
            ]
    }

    func scroll(_ clicks: Int, in area: Size) -> Action? {
        let visible = visibleRows(in: area)
        return { self.actions?.move(.scroll(by: clicks * 3), visible: visible) }
    }

    private var ranges: [KeyBinding] {
        [
            range("t", "Today", rank: 0, help: "today") { self.actions?.choose(.today) },
            range("y6", "Yesterday", rank: 1, help: "yesterday") { self.actions?.choose(.yesterday) },
            range("w7", "Week", rank: 2, help: "the last seven days") { self.actions?.choose(.lastDays(7)) },
            range("m8", "Month", rank: 3, help: "the last thirty days") {
                self.actions?.choose(.lastDays(30))
            },
            range("f9", "From-to", rank: 4, help: "type another range", does: askRange),
            KeyBinding("<", .left, help: ("< > Left Right", "the range before, after")) {
                self.actions?.step(.before)
            },
            KeyBinding(">", .right) { self.actions?.step(.after) },
        ]
    }

    private func range(
        _ keys: String, _ word: String, rank: Int, help: String, does action: @escaping Action
    ) -> KeyBinding {
        let name = context.name(of: keys)
        let rest = word.hasPrefix(name) ? String(word.dropFirst()) : " \(word)"
        return KeyBinding(
            name.lowercased(), label: .init(name, rest, rank: rank), help: (name, help), does: action)
    }

    private func askRange() {
        context.ask(
            FieldPrompt(
                title: "Range",
                hint:
                    "Such as 10min, 2h, 7d, this week, 2026-W47, 2026-11, 14:00 to now, 2026-11-01, 2026-11-01 to 2026-11-08 (seven "
                    + "days), 7d by hour."
            ) { self.actions?.show(typed: $0) })
    }

    private func move(_ move: ListMove, visible: Int) {
        let move: HistoryReading.Move =
            switch move {
            case .by(let rows): .select(by: rows)
            case .page(let pages): .scroll(by: pages * max(1, visible - 1))
            case .first: .latest
            case .last: .earliest
            }
        actions?.move(move, visible: visible)
    }

    private func takeBack() {
        guard let selected else {
            context.program?.ring()
            return
        }
        actions?.askToTakeBack(selected.id)
    }

    private func visibleRows(in area: Size) -> Int {
        HistoryLayout(summary, rows: area.rows, columns: area.columns).list
    }
}
