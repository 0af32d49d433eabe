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

    /// Draws a sketch, clipped at the edges, and gives its cells a meaning for clicks.
    mutating func draw(_ sketch: Sketch, at point: Point, _ input: PracticeInput? = nil) {
        for run in sketch.runs {
            write(run.text, at: Point(column: point.column + run.column, row: point.row + run.row), run.style)
        }
        guard let input else { return }
        for row in point.row..<point.row + sketch.height {
            click(row: row, point.column..<point.column + sketch.width, input)
        }
    }

    mutating func centre(_ sketch: Sketch, in rows: Range<Int>, _ input: PracticeInput? = nil) {
        let top = rows.lowerBound + max(0, (rows.count - sketch.height) / 2)
        draw(sketch, at: Point(column: max(0, (size.columns - sketch.width) / 2), row: top), input)
    }
}
