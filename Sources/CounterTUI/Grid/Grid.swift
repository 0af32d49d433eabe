/// One cell of a screen.
public struct Cell: Hashable, Sendable {
    /// The character; nil in the right half of a wide one, which its left neighbour covers.
    public var character: Character?
    /// How it looks.
    public var style: Style

    /// A space in the terminal's own colours.
    public static let blank = Cell(character: " ", style: .plain)
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
        for character in text.harmless {
            put(character, at: place, style)
            place.column += CharacterWidth.columns(character)
        }
        return place.column
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

    private mutating func put(_ character: Character, at point: Point, _ style: Style) {
        let second = Point(column: point.column + 1, row: point.row)
        if CharacterWidth.columns(character) == 1 {
            set(character, at: point, style)
        } else if contains(point), contains(second) {
            set(character, at: point, style)
            set(nil, at: second, style)
        } else {
            set(" ", at: point, style)
            set(" ", at: second, style)
        }
    }

    // Whoever overwrites half of a wide character clears the other half: a terminal would show rubbish there.
    private mutating func set(_ character: Character?, at point: Point, _ style: Style) {
        guard contains(point) else { return }
        let left = Point(column: point.column - 1, row: point.row)
        let right = Point(column: point.column + 1, row: point.row)
        if character != nil, cells[index(point)].character == nil, contains(left) {
            cells[index(left)].character = " "
        }
        if contains(right), cells[index(right)].character == nil { cells[index(right)].character = " " }
        cells[index(point)] = Cell(character: character, style: style)
    }

    private func contains(_ point: Point) -> Bool {
        point.row >= 0 && point.row < size.rows && point.column >= 0 && point.column < size.columns
    }

    private func index(_ point: Point) -> Int { point.row * size.columns + point.column }
}
