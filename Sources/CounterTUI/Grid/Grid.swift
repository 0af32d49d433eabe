import System

/// One cell of a screen.
public struct Cell: Hashable, Sendable {
    /// What it shows; nil in the right half of a wide character, which its left neighbour covers.
    public var glyph: Glyph?
    /// How it looks.
    public var style: Style

    /// A space in the terminal's own colours.
    public static let blank = Cell(glyph: .space, style: .plain)

    /// What it shows, as a character.
    public var character: Character? { glyph?.character }
}

/// A screen as a value: what a view draws into, and what a test compares.
///
/// Drawing outside it is cut off, never an error, so a view works at every size.
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

    /// Writes `text` from `point` to the right, cut off at the edges, and returns the column behind it.
    ///
    /// Control characters and the like come out harmless; a wide character that would be cut in half is a space.
    @discardableResult
    public mutating func write(_ text: String, at point: Point, _ style: Style = .plain) -> Int {
        var place = point
        if text.isPlain {
            for byte in text.utf8 { put(Glyph(ascii: byte), at: &place, style) }
        } else {
            for character in text.lazy.compactMap(\.harmless) { put(Glyph(character), at: &place, style) }
        }
        return place.column
    }

    /// Puts glyphs from `point` to the right, cut off at the edges, each into one cell. They are known to be harmless
    /// and one column wide, and so is what they replace.
    mutating func put(_ glyphs: [Glyph], at point: Point, _ style: Style) {
        guard (0..<size.rows).contains(point.row) else { return }
        let columns = (point.column..<(point.column + glyphs.count)).clamped(to: 0..<size.columns)
        for column in columns {
            cells[point.row * size.columns + column] = Cell(
                glyph: glyphs[column - point.column], style: style)
        }
    }

    /// Changes the style of `strip`'s cells and leaves their characters.
    public mutating func restyle(_ strip: Strip, _ change: (Style) -> Style) {
        for column in strip.columns {
            let point = Point(column: column, row: strip.row)
            if contains(point) { cells[index(point)].style = change(cells[index(point)].style) }
        }
    }

    /// Each row's text, without the spaces at its end.
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

    // Whoever overwrites half of a wide character clears the other half: a terminal would show rubbish there.
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
