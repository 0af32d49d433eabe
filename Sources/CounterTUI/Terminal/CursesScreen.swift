import CNcurses
import Glibc
import Linux

/// ncurses, which draws into memory: what it writes is taken from there and sent as the terminal takes it.
///
/// One at a time in a process (`stdscr` is a global variable), used from one thread. The terminal itself is neither read,
/// written nor asked: not for its size, and its modes are not set.
final class CursesScreen {
    private let memory: UnsafeMutablePointer<FILE>
    private let screen: OpaquePointer
    private let hidesCursor: Bool
    private let shiftsIntoLastCell: Bool
    private var cells: CursesCells
    private var shown: Grid?

    /// Opens a terminal of a type, by terminfo(5). The process' LC_CTYPE is set before.
    ///
    /// `isShowable` says whether a glyph that is not ASCII takes as many columns on the terminal as in a grid; a `?` stands
    /// for one that does not, so that all cells behind it stay in place. Throws `noType`, `unknownType`, `failed`.
    ///
    /// The corresponding C function is newterm(3X).
    init(type: String, hasColours: Bool, isShowable: @escaping (Glyph) -> Bool) throws(TerminalError) {
        guard !type.isEmpty else { throw .noType }
        guard let memory = cncurses_memory() else {
            throw .failed("cannot make a file in memory", errno: errno)
        }
        guard let screen = cncurses_open(type, memory) else {
            defer { fclose(memory) }
            // ncurses says alike that a file is missing and that it cannot be opened.
            do throws(SystemCallError) { _ = try Descriptor(opening: "/", flags: O_RDONLY) } catch {
                throw .failed("cannot read what is known of terminals", errno: error.errno)
            }
            throw .unknownType(type)
        }
        (self.memory, self.screen) = (memory, screen)
        cncurses_begin()
        hidesCursor = curs_set(0) != ERR
        shiftsIntoLastCell = cncurses_shifts_into_last_cell()
        cells = CursesCells(hasColours: hasColours, isShowable: isShowable)
        // What ncurses would take the terminal with; see `TerminalSequences`.
        _ = takeOutput()
    }

    deinit {
        delscreen(screen)
        fclose(memory)
    }

    var colourCount: Int { cells.colourCount }

    /// Whether the next grid is drawn whole; the terminal's style is to be plain then.
    var knowsNothing: Bool { shown == nil }

    /// Writes what makes the terminal show `grid`, after what it was made to show before; `takeOutput` has it then.
    func draw(_ grid: Grid) {
        let before = shown?.size == grid.size ? shown : nil
        if before == nil { resize(to: grid.size) }
        shown = grid
        var isChanged = false
        for number in 0..<grid.size.rows {
            let isShifted = shiftsIntoLastCell && number == grid.size.rows - 1
            let put = { (row: [Cell], columns: Range<Int>) in
                self.cells.convert(columns, of: row, isShifted: isShifted) { first, run in
                    cncurses_put(CInt(number), CInt(first), run.baseAddress, CInt(run.count))
                }
                isChanged = true
            }
            if let before {
                grid.forEachChange(in: number, since: before, put)
            } else {
                put(grid.row(number), 0..<grid.size.columns)
            }
        }
        guard isChanged else { return }
        if !hidesCursor { cncurses_rest(CInt(grid.size.rows - 1), 0) }
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
}

/// Converts the cells of a grid to those of ncurses.
struct CursesCells {
    /// How many colours there are; 0 for none.
    let colourCount: Int
    /// Whether the colour pair of each foreground is defined.
    private var isDefined: [Bool]
    private let isShowable: (Glyph) -> Bool
    private var cells: [cchar_t] = []
    /// What was converted last: neighbours are mostly alike.
    private var last: (cell: Cell, curses: cchar_t) = (Cell(glyph: nil, style: .plain), cchar_t())
    /// The style of spaces on which no style is seen: that of the text before them, for a change takes bytes.
    private var styleOfSpaces = Style.plain

