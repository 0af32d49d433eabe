import System

/// One cell of a screen.
public struct Cell: Hashable, Sendable {
    private var shown: Glyph
    /// How it looks.
    public var style: Style

    init(glyph: Glyph?, style: Style) {
        shown = glyph ?? .empty
        self.style = style
    }

    /// The glyph; nil in the right half of a wide character, which the cell to the left contains.
    public var glyph: Glyph? {
        get { shown == .empty ? nil : shown }
        set { shown = newValue ?? .empty }
    }

    /// A space in the terminal's own colours.
    public static let blank = Cell(glyph: .space, style: .plain)

    /// The glyph as a character.
    public var character: Character? { glyph?.character }
}

/// A screen as a value: views draw into it, and tests compare it.
///
/// Drawing outside of it is clipped and never an error, so a view works at every size.
public struct Grid: Hashable, Sendable {
    /// Its columns and rows.
    public let size: Size
    private var cells: [Cell]

    /// A grid of blanks.
    public init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// The cell at `point`, or a blank outside.
    public subscript(point: Point) -> Cell {
        contains(point) ? cells[index(point)] : .blank
    }

    /// The cells of one row, from left to right; `row` in 0..<size.rows.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        cells[(row * size.columns)..<((row + 1) * size.columns)]
    }

    /// The columns of `row` from the first to the last cell that differs from `before`, a grid of the same size; nil
    /// where no cell differs.
    func changes(in row: Int, since before: Grid) -> Range<Int>? {
        cells.withUnsafeBufferPointer { new in
            before.cells.withUnsafeBufferPointer { old in
                let start = row * size.columns
                let end = start + size.columns
                guard let first = (start..<end).first(where: { new[$0] != old[$0] }) else { return nil }
                let last = (first..<end).last { new[$0] != old[$0] } ?? first
                return (first - start)..<(last + 1 - start)
            }
        }
    }

    /// Writes `text` from `point` to the right, clipped at the edges, and returns the column after it.
    ///
    /// Text is sanitised for the terminal; a wide character that would be cut in half becomes a space.
    @discardableResult
    public mutating func write(_ text: String, at point: Point, _ style: Style = .plain) -> Int {
        var place = point
        if text.isPlain {
            write(plain: text, at: point, style)
            place.column += text.utf8.count
        } else {
            for character in text.lazy.compactMap(\.sanitised) { put(Glyph(character), at: &place, style) }
        }
        return place.column
    }

    // A fast path for ASCII, where each byte is one column. Only a row part with wide characters needs `set`, cell by
    // cell.
    private mutating func write(plain text: String, at point: Point, _ style: Style) {
        let columns = (point.column..<(point.column + text.utf8.count)).clamped(to: 0..<size.columns)
        guard (0..<size.rows).contains(point.row), !columns.isEmpty else { return }
        let start = point.row * size.columns
        let around = (columns.lowerBound - 1..<columns.upperBound + 1).clamped(to: 0..<size.columns)
        let hasHalves = cells[(start + around.lowerBound)..<(start + around.upperBound)].contains {
            $0.glyph == nil
        }
        var column = point.column
        for byte in text.utf8 {
            if hasHalves {
                set(Glyph(ascii: byte), at: Point(column: column, row: point.row), style)
            } else if columns.contains(column) {
                cells[start + column] = Cell(glyph: Glyph(ascii: byte), style: style)
            }
            column += 1
        }
    }

    /// Blanks whole rows.
    mutating func clear(rows: Range<Int>) {
        for row in rows.clamped(to: 0..<size.rows) {
            for place in (row * size.columns)..<((row + 1) * size.columns) { cells[place] = .blank }
        }
    }

    /// Puts glyphs from `point` to the right, clipped at the edges, one into each cell. They must be sanitised and one
    /// column wide, and so must the glyphs that they replace.
    mutating func put(_ glyphs: [Glyph], at point: Point, _ style: Style) {
        guard (0..<size.rows).contains(point.row) else { return }
        let columns = (point.column..<(point.column + glyphs.count)).clamped(to: 0..<size.columns)
        for column in columns {
            cells[point.row * size.columns + column] = Cell(
                glyph: glyphs[column - point.column], style: style)
        }
    }

    /// Changes the style of the cells of `strip` and keeps their characters.
    public mutating func restyle(_ strip: Strip, _ change: (Style) -> Style) {
        for column in strip.columns {
            let point = Point(column: column, row: strip.row)
            if contains(point) { cells[index(point)].style = change(cells[index(point)].style) }
        }
    }

    /// The text of each row, without trailing spaces.
    public var lines: [String] {
        (0..<size.rows).map { number in
            let line = String(row(number).compactMap(\.character))
            guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
            return String(line[...last])
        }
    }

    private mutating func put(_ glyph: Glyph, at place: inout Point, _ style: Style) {
        let columns = glyph.columns
        let second = Point(column: place.column + 1, row: place.row)
        if columns == 1 {
            set(glyph, at: place, style)
        } else if contains(place), contains(second) {
            set(glyph, at: place, style)
            set(nil, at: second, style)
        } else {
            set(.space, at: place, style)
            set(.space, at: second, style)
        }
        place.column += columns
    }

    // Overwriting one half of a wide character clears the other half: a terminal would show garbage there.
    private mutating func set(_ glyph: Glyph?, at point: Point, _ style: Style) {
        guard contains(point) else { return }
        let left = Point(column: point.column - 1, row: point.row)
        let right = Point(column: point.column + 1, row: point.row)
        if glyph != nil, cells[index(point)].glyph == nil, contains(left) {
            cells[index(left)].glyph = .space
        }
        if contains(right), cells[index(right)].glyph == nil { cells[index(right)].glyph = .space }
        cells[index(point)] = Cell(glyph: glyph, style: style)
    }

    private func contains(_ point: Point) -> Bool {
        point.row >= 0 && point.row < size.rows && point.column >= 0 && point.column < size.columns
    }

    private func index(_ point: Point) -> Int { point.row * size.columns + point.column }
}
