package import CounterTUI
import Linux

/// A drawn screen: its cells, and what a click on them does.
package struct Page: Hashable, Sendable {
    /// The cells.
    package private(set) var grid: Grid
    private var targets: [Target] = []

    private struct Target: Hashable, Sendable {
        let strip: Strip
        let input: PracticeInput
    }

    init(size: Size) { grid = Grid(size: size) }

    /// What a click does; `nil` where there is nothing to click.
    package func input(at point: Point) -> PracticeInput? { targets.last { $0.strip.contains(point) }?.input }

    var size: Size { grid.size }

    /// Writes a text, and gives its cells a meaning for clicks.
    ///
    /// - Returns: the column after it.
    @discardableResult
    mutating func write(
        _ text: String, at point: Point, _ style: Style = .plain, _ input: PracticeInput? = nil
    ) -> Int {
        let end = grid.write(text, at: point, style)
        if let input, end > point.column { click(row: point.row, point.column..<end, input) }
        return end
    }

    /// Gives cells a meaning for clicks.
    mutating func click(row: Int, _ columns: Range<Int>, _ input: PracticeInput) {
        targets.append(Target(strip: Strip(row: row, columns: columns), input: input))
    }

    /// Writes a text in the middle of a row, cut off where it is too long.
    mutating func centre(_ text: String, row: Int, _ style: Style = .plain, _ input: PracticeInput? = nil) {
        let text = text.sanitised.truncated(to: size.columns, ellipsis: "~")
        let column = (size.columns - CharacterWidth.columns(text)) / 2
        write(text, at: Point(column: max(0, column), row: row), style, input)
    }

    /// Writes lines below each other, each in the middle.
    ///
    /// - Returns: the row after them.
    @discardableResult
    mutating func centre(
        _ lines: [String], from row: Int, to end: Int, _ style: Style = .plain, _ input: PracticeInput? = nil
    ) -> Int {
        for (row, line) in zip(row..<max(row, end), lines) { centre(line, row: row, style, input) }
        return min(end, row + lines.count)
    }
}