    init(hasColours: Bool, isShowable: @escaping (Glyph) -> Bool) {
        // Where there is no way back to the terminal's own colours, none are used.
        let isUsable = hasColours && start_color() != ERR && use_default_colors() != ERR
        colourCount = isUsable ? max(0, Int(min(cncurses_colours(), cncurses_colour_pairs() - 1))) : 0
        isDefined = Array(repeating: false, count: min(256, colourCount))
        self.isShowable = isShowable
    }

    /// So many spaces are plain, because ncurses moves over those or erases them, which takes even fewer bytes.
    private static let wide = 20

    /// Converts some cells of a row, and the other halves of the wide characters at their ends. `body` takes the column of
    /// the first one, and the cells. `isShifted` is whether ncurses shifts the last cell of this row into place.
    mutating func convert(
        _ columns: Range<Int>, of row: [Cell], isShifted: Bool,
        _ body: (Int, UnsafeBufferPointer<cchar_t>) -> Void
    ) {
        let columns = Self.whole(columns, of: row)
        cells.removeAll(keepingCapacity: true)
        var gapEnd = columns.lowerBound
        for column in columns {
            var cell = row[column]
            if !cell.isInvisible {
                styleOfSpaces = cell.style.marksSpaces ? .plain : cell.style
            } else {
                if column >= gapEnd {
                    gapEnd =
                        row[..<columns.upperBound][column...].firstIndex { !$0.isInvisible }
                        ?? columns.upperBound
                    if gapEnd - column >= Self.wide { styleOfSpaces = .plain }
                }
                cell.style = styleOfSpaces
            }
            // Shifting would break a wide character next to the last cell.
            append(cell, isBroken: isShifted && column + 2 >= row.count - 1 && cell.columns > 1)
        }
        cells.withUnsafeBufferPointer { body(columns.lowerBound, $0) }
    }

    private static func whole(_ columns: Range<Int>, of row: [Cell]) -> Range<Int> {
        guard !columns.isEmpty else { return columns }
        let (start, end) = (columns.lowerBound, columns.upperBound)
        let isCut = end < row.count && row[end].glyph == nil
        return (row[start].glyph == nil ? start - 1 : start)..<(isCut ? end + 1 : end)
    }

    private mutating func append(_ cell: Cell, isBroken: Bool) {
        // The right half of a wide character belongs to its left one.
        guard let glyph = cell.glyph else { return }
        if !isBroken, glyph.isASCII || cell == last.cell || isShowable(glyph) {
            // To ncurses a flag is two characters. The terminal gets both, one after the other.
            guard let letters = glyph.flagLetters else { return cells.append(curses(cell)) }
            cells.append(curses(Cell(glyph: letters.0, style: cell.style)))
            cells.append(curses(Cell(glyph: letters.1, style: cell.style)))
        } else {
            cells.append(curses(Cell(glyph: "?", style: cell.style)))
            if glyph.columns > 1 { cells.append(curses(Cell(glyph: .space, style: cell.style))) }
        }
    }

    private mutating func curses(_ cell: Cell) -> cchar_t {
        if cell != last.cell {
            let pair = pair(cell.style.foreground)
            (cell.glyph ?? .space).withScalars {
                _ = setcchar(&last.curses, $0, cell.style.attributes.curses, pair, nil)
            }
            last.cell = cell
        }
        return last.curses
    }

    /// The pair of this foreground and the terminal's own background; 0, the terminal's own colours, where there is none.
    private mutating func pair(_ foreground: UInt8?) -> Int16 {
        guard let foreground, Int(foreground) < isDefined.count else { return 0 }
        let pair = Int16(foreground) + 1
        if !isDefined[Int(foreground)] {
            isDefined[Int(foreground)] = init_pair(pair, Int16(foreground), -1) != ERR
        }
        return pair
    }
}

extension Cell {
    /// Whether nothing is seen of it.
    fileprivate var isInvisible: Bool { glyph == .space && !style.marksSpaces }

    fileprivate var columns: Int { glyph?.columns ?? 1 }
}

extension Style {
    /// Whether it is seen of a space.
    fileprivate var marksSpaces: Bool { !attributes.isDisjoint(with: [.reverse, .underline]) }
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
