import Linux
import Reports

/// The Live screen: occupancy and freshness of one location, or of all.
struct LiveView {
    let model: LiveViewModel
    let theme: Theme

    func draw(into frame: inout Frame, rows: Range<Int>) {
        let size = Size(columns: frame.grid.size.columns - 2, rows: rows.count)
        let area = Area(Point(column: 1, row: rows.lowerBound), size)
        if model.isOverview {
            let totals = model.totals(rows: rows.count)
            drawTotals(totals, into: &frame, below: area)
            drawOverview(into: &frame, in: Area(area.origin, model.space(in: size)))
        } else if let card = model.cards.first(where: { $0.id == model.context.locations.selected }) {
            let isNamed = model.context.locations.all.count > 1
            let tile = LiveTileView(card: card, isNamed: isNamed, isSelected: false, theme: theme)
            tile.draw(into: &frame, in: area)
        }
    }

    private func drawTotals(_ totals: [LiveCard], into frame: inout Frame, below area: Area) {
        for (row, card) in zip((area.origin.row + area.size.rows - totals.count)..., totals) {
            let line = LiveTexts(card: card, theme: theme).total(columns: area.size.columns)
            frame.write(line, at: Point(column: area.origin.column, row: row))
        }
    }

    private func drawOverview(into frame: inout Frame, in area: Area) {
        guard !model.cards.isEmpty else { return }
        let tiling = LiveTiling(model.cards.count, in: area.size)
        let selected = model.cards.firstIndex { $0.id == model.context.locations.selected } ?? 0
        let page = tiling.page(with: selected, of: model.cards.count)
        for index in page {
            draw(model.cards[index], into: &frame, in: tile(tiling, index - page.lowerBound, area))
        }
        if page.count < model.cards.count { drawPageNumber(page, into: &frame, below: area) }
    }

    private func tile(_ tiling: LiveTiling, _ index: Int, _ area: Area) -> Area {
        let corner = tiling.corner(of: index)
        let origin = Point(column: area.origin.column + corner.column, row: area.origin.row + corner.row)
        return Area(origin, tiling.tile)
    }

    // A click anywhere on a tile enlarges it.
    private func draw(_ card: LiveCard, into frame: inout Frame, in area: Area) {
        let isSelected = card.id == model.context.locations.selected
        let tile = LiveTileView(card: card, isNamed: true, isSelected: isSelected, theme: theme)
        tile.draw(into: &frame, in: area)
        for strip in area.strips { frame.target(strip) { model.enlarge(card.id) } }
    }

    private func drawPageNumber(_ page: Range<Int>, into frame: inout Frame, below area: Area) {
        let text = "\(page.lowerBound + 1)-\(page.upperBound) of \(model.cards.count)"
        frame.centre([Span(text, theme[.quiet])], row: area.origin.row + area.size.rows - 1)
    }
}

/// Draws one location into its tile, of any size.
struct LiveTileView {
    let card: LiveCard
    /// Whether the name is shown; a single location shows none.
    let isNamed: Bool
    let isSelected: Bool
    let theme: Theme

    func draw(into frame: inout Frame, in area: Area) {
        if area.size.rows == 1 { return drawLine(into: &frame, in: area) }
        let columns = area.size.columns
        let texts = LiveTexts(card: card, theme: theme)
        let rows = area.size.rows - (isNamed ? 1 : 0)
        let layout = LiveLayout(
            rows: rows, facts: texts.facts(columns: columns, onOneLine: !LiveLayout.isFixed(rows: rows)),
            target: texts.target(columns: columns),
            warnings: texts.warnings(), flow: (texts.today(), texts.table(columns: columns)))
        var pen = Pencil(area: area, isCentred: layout.number > 0, ellipsis: theme.ellipsis)
        if isNamed { pen.write([name(columns: columns)], into: &frame) }
        pen.row += layout.air
        drawNumber(into: &frame, in: Area(pen.origin, Size(columns: columns, rows: layout.number)))
        pen.row += layout.number + layout.air
        for line in layout.lines { pen.write(line, into: &frame) }
    }

    /// The name with its key: `[a] Robin`.
    private var title: String { (card.key.map { "[\($0)] " } ?? "") + card.name }

    private func name(columns: Int) -> Span {
        let name = title.shortened(to: columns, ellipsis: theme.ellipsis)
        return Span(name, theme[isSelected ? .selectedTab : .caption])
    }

    /// The columns of a count with its status: `16/20  WARNING `, and a space before it.
    private static let leastTexts = 16

    /// The name keeps at least a third of the line, or as much as it needs: a count without a readable name is useless.
    private func drawLine(into frame: inout Frame, in area: Area) {
        let columns = area.size.columns
        let kept = min(CharacterWidth.columns(title), columns / 3, columns - Self.leastTexts)
        let texts = LiveTexts(card: card, theme: theme).brief(
            columns: columns - kept - 1, usual: columns * 2 / 3)
        frame.write([name(columns: columns - texts.columns - 1)], at: area.origin)
        let column = area.origin.column + area.size.columns - texts.columns
        frame.write(texts, at: Point(column: column, row: area.origin.row))
    }

    private func drawNumber(into frame: inout Frame, in area: Area) {
        let number = LargeNumber(card.state.currentCount, in: area.size, glyphs: theme.glyphs)
        NumberView(number: number) { theme.digits(row: $0, of: $1, card.state) }.draw(into: &frame, in: area)
    }

