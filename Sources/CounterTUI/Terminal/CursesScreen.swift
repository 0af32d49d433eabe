internal import CNcurses
internal import Glibc

/// ncurses, which draws into memory: what it writes is taken from there and sent as the terminal takes it.
///
/// One at a time in a process (`stdscr` is a global variable), used from one thread. The terminal itself is neither read,
/// written nor asked: not for its size, and its modes are not set.
final class CursesScreen {
    private let memory: UnsafeMutablePointer<FILE>
    private let screen: OpaquePointer
    /// Whether a glyph that is not ASCII takes as many columns on the terminal as in a grid; a `?` stands for one that does
    /// not, so that all cells behind it stay in place.
    private let isShowable: (Glyph) -> Bool
    private let hidesCursor: Bool
    private let shiftsIntoLastCell: Bool
    private var colours: CursesColours
    private var shown: Grid?
    private var cells: [cchar_t] = []
    /// The glyph and the style that were asked about last: neighbours are mostly alike.
    private var lastShowable = Glyph.space
    private var lastStyle: (style: Style, attributes: attr_t, pair: Int16) = (.plain, 0, 0)

    /// Opens a terminal of a type, by terminfo(5). The process' LC_CTYPE is set before.
    ///
    /// - Throws: `noType`, `unknownType`, `failed`.
    ///
    /// The corresponding C function is newterm(3X).
    init(type: String, hasColours: Bool, isShowable: @escaping (Glyph) -> Bool) throws(TerminalError) {
        guard !type.isEmpty else { throw .noType }
        guard let memory = cncurses_memory() else {
            throw .failed("cannot make a file in memory", errno: errno)
        }
        guard let screen = cncurses_open(type, memory) else {
            fclose(memory)
            throw .unknownType(type)
        }
        (self.memory, self.screen, self.isShowable) = (memory, screen, isShowable)
        cncurses_begin()
        hidesCursor = curs_set(0) != ERR
        shiftsIntoLastCell = cncurses_shifts_into_last_cell()
        colours = CursesColours(isWanted: hasColours)
        // What ncurses would take the terminal with; see `TerminalSequences`.
        _ = takeOutput()
    }

    deinit {
        delscreen(screen)
        fclose(memory)
    }

    /// How many colours there are; 0 for none.
    var colourCount: Int { colours.count }

    /// Whether the next grid is drawn whole; the terminal's style is to be plain then.
    var knowsNothing: Bool { shown == nil }

    /// Writes what makes the terminal show `grid`, after what it was made to show before; `takeOutput` has it then.
    func draw(_ grid: Grid) {
        let before = shown?.size == grid.size ? shown : nil
        if before == nil { resize(to: grid.size) }
        shown = grid
        var isChanged = before == nil
        for row in 0..<grid.size.rows {
            guard let columns = changes(in: row, of: grid, since: before) else { continue }
            put(grid.row(row), columns, row, isShifted: shiftsIntoLastCell && row == grid.size.rows - 1)
            isChanged = true
        }
        guard isChanged else { return }
        if !hidesCursor { cncurses_rest(CInt(max(0, grid.size.rows - 1)), 0) }
        cncurses_draw()
    }

    /// Rings the bell: beep(3X).
    func ring() { beep() }

    /// Forgets what the terminal shows: the next grid is drawn whole, on a cleared screen.
    func forget() { shown = nil }

