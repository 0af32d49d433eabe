import Linux
import Reports

/// Draws one location into its tile, of any size.
struct LiveTileView {
    let card: LiveCard
    /// Whether the name is shown; a single location shows none.
    let isNamed: Bool
    let isSelected: Bool
    let theme: Theme

    func draw(into screen: inout Screen, in area: Area) {
        if area.size.rows == 1 { return drawLine(into: &screen, in: area) }
        let columns = area.size.columns
        let texts = LiveTexts(card: card, theme: theme)
        let flow = LiveFlowTexts(card: card, theme: theme)
        let layout = LiveLayout(
            rows: area.size.rows - (isNamed ? 1 : 0), facts: texts.facts(columns: columns),
            target: texts.target(columns: columns),
            warnings: texts.warnings(), flow: (flow.brief(), flow.table(columns: columns)))
        var pen = Pencil(area: area, isCentred: layout.number > 0, ellipsis: theme.look.ellipsis)
        if isNamed { pen.write([name(columns: columns)], into: &screen) }
        pen.row += layout.air
        drawNumber(into: &screen, in: Area(pen.origin, Size(columns: columns, rows: layout.number)))
        pen.row += layout.number + layout.air
        for line in layout.lines { pen.write(line, into: &screen) }
    }

    /// The name with its key: `[a] Robin`.
    private var title: String { (card.key.map { "[\($0)] " } ?? "") + card.name }

    private func name(columns: Int) -> Span {
        let name = title.shortened(to: columns, ellipsis: theme.look.ellipsis)
        return Span(name, theme[isSelected ? .selectedTab : .caption])
    }

    /// The columns of a count with its status: `16/20  WARNING `, and a space before it.
    private static let leastTexts = 16

    /// The name keeps at least a third of the line, or as much as it needs: a count without a readable name is useless.
    private func drawLine(into screen: inout Screen, in area: Area) {
        let columns = area.size.columns
        let kept = min(CharacterWidth.columns(title), columns / 3, columns - Self.leastTexts)
        let texts = LiveTexts(card: card, theme: theme).brief(
            columns: columns - kept - 1, usual: columns * 2 / 3)
        screen.write([name(columns: columns - texts.columns - 1)], at: area.origin)
        let column = area.origin.column + area.size.columns - texts.columns
        screen.write(texts, at: Point(column: column, row: area.origin.row))
    }

    private func drawNumber(into screen: inout Screen, in area: Area) {
        let count = card.state.currentCount
        let number = LargeNumber(count, in: area.size, glyphs: theme.look.glyphs)
        NumberView(number: number) { row, rows in
            guard let status = card.state.status else {
                return theme.digits(row: row, of: rows, level: count)
            }
            return theme.digits(status)
        }.draw(into: &screen, in: area)
    }

    /// Writes lines one below the other.
    private struct Pencil {
        let area: Area
        let isCentred: Bool
        let ellipsis: Character
        var row = 0

        var origin: Point { Point(column: area.origin.column, row: area.origin.row + row) }

        mutating func write(_ line: [Span], into screen: inout Screen) {
            guard row < area.size.rows else { return }
            let line = line.truncated(to: area.size.columns, ellipsis: ellipsis)
            let indent = isCentred ? (area.size.columns - line.columns) / 2 : 0
            screen.write(line, at: Point(column: origin.column + indent, row: origin.row))
            row += 1
        }
    }
}