    private struct Pencil {
        let area: Area
        let isCentred: Bool
        let ellipsis: Character
        var row = 0

        var origin: Point { Point(column: area.origin.column, row: area.origin.row + row) }

        mutating func write(_ line: [Span], into frame: inout Frame) {
            guard row < area.size.rows else { return }
            let line = line.truncated(to: area.size.columns, ellipsis: ellipsis)
            let indent = isCentred ? (area.size.columns - line.columns) / 2 : 0
            frame.write(line, at: Point(column: origin.column + indent, row: origin.row))
            row += 1
        }
    }
}

/// Divides the screen into tiles of equal size, one for each location, with the number of columns that makes the tiles
/// largest. Where not all tiles fit, each becomes a single line, and the lines are split into pages.
struct LiveTiling: Hashable, Sendable {
    /// The minimum size of a tile whose lines can be read.
    private static let leastColumns = 24
    private static let gap = 2
    /// About as many rows of a tile are for its texts.
    private static let textRows = 4

    let across: Int
    let onePage: Int
    let tile: Size
    /// Rows from the top of one tile to the top of the next.
    private let pitch: Int

    /// `count` is 1 or more.
    init(_ count: Int, in space: Size) {
        let most = max(1, min(count, (space.columns + Self.gap) / (Self.leastColumns + Self.gap)))
        let tilings = (1...most).map { LiveTiling(count, across: $0, in: space) }
        let best = tilings.filter { $0.onePage >= count }.max { $0.worth < $1.worth }
        self = best ?? LiveTiling(pagesOf: count, in: space)
    }

    private init(_ count: Int, across: Int, in space: Size) {
        let down = (count + across - 1) / across
        let rows = space.rows / down
        let air = rows >= 4 ? 1 : 0
        self.across = across
        pitch = rows
        tile = Size(columns: (space.columns - Self.gap * (across - 1)) / across, rows: rows - air)
        onePage = rows > 0 ? count : 0
    }

    private init(pagesOf count: Int, in space: Size) {
        across = 1
        pitch = 1
        tile = Size(columns: space.columns, rows: 1)
        // The last row says which of the locations are visible.
        onePage = max(1, space.rows - 1)
    }

    /// A quarter of the screen is not left empty, nor a third of it beside the numbers. A cell is twice as high as wide, and so is a
    /// digit; a number has about three digits side by side.
    private var worth: (Int, Int, Int) {
        let places = (onePage + across - 1) / across * across
        let number = min(tile.columns, (tile.rows - Self.textRows) * 5)
        return (
            (places - onePage) * 4 < places ? 1 : 0, tile.columns * 2 <= number * 3 ? 1 : 0, number
        )
    }

    /// The indices of the tiles on the page with the tile `index`.
    func page(with index: Int, of count: Int) -> Range<Int> {
        let start = index / onePage * onePage
        return start..<min(count, start + onePage)
    }

    /// The top left corner of a tile, relative to the first tile of its page.
    func corner(of index: Int) -> Point {
        Point(column: index % across * (tile.columns + Self.gap), row: index / across * pitch)
    }
}

/// Chooses the lines of a card for a number of rows. The large number comes first if it gets three rows; it then grows
/// with the rows that are left.
struct LiveLayout {
    /// Rows of the large number; 0 where the number is only in the lines.
    let number: Int
    /// Empty rows above and below the number.
    let air: Int
    let lines: [[Span]]

    private static let least = 3

    /// Whether there are so many rows that the first warning has its own whether there is one or not, and the status too: nothing
    /// moves when one comes or goes.
    static func isFixed(rows: Int) -> Bool { rows >= 9 }

    /// `rows` are all but that of the name. The facts are shown in any case, as far as the rows suffice. The first warning
    /// takes precedence over the number, the others do not. The table of the flow replaces its line where there is room.
    init(
        rows: Int, facts: [[Span]], target: [[Span]], warnings: [[Span]],
        flow: (brief: [[Span]], table: [[Span]])
    ) {
        var facts = facts
        var shown = 0
        let isFixed = Self.isFixed(rows: rows)
        if isFixed {
            facts.append(warnings.first ?? [])
            shown = min(1, warnings.count)
        }
        var budget = RowBudget(rows: rows - facts.count)
        let told = shown
        if shown == 0, !warnings.isEmpty, budget.take(keeping: 0) { shown = 1 }
        let least = budget.rows >= Self.least ? Self.least : 0
        let progress = !target.isEmpty && budget.take(keeping: least) ? target : []
        var below: [[Span]] = []
        if flow.brief.count > 0, budget.take(keeping: least) { below = flow.brief }
        while shown < warnings.count, budget.take(keeping: least) { shown += 1 }
        if least > 0, flow.table.count > 0, budget.take(keeping: isFixed ? 4 : 5) {
            below = budget.take(keeping: 6) ? flow.table : Array(flow.table.dropFirst())
        }
        air = least > 0 && budget.take(2, keeping: 7) ? 1 : 0
        let apart: [[Span]] = least > 0 && !below.isEmpty && !isFixed && budget.take(keeping: 6) ? [[]] : []
        number = least > 0 ? budget.rows : 0
        lines = facts + progress + warnings[told..<shown] + apart + below
    }
}
