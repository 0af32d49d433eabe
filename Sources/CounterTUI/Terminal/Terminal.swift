internal import CLinux
internal import CNcurses
internal import Glibc

/// The terminal, over ncurses: shows grids, and reports what is typed and clicked.
///
/// One at a time in a process, used from one thread. From `init` to `close` (or `deinit`) the terminal is in full-screen
/// mode; a crash in between gives it back too (`terminal_guard.c`). It installs no handlers for SIGINT, SIGTERM,
/// SIGTSTP or SIGWINCH and starts no thread: the main loop hears those signals and calls `suspend`, `resume`, `resize`.
public final class Terminal {
    /// What it can show.
    public let look: Look
    /// Its columns and rows, as last asked for.
    public private(set) var size: Size
    /// To poll(2) for POLLIN before `events`.
    public let inputDescriptor: CInt
    /// To poll(2) for POLLOUT after `present` has returned false.
    public let outputDescriptor: CInt

    let type: TerminalType
    var decoder = InputDecoder()
    var writer: CellWriter
    // What the last `present` was given; nil where the terminal shows something else.
    var shown: Grid?
    var isSuspended = false
    private var screen: OpaquePointer?
    private var streams: [UnsafeMutablePointer<FILE>]

    /// Takes the terminal at these descriptors and switches it to full-screen mode.
    ///
    /// Sets the process' LC_CTYPE from the environment: curses needs it to know the terminal's characters.
    ///
    /// - Parameters:
    ///   - input: where keys come from; standard input.
    ///   - output: what is drawn on; standard output.
    ///   - name: the terminal's type; nil takes `TERM`.
    ///   - noColour: whether colours are unwanted; nil asks `NO_COLOR` (empty counts as not set).
    /// - Throws: `noTerminal`, `noType`, `unknownType`, `tooSimple`, `failed`. The terminal is then as it was.
    ///
    /// The corresponding C function is newterm(3).
    public init(
        input: CInt = 0, output: CInt = 1, type name: String? = nil, noColour: Bool? = nil
    ) throws(TerminalError) {
        guard isatty(input) == 1 else { throw .noTerminal(descriptor: input) }
        guard isatty(output) == 1 else { throw .noTerminal(descriptor: output) }
        setlocale(LC_CTYPE, "")
        type = try TerminalType(name: name ?? Self.environment("TERM") ?? "", output: output)
        streams = try Self.streams(input: input, output: output)
        screen = try Self.open(type, output: output, streams: streams)
        inputDescriptor = input
        outputDescriptor = output

        let isUTF8 = String(cString: nl_langinfo(CInt(CODESET))) == "UTF-8"
        let noColour = noColour ?? !(Self.environment("NO_COLOR") ?? "").isEmpty
        look = Look(glyphs: Self.glyphs(type, isUTF8: isUTF8), palette: Self.palette(noColour: noColour))
        writer = CellWriter(isUTF8: isUTF8, hasColours: look.palette != .none)
        size = Size(columns: 80, rows: 24)
        prepare()
        resize()
        write(type.enter)
    }

    deinit { close() }

    /// Asks for the size (TIOCGWINSZ) and tells curses; to be called after SIGWINCH. Returns the new size.
    @discardableResult
    public func resize() -> Size {
        var columns: CInt = 0
        var rows: CInt = 0
        let isKnown = clinux_window_size(outputDescriptor, &columns, &rows) == 0 && columns > 0 && rows > 0
        // A serial line does not know; terminfo's idea of it, or the smallest screen there ever was.
        if !isKnown {
            columns = getmaxx(cncurses_window())
            rows = getmaxy(cncurses_window())
        }
        let new = Size(columns: Int(columns), rows: Int(rows))
        guard new != size || shown == nil else { return size }
        resizeterm(rows, columns)
        size = new
        shown = nil
        return new
    }

    /// Gives the terminal back for a while, before SIGSTOP. Does nothing when it is already given back.
    public func suspend() {
        guard screen != nil, !isSuspended else { return }
        isSuspended = true
        // What is written from here on would wait for Ctrl-Q after a Ctrl-S, and so would the end of the program.
        // TCOON alone takes only a TCOOFF back; the two together take any.
        tcflow(outputDescriptor, TCOOFF)
        tcflow(outputDescriptor, TCOON)
        endwin()
        write(type.leave)
        clinux_guard_set_active(0)
    }

    /// Takes the terminal again, with its present size, and draws every cell that was shown; `present` follows.
    public func resume() {
        guard screen != nil, isSuspended else { return }
        isSuspended = false
        clinux_guard_set_active(1)
        cncurses_repaint()
        wrefresh(cncurses_window())
        // curses itself would ask for the sequences of arrow keys only once the first of them has come.
        keypad(cncurses_window(), true)
        write(type.enter)
        shown = nil
        resize()
    }

    /// Leaves full-screen mode, for good. May be called twice.
    public func close() {
        guard let screen else { return }
        suspend()
        clinux_guard_disarm()
        delscreen(screen)
        self.screen = nil
        streams.forEach { fclose($0) }
        streams = []
    }

    private func prepare() {
        clinux_guard_set_active(1)
        cbreak()
        noecho()
        nonl()
        let window = cncurses_window()
        keypad(window, true)
        nodelay(window, true)
        meta(window, true)
        set_escdelay(25)
        curs_set(0)
        InputDecoder.Code.sequences.forEach { define_key($0.0, $0.1) }
    }

    // MARK: - Opening

    // curses gets streams of its own: closing them closes nobody's standard output.
    private static func streams(
        input: CInt, output: CInt
    ) throws(TerminalError) -> [UnsafeMutablePointer<FILE>] {
        let copies = [(input, "r"), (output, "w")].map { descriptor, mode -> UnsafeMutablePointer<FILE>? in
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            return copy < 0 ? nil : fdopen(copy, mode)
        }
        guard let reading = copies[0], let writing = copies[1] else {
            throw .failed("cannot duplicate the terminal's descriptors", errno: errno)
        }
        return [reading, writing]
    }

    private static func open(
        _ type: TerminalType, output: CInt, streams: [UnsafeMutablePointer<FILE>]
    ) throws(TerminalError) -> OpaquePointer {
        let rescue = type.rescue
        guard clinux_guard_arm(output, rescue, rescue.utf8.count) == 0 else {
            throw .failed("cannot save the terminal's modes", errno: errno)
        }
        guard let screen = cncurses_open(type.name, streams[1], streams[0]) else {
            clinux_guard_disarm()
            throw .unknownType(type.name)
        }
        return screen
    }

    private static func glyphs(_ type: TerminalType, isUTF8: Bool) -> Look.Glyphs {
        guard isUTF8 else { return .ascii }
        // The console's fonts hold 512 characters at most; quarter blocks are not among them.
        return type.name.hasPrefix("linux") ? .halves : .quadrants
    }

    private static func palette(noColour: Bool) -> Look.Palette {
        guard !noColour, has_colors(), start_color() == OK, use_default_colors() == OK else { return .none }
        switch cncurses_colours() {
        case 256...: return .many
        case 8...: return .eight
        default: return .none
        }
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