    /// What has been written since the last time.
    func takeOutput() -> [UInt8] {
        let descriptor = fileno(memory)
        let count = Int(lseek(descriptor, 0, SEEK_CUR))
        guard count > 0 else { return [] }
        defer {
            ftruncate(descriptor, 0)
            lseek(descriptor, 0, SEEK_SET)
        }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
            taken = max(0, pread(descriptor, buffer.baseAddress, count, 0))
        }
    }

    private func resize(to size: Size) {
        resizeterm(CInt(max(1, size.rows)), CInt(max(1, size.columns)))
        cncurses_forget()
    }

    /// The columns from the first that differs to behind the last, whole characters all of them; nil where none does.
    private func changes(in number: Int, of grid: Grid, since before: Grid?) -> Range<Int>? {
        guard let before else { return 0..<grid.size.columns }
        guard let changed = grid.changes(in: number, since: before) else { return nil }
        let row = grid.row(number)
        var (start, end) = (changed.lowerBound, changed.upperBound)
        if row[row.startIndex + start].glyph == nil { start -= 1 }
        if end < row.count, row[row.startIndex + end].glyph == nil { end += 1 }
        return start..<end
    }

    private func put(_ row: ArraySlice<Cell>, _ columns: Range<Int>, _ number: Int, isShifted: Bool) {
        cells.removeAll(keepingCapacity: true)
        let start = row.startIndex
        var isReplaced = false
        var gapEnd = start
        for place in (start + columns.lowerBound)..<(start + columns.upperBound) {
            // The right half of a wide character belongs to its left one.
            guard let glyph = row[place].glyph ?? (isReplaced ? .space : nil) else { continue }
            // Shifting would break a wide character next to the last cell.
            let isBroken = isShifted && glyph.columns > 1 && place + 2 >= row.endIndex - 1
            isReplaced = isBroken || !glyph.isASCII && !isWellShown(glyph)
            var style = row[place].style
            if glyph == .space, style != .plain, !style.marksSpaces {
                if place >= gapEnd { gapEnd = Self.wideGap(in: row, around: place) }
                if place < gapEnd { style = .plain }
            }
            cells.append(curses(isReplaced ? "?" : glyph, style))
        }
        cncurses_put(CInt(number), CInt(columns.lowerBound), cells, CInt(cells.count))
    }

    // Moving over so many cells is less than writing them: they are worth being plain, though a style between two
    // pieces of text is not worth being changed.
    private static let wide = 20

    /// Where the spaces around a place end; the place itself where they are not many.
    private static func wideGap(in row: ArraySlice<Cell>, around place: Int) -> Int {
        func isSpace(_ cell: Cell) -> Bool { cell.glyph == .space && !cell.style.marksSpaces }
        let start = row[..<place].lastIndex { !isSpace($0) }.map { $0 + 1 } ?? row.startIndex
        let end = row[place...].firstIndex { !isSpace($0) } ?? row.endIndex
        return end - start >= wide ? end : place
    }

    private func isWellShown(_ glyph: Glyph) -> Bool {
        if glyph == lastShowable { return true }
        guard isShowable(glyph) else { return false }
        lastShowable = glyph
        return true
    }

    private func curses(_ glyph: Glyph, _ style: Style) -> cchar_t {
        if style != lastStyle.style {
            lastStyle = (style, style.attributes.curses, colours.pair(style.foreground))
        }
        let (_, attributes, pair) = lastStyle
        var cell = cchar_t()
        glyph.withScalars { _ = setcchar(&cell, $0, attributes, pair, nil) }
        return cell
    }
}

/// The colour pairs of ncurses: a foreground, and the terminal's own background.
private struct CursesColours {
    /// How many colours there are; 0 for none.
    let count: Int
    private var isDefined: [Bool]

    init(isWanted: Bool) {
        // Where there is no way back to the terminal's own colours, none are used.
        let isUsable = isWanted && start_color() != ERR && use_default_colors() != ERR
        count = isUsable ? max(0, Int(min(cncurses_colours(), cncurses_colour_pairs() - 1))) : 0
        isDefined = Array(repeating: false, count: min(256, count))
    }

    /// The pair with this foreground; 0, the terminal's own colours, where there is none.
    mutating func pair(_ foreground: UInt8?) -> Int16 {
        guard let foreground, Int(foreground) < isDefined.count else { return 0 }
        let pair = Int16(foreground) + 1
        if !isDefined[Int(foreground)] {
            isDefined[Int(foreground)] = init_pair(pair, Int16(foreground), -1) != ERR
        }
        return pair
    }
}

extension Style.Attributes {
    /// ncurses leaves out what the terminal lacks, or cannot show together with a colour.
    fileprivate var curses: attr_t {
        var result: attr_t = 0
        if contains(.bold) { result |= cncurses_bold }
        if contains(.dim) { result |= cncurses_dim }
        if contains(.reverse) { result |= cncurses_reverse }
        if contains(.underline) { result |= cncurses_underline }
        return result
    }
}

extension Style {
    /// Whether it can be seen of a space.
    fileprivate var marksSpaces: Bool { !attributes.isDisjoint(with: [.reverse, .underline]) }
}
