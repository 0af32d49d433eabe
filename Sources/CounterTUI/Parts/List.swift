enum ListMove {
    /// By rows, or by pages; up where negative.
    case by(Int), page(Int)
    case first, last
}

extension [KeyBinding] {
    /// The keys that move in a list; `ends` is what Home and End do.
    static func list(
        ends: String = "the first row, the last", _ action: (ListMove) -> Action?
    ) -> [KeyBinding] {
        [
            KeyBinding("", .up, help: ("Up Down", "choose a row"), does: action(.by(-1))),
            KeyBinding("", .down, does: action(.by(1))),
            KeyBinding("", .pageUp, help: ("PgUp PgDn", "a page up, down"), does: action(.page(-1))),
            KeyBinding("", .pageDown, does: action(.page(1))),
            KeyBinding("", .home, help: ("Home End", ends), does: action(.first)),
            KeyBinding("", .end, does: action(.last)),
        ]
    }
}

/// A line of a list, and the row that begins with it.
struct ListLine<Row: Hashable> {
    let spans: [Span]
    var row: Row?
    /// The row that this line says more about, which may be left out.
    var partOf: Row?

    static func heading(_ text: String, _ theme: Theme) -> ListLine {
        ListLine(spans: [Span(text, theme[.heading])])
    }

    /// A heading with what is below it, or with a line that says that there is nothing.
    static func section(_ title: String, _ lines: [ListLine], empty: String, _ theme: Theme) -> [ListLine] {
        [heading(title, theme)]
            + (lines.isEmpty ? [ListLine(spans: [Span("  " + empty, theme[.quiet])])] : lines)
    }
}

/// A screen that is a list, one row of which is selected.
protocol ListScreen: AnyObject {
    associatedtype Row: Hashable
    var rows: [Row] { get }
    /// The row that was last selected; it may no longer exist.
    var chosen: Row? { get set }
    var context: ScreenContext { get }
    var mayChange: Bool { get }
}

extension ListScreen {
    func label(_ key: String, _ text: String, rank: Int) -> KeyBinding.Label {
        KeyBinding.Label(key, text, rank: rank, isOn: mayChange)
    }

    /// Binds a letter, or where that counts in a location, a sign; see `ScreenContext.name`.
    func own(
        _ keys: String, _ text: String?, rank: Int = 0, help: String, does action: Action?
    ) -> KeyBinding {
        let name = context.name(of: keys)
        return KeyBinding(
            name.lowercased(), label: text.map { label(name, $0, rank: rank) }, help: (name, help),
            does: action)
    }

    /// The selected row; nil where there is none.
    var cursor: Row? { chosen.flatMap { rows.contains($0) ? $0 : nil } ?? rows.first }

    func choose(_ row: Row) { chosen = row }

    /// Opens a field, if there is one and the user may change anything.
    func ask(_ prompt: FieldPrompt?, at row: Row? = nil) {
        guard mayChange else {
            context.program?.refuseChange()
            return
        }
        if let row { choose(row) }
        if let prompt { context.ask(prompt) }
    }

    /// Moves the selection by a number of rows, up where negative.
    func move(by steps: Int) -> Action? {
        let rows = rows
        guard let cursor, let index = rows.firstIndex(of: cursor) else { return nil }
        return { self.choose(rows[min(max(0, index + steps), rows.count - 1)]) }
    }

    func move(_ move: ListMove) -> Action? {
        switch move {
        case .by(let steps): self.move(by: steps)
        case .page(let pages): self.move(by: 10 * pages)
        case .first: self.move(by: -rows.count)
        case .last: self.move(by: rows.count)
        }
    }

    /// The style of the cells that show which row is selected.
    func style(_ row: Row, _ role: Theme.Role, _ theme: Theme) -> Style {
        theme[row == cursor ? .selectedTab : role]
    }

    /// Draws the lines. Where not all fit, the selected row is about in the middle.
    func draw(_ lines: [ListLine<Row>], into frame: inout Frame, rows: Range<Int>, _ theme: Theme) {
        let columns = frame.grid.size.columns - 2
        let selected = lines.firstIndex { $0.row == cursor } ?? 0
        let start = min(max(0, selected - rows.count / 2), max(0, lines.count - rows.count))
        for (row, line) in zip(rows, lines.dropFirst(start)) {
            frame.write(
                line.spans.truncated(to: columns, ellipsis: theme.ellipsis), at: Point(column: 1, row: row))
        }
    }
}
