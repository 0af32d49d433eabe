import Linux

/// A screen as a value: views draw into it, and tests compare it.
///
/// Drawing outside of it is clipped and never an error, so a view works at every size. A copy shares the rows that are not
/// drawn on, so that a key press copies and compares only the rows that it changes.
package struct Grid: Hashable, Sendable {
    package let size: Size
    private var rows: [[Cell]]

    package init(size: Size) {
        self.size = size
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// The cell at `point`, or a blank outside.
    package subscript(point: Point) -> Cell {
        contains(point) ? rows[point.row][point.column] : .blank
    }

    /// The cells of one row, from left to right; `row` in 0..<size.rows.
    package func row(_ row: Int) -> [Cell] { rows[row] }

    /// Calls `body` with each run of cells of a row that differ from `before`, a grid of the same size.
    func forEachChange(in row: Int, since before: Grid, _ body: ([Cell], Range<Int>) -> Void) {
        let cells = rows[row]
        cells.withUnsafeBufferPointer { new in
            before.rows[row].withUnsafeBufferPointer { old in
                if new.baseAddress == old.baseAddress { return }
                var column = 0
                while true {
                    while column < new.count, new[column] == old[column] { column += 1 }
                    if column == new.count { return }
                    let start = column
                    while column < new.count, new[column] != old[column] { column += 1 }
                    body(cells, start..<column)
                }
            }
        }
    }

    /// Writes `text` from `point` to the right, clipped at the edges, and returns the column after it.
    ///
    /// Text is sanitised for the terminal; a wide character that would be cut in half becomes a space.
    @discardableResult
    package mutating func write(_ text: String, at point: Point, _ style: Style = .plain) -> Int {
        var position = point
        if text.isPlain {
            write(plain: text, at: point, style)
            position.column += text.utf8.count
        } else {
            for character in text.lazy.compactMap(\.sanitised) { put(Glyph(character), at: &position, style) }
        }
        return position.column
    }

    /// Draws another grid over this one, with its blank cells, clipped at the edges.
    package mutating func draw(_ other: Grid, at corner: Point) {
        for (row, cells) in other.rows.enumerated() {
            var position = Point(column: corner.column, row: corner.row + row)
            for cell in cells {
                if let glyph = cell.glyph { put(glyph, at: &position, cell.style) }
            }
        }
    }

    // A fast path for ASCII, where each byte is one column. Only a row part with wide characters needs `set`.
    private mutating func write(plain text: String, at point: Point, _ style: Style) {
        let columns = (point.column..<(point.column + text.utf8.count)).clamped(to: 0..<size.columns)
        guard (0..<size.rows).contains(point.row), !columns.isEmpty else { return }
        let around = (columns.lowerBound - 1..<columns.upperBound + 1).clamped(to: 0..<size.columns)
        let glyphs = text.utf8.map(Glyph.init(ascii:))
        guard rows[point.row][around].contains(where: { $0.glyph == nil }) else {
            return put(glyphs, at: point, style)
        }
        for (column, glyph) in zip(point.column..., glyphs) {
            set(glyph, at: Point(column: column, row: point.row), style)
        }
    }

    mutating func clear(rows cleared: Range<Int>) {
        let blank = Array(repeating: Cell.blank, count: size.columns)
        for row in cleared.clamped(to: 0..<size.rows) { rows[row] = blank }
    }

    /// Puts glyphs from `point` to the right, clipped at the edges, one into each cell. They must be sanitised and one
    /// column wide, and so must the glyphs that they replace.
    mutating func put(_ glyphs: [Glyph], at point: Point, _ style: Style) {
        guard (0..<size.rows).contains(point.row) else { return }
        let columns = (point.column..<(point.column + glyphs.count)).clamped(to: 0..<size.columns)
        rows[point.row].withUnsafeMutableBufferPointer { cells in
            for column in columns {
                cells[column] = Cell(glyph: glyphs[column - point.column], style: style)
            }
        }
    }

    /// Changes the style of the cells of `strip` and keeps their characters.
    mutating func restyle(_ strip: Strip, _ style: Style) {
        for column in strip.columns where contains(Point(column: column, row: strip.row)) {
            rows[strip.row][column].style = style
        }
    }

    /// The text of each row, without trailing spaces.
    package var lines: [String] {
        rows.map { row in
            let line = String(row.compactMap(\.character))
            guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
            return String(line[...last])
        }
    }

    private mutating func put(_ glyph: Glyph, at position: inout Point, _ style: Style) {
        let columns = glyph.columns
        let second = Point(column: position.column + 1, row: position.row)
        if columns == 1 {
            set(glyph, at: position, style)
        } else if contains(position), contains(second) {
            set(glyph, at: position, style)
            set(nil, at: second, style)
        } else {
            set(.space, at: position, style)
            set(.space, at: second, style)
        }
        position.column += columns
    }

    // Overwriting one half of a wide character clears the other half: a terminal would show garbage there.
    private mutating func set(_ glyph: Glyph?, at point: Point, _ style: Style) {
        guard contains(point) else { return }
        let (row, column) = (point.row, point.column)
        if glyph != nil, rows[row][column].glyph == nil, column > 0 { rows[row][column - 1].glyph = .space }
        if column + 1 < size.columns, rows[row][column + 1].glyph == nil {
            rows[row][column + 1].glyph = .space
        }
        rows[row][column] = Cell(glyph: glyph, style: style)
    }

    private func contains(_ point: Point) -> Bool {
        point.row >= 0 && point.row < size.rows && point.column >= 0 && point.column < size.columns
    }
}
