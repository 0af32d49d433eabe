internal import CNcurses
internal import Glibc

/// Writes rows of cells into curses' window, which sends only what has changed.
struct CellWriter {
    private let isUTF8: Bool
    private let hasColours: Bool
    private var pairs: [UInt8: CInt] = [:]

    init(isUTF8: Bool, hasColours: Bool) {
        self.isUTF8 = isUTF8
        self.hasColours = hasColours
    }

    /// Writes one row from its left edge. `cells` may be wider than the window: the rest is cut off.
    mutating func write(_ cells: ArraySlice<Cell>, row: Int) {
        // The right half of a wide character comes with its left one.
        let line = cells.filter { $0.character != nil }.map { complexCharacter($0) }
        _ = mvwadd_wchnstr(cncurses_window(), CInt(row), 0, line, CInt(line.count))
    }

    private mutating func complexCharacter(_ cell: Cell) -> cchar_t {
        var result = cchar_t()
        var scalars = scalars(of: cell.character ?? " ")
        scalars.append(0)
        setcchar(&result, scalars, attributes(cell.style.attributes), Int16(pair(cell.style.foreground)), nil)
        return result
    }

    // Where the C library takes a character for wider or narrower than the grid does, every cell behind it would
    // move; `?` keeps them in place.
    private func scalars(of character: Character) -> [wchar_t] {
        let all = character.unicodeScalars.map { wchar_t($0.value) }
        let columns = CharacterWidth.columns(character)
        let isShowable = isUTF8 || character.isASCII
        guard isShowable, let base = all.first, cncurses_columns(base) == CInt(columns) else {
            return [wchar_t(UInt8(ascii: "?"))]
        }
        return all
    }

    private func attributes(_ attributes: Style.Attributes) -> attr_t {
        var result: attr_t = 0
        if attributes.contains(.bold) { result |= cncurses_bold() }
        if attributes.contains(.dim) { result |= cncurses_dim() }
        if attributes.contains(.reverse) { result |= cncurses_reverse() }
        if attributes.contains(.underline) { result |= cncurses_underline() }
        return result
    }

    // Pairs are made when a colour is first used; 0 is the terminal's own.
    private mutating func pair(_ foreground: UInt8?) -> CInt {
        guard hasColours, let foreground else { return 0 }
        if let known = pairs[foreground] { return known }
        let new = CInt(pairs.count + 1)
        guard new < cncurses_colour_pairs(), init_extended_pair(new, CInt(foreground), -1) == OK else {
            return 0
        }
        pairs[foreground] = new
        return new
    }
}
