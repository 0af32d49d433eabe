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
    /// - Parameters:
    ///   - type: the terminal's type.
    ///   - hasColours: whether colours are wanted.
    ///   - isShowable: whether a glyph that is not ASCII takes as many columns on the terminal as in a grid; a `?` stands
    ///     for one that does not, so that all cells behind it stay in place.
    /// - Throws: `noType`, `unknownType`, `failed`.
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

    /// How many colours there are; 0 for none.
    var colourCount: Int { cells.colours.count }

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
