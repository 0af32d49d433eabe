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
        var line: [cchar_t] = []
        line.reserveCapacity(cells.count)
        var isWhole = true
        for cell in cells {
            if let character = cell.character {
                isWhole = isShowable(character)
                line.append(complexCharacter(isWhole ? character : "?", cell.style))
            } else if !isWhole {
                // curses adds the right half of a wide character itself, but this one has become a narrow one.
                line.append(complexCharacter(" ", cell.style))
            }
        }
        _ = mvwadd_wchnstr(cncurses_window(), CInt(row), 0, line, CInt(line.count))
    }

    private mutating func complexCharacter(_ character: Character, _ style: Style) -> cchar_t {
        var result = cchar_t()
        let scalars = character.unicodeScalars.map { wchar_t($0.value) } + [0]
        setcchar(&result, scalars, attributes(style.attributes), Int16(pair(style.foreground)), nil)
        return result
    }

    // Where the C library takes a character for wider or narrower than the grid does, every cell behind it would
    // move; `?` keeps them in place.
    private func isShowable(_ character: Character) -> Bool {
        if character.isASCII { return true }
        guard isUTF8, let base = character.unicodeScalars.first else { return false }
        return cncurses_columns(wchar_t(base.value)) == CInt(CharacterWidth.columns(character))
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
