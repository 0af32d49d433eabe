internal import CLinux
internal import Glibc
internal import System

/// The terminal: shows grids, and reports what is typed and clicked.
///
/// One at a time in a process, used from one thread. From `init` to `close` (or `deinit`) the terminal is in full-screen
/// mode; a crash in between gives it back too (`terminal_guard.c`). It handles no signal: the main loop hears them and
/// calls `suspend`, `resume`, `resize`. It never waits for the terminal, but for 0.4 s at most when giving it back.
public final class Terminal {
    /// What it can show.
    public let look: Look
    /// Its columns and rows, as last asked for.
    public private(set) var size = Size(columns: 80, rows: 24)
    /// To poll(2) for POLLIN before `events`.
    public let inputDescriptor: CInt
    /// To poll(2) for POLLOUT after `present` has returned false.
    public var outputDescriptor: CInt { output.number }

    /// Whether `events` tells of the focus, as far as the terminal's type says.
    public var reportsFocus: Bool { sequences.reportsFocus }

    let curses: CursesScreen
    let sequences: TerminalSequences
    var decoder = InputDecoder(keys: .curses)
    /// When what has come in part is given up, and an Escape that came alone is taken for the key.
    var waitEnds: MonotonicTime?
    /// When that was.
    var escapeTaken: MonotonicTime?
    var output: OutputQueue
    var shownTitle = ""
    var rings = false
    private(set) var isSuspended = false
    private var isOpen = true

    /// Takes the terminal at these descriptors and switches it to full-screen mode.
    ///
    /// Sets the process' LC_CTYPE from the environment, to know the terminal's characters.
    ///
    /// - Parameters:
    ///   - input: where keys come from; standard input.
    ///   - output: what is drawn on; standard output.
    ///   - name: the terminal's type; nil takes `TERM`.
    ///   - noColour: whether colours are unwanted; nil asks `NO_COLOR` (empty counts as not set).
    /// - Throws: `noTerminal`, `noType`, `unknownType`, `tooSimple`, `failed`. The terminal is then as it was.
    public init(
        input: CInt = 0, output: CInt = 1, type name: String? = nil, noColour: Bool? = nil
    ) throws(TerminalError) {
        guard isatty(input) == 1 else { throw .noTerminal(descriptor: input) }
        guard isatty(output) == 1 else { throw .noTerminal(descriptor: output) }
        setlocale(LC_CTYPE, "")
        let isUTF8 = String(cString: nl_langinfo(CInt(CODESET))) == "UTF-8"
        let name = name ?? Self.environment("TERM") ?? ""
        let noColour = noColour ?? !(Self.environment("NO_COLOR") ?? "").isEmpty
        curses = try CursesScreen(type: name, hasColours: !noColour) { isUTF8 && Self.hasUsualWidth($0) }
        sequences = try TerminalSequences(name: name)
        self.output = try OutputQueue(to: output)
        inputDescriptor = input
        look = Look(
            glyphs: Self.glyphs(type: name, isUTF8: isUTF8), palette: Self.palette(curses.colourCount))
        guard clinux_guard_arm(self.output.number, sequences.leave, sequences.leave.utf8.count) == 0 else {
            throw .failed("cannot save the terminal's modes", errno: errno)
        }
        take()
    }

    deinit { close() }

    /// More than any screen has; what lies outside stays empty. A terminal may tell any size, up to 65,535 by 65,535.
    private static let largest = Size(columns: 1000, rows: 400)

    /// Asks for the size (TIOCGWINSZ); to be called after SIGWINCH. Returns the new size.
    @discardableResult
    public func resize() -> Size {
        var columns: CInt = 0
        var rows: CInt = 0
        // A serial line does not know; what it had before, or the most usual size.
        if clinux_window_size(output.number, &columns, &rows) == 0, columns > 0, rows > 0 {
            let largest = Self.largest
            size = Size(columns: min(Int(columns), largest.columns), rows: min(Int(rows), largest.rows))
        }
        return size
    }

    /// Gives the terminal back for a while, before SIGSTOP. Does nothing when it is already given back.
    ///
    /// What waits to be shown is thrown away; a terminal that takes no output has 0.2 s to take the end, and loses
    /// what it has not shown yet otherwise.
    public func suspend() {
        guard isOpen, !isSuspended else { return }
        isSuspended = true
        output.discard()
        clinux_guard_restore()
    }

    /// Takes the terminal again, with its present size; `present` draws every cell.
    public func resume() {
        guard isOpen, isSuspended else { return }
        isSuspended = false
        take()
    }

    /// Leaves full-screen mode, for good. May be called twice.
    public func close() {
        suspend()
        if isOpen { clinux_guard_disarm() }
        isOpen = false
    }

    private func take() {
        clinux_guard_take()
        decoder = InputDecoder(keys: .curses)
        waitEnds = nil
        shownTitle = ""
        output.append(sequences.enter.utf8)
        repaint()
        // What a terminal does not take now it gets before the first frame; that it is gone is found out then too.
        _ = try? output.flush()
        resize()
    }

    // MARK: - What it can show

    private static func glyphs(type: String, isUTF8: Bool) -> Look.Glyphs {
        guard isUTF8 else { return .ascii }
        // The console's fonts hold 512 characters at most; quarter blocks are not among them.
        return type.hasPrefix("linux") ? .halves : .quadrants
    }

    private static func palette(_ colours: Int) -> Look.Palette {
        switch colours {
        case 256...: .many
        case 8...: .eight
        default: .none
        }
    }

    // Where the C library takes a character for wider or narrower than the grid does, so do most terminals.
    private static func hasUsualWidth(_ glyph: Glyph) -> Bool {
        clinux_columns(glyph.base.value) == CInt(glyph.columns)
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

extension Terminal {
    /// Asks whether the terminal at standard output could show a screen, without touching it.
    ///
    /// - Throws: `noType`, `unknownType`, `tooSimple`, `failed`.
    public static func check() throws(TerminalError) {
        let name = environment("TERM") ?? ""
        let curses = try CursesScreen(type: name, hasColours: false) { _ in false }
        _ = try withExtendedLifetime(curses) { () throws(TerminalError) in try TerminalSequences(name: name) }
    }
}
