package import CounterTUI
import Linux

/// What a player can do in a level with two keys; `both` were pressed together and released.
package enum LevelInput: CaseIterable, Hashable, Sendable { case up, down, both }

/// What a player or a grown-up does.
package enum PracticeInput: Hashable, Sendable {
    /// Arrows up and right are the up key, down and left the down key, and Enter is both keys that were let go.
    case key(LevelInput)
    /// Both keys were held, or Escape.
    case home
    /// A card of the deck was clicked.
    case card(Int)

    package static let up = key(.up), down = key(.down), both = key(.both)
}

/// A drawn screen: its cells, and what a click on them does.
package struct Page: Sendable {
    package private(set) var grid: Grid
    private var targets: [(strip: Strip, input: PracticeInput)] = []

    init(size: Size) { grid = Grid(size: size) }

    /// What a click does; `nil` where there is nothing to click.
    package func input(at point: Point) -> PracticeInput? { targets.last { $0.strip.contains(point) }?.input }

    var size: Size { grid.size }

    /// Writes a text, and gives its cells a meaning for clicks. Returns the column after it.
    @discardableResult
    mutating func write(
        _ text: String, at point: Point, _ style: Style = .plain, _ input: PracticeInput? = nil
    ) -> Int {
        let end = grid.write(text, at: point, style)
        if let input, end > point.column { click(row: point.row, point.column..<end, input) }
        return end
    }

    private mutating func click(row: Int, _ columns: Range<Int>, _ input: PracticeInput) {
        targets.append((Strip(row: row, columns: columns), input))
    }

    /// Writes a text in the middle of a row, cut off where it is too long.
    mutating func centre(_ text: String, row: Int, _ style: Style = .plain) {
        let text = text.sanitised.truncated(to: size.columns, ellipsis: "~")
        let column = (size.columns - CharacterWidth.columns(text)) / 2
        write(text, at: Point(column: max(0, column), row: row), style)
    }

    /// Writes lines below each other, each in the middle. Returns the row after them.
    @discardableResult
    mutating func centre(_ lines: [String], from row: Int, to end: Int, _ style: Style = .plain) -> Int {
        for (row, line) in zip(row..<max(row, end), lines) { centre(line, row: row, style) }
        return min(end, row + lines.count)
    }

    /// Draws a drawing, clipped at the edges, and gives its cells a meaning for clicks.
    mutating func draw(_ drawing: Grid, at point: Point, _ input: PracticeInput? = nil) {
        grid.draw(drawing, at: point)
        guard let input else { return }
        for row in point.row..<point.row + drawing.height {
            click(row: row, point.column..<point.column + drawing.width, input)
        }
    }

    mutating func centre(_ drawing: Grid, in rows: Range<Int>, _ input: PracticeInput? = nil) {
        let top = rows.lowerBound + max(0, (rows.count - drawing.height) / 2)
        draw(drawing, at: Point(column: max(0, (size.columns - drawing.width) / 2), row: top), input)
    }
}

// MARK: - Drawings

/// Drawings of characters, put together from smaller ones.
extension Grid {
    init(_ lines: [String], _ style: Style = .plain) {
        let columns = lines.map { CharacterWidth.columns($0) }.max() ?? 0
        self.init(size: Size(columns: columns, rows: lines.count))
        for (row, line) in lines.enumerated() { write(line, at: Point(column: 0, row: row), style) }
    }

    var width: Int { size.columns }
    var height: Int { size.rows }

    static func blank(width: Int, height: Int) -> Grid { Grid(size: Size(columns: width, rows: height)) }

    func fits(_ space: Size) -> Bool { width <= space.columns && height <= space.rows }

    /// Both, beside each other, the lower one in the middle.
    func beside(_ other: Grid, gap: Int) -> Grid {
        var both = Grid.blank(width: width + gap + other.width, height: max(height, other.height))
        both.draw(self, at: Point(column: 0, row: (both.height - height) / 2))
        both.draw(other, at: Point(column: width + gap, row: (both.height - other.height) / 2))
        return both
    }

    /// Both, this one above, the narrower one in the middle.
    func above(_ other: Grid, gap: Int = 0) -> Grid {
        var both = Grid.blank(width: max(width, other.width), height: height + gap + other.height)
        both.draw(self, at: Point(column: (both.width - width) / 2, row: 0))
        both.draw(other, at: Point(column: (both.width - other.width) / 2, row: height + gap))
        return both
    }

    /// The part of at most `width` × `height` around a cell.
    func part(around row: Int, _ column: Int, width: Int, height: Int) -> Grid {
        var part = Grid.blank(width: min(width, self.width), height: min(height, self.height))
        let top = min(max(0, row - part.height / 2), self.height - part.height)
        let left = min(max(0, column - part.width / 2), self.width - part.width)
        part.draw(self, at: Point(column: -left, row: -top))
        return part
    }
}

extension Sequence<Grid> {
    func inARow(gap: Int) -> Grid {
        reduce(nil as Grid?) { $0?.beside($1, gap: gap) ?? $1 } ?? Grid([])
    }

    func inAColumn(gap: Int = 0) -> Grid {
        reduce(nil as Grid?) { $0?.above($1, gap: gap) ?? $1 } ?? Grid([])
    }
}
