import CLinux
import Glibc
package import Linux

/// The terminal: shows grids, and reports keys and clicks.
///
/// From `init` to `close` (or `deinit`) the terminal is in full-screen mode. It never blocks, except for at most 0.4 s when
/// it restores the terminal.
package final class Terminal: GuardedTerminal {
    package let capabilities: Capabilities
    /// Its size at the last call of `resize`.
    package private(set) var size = Size(columns: 80, rows: 24)

    /// Whether the terminal, by its type, reports its focus.
    package var reportsFocus: Bool { sequences.reportsFocus }

    private let curses: CursesScreen
    private let sequences: TerminalSequences
    private var notifier: TerminalNotifier
    private var shownTitle = ""
    private var rings = false

    /// Switches the terminal at these descriptors to full-screen mode.
    ///
    /// Sets the process' LC_CTYPE from the environment, to know the terminal's characters. Without a `name` its type is
    /// `TERM`; without `noColour` it has colours unless `NO_COLOR` is set and not empty.
    ///
    /// - Throws: `noTerminal`, `noType`, `unknownType`, `tooSimple`, `failed`. The terminal is then unchanged.
    package init(
        input: CInt = 0, output: CInt = 1, type name: String? = nil, noColour: Bool? = nil
    ) throws(TerminalError) {
        try Terminal.require(input, output)
        setlocale(LC_CTYPE, "")
        let isUTF8 = String(cString: nl_langinfo(CInt(CODESET))) == "UTF-8"
        let name = name ?? environmentVariable("TERM") ?? ""
        let noColour = noColour ?? !(environmentVariable("NO_COLOR") ?? "").isEmpty
        curses = try CursesScreen(type: name, hasColours: !noColour) { isUTF8 && Terminal.hasUsualWidth($0) }
        sequences = try TerminalSequences(name: name)
        notifier = TerminalNotifier(
            isWindow: sequences.reportsFocus, program: environmentVariable("TERM_PROGRAM") ?? "")
        capabilities = Capabilities(
            glyphs: Terminal.glyphs(type: name, isUTF8: isUTF8),
            palette: Terminal.palette(curses.colourCount))
        try super.init(input: input, output: output, keys: .curses, leave: sequences.leave)
        take()
    }

    /// The largest size that is used; the rest stays empty. A terminal may report up to 65,535 by 65,535.
    private static let largest = Size(columns: 1000, rows: 400)

    /// Reads the size (TIOCGWINSZ); to be called after SIGWINCH. Returns the new size.
    @discardableResult
    package func resize() -> Size {
        var columns: CInt = 0
        var rows: CInt = 0
        // A serial line does not know its size: the former size, or the usual one.
        if clinux_window_size(output.number, &columns, &rows) == 0, columns > 0, rows > 0 {
            let largest = Self.largest
            size = Size(columns: min(Int(columns), largest.columns), rows: min(Int(rows), largest.rows))
        }
        return size
    }

    /// Unsent output is discarded. Uses nothing of this class: the `deinit` of `GuardedTerminal` calls it after that is gone.
    override package func suspend() {
        if !isSuspended { output.discard() }
        super.suspend()
    }

    override package func continued() {
        if isSuspended { return }
        super.continued()
        output.append(sequences.again.utf8)
        repaint()
    }

    /// Switches to full-screen mode, with the present size; `present` then draws every cell.
    override func take() {
        super.take()
        input = TerminalInput(descriptor: inputDescriptor, keys: .curses)
        shownTitle = ""
        output.append(sequences.enter.utf8)
        repaint()
        // What the terminal does not take now is sent before the first frame. An error is reported then too.
        _ = try? output.flush()
        resize()
    }

    // MARK: - What it can show

    private static func glyphs(type: String, isUTF8: Bool) -> Capabilities.Glyphs {
        guard isUTF8 else { return .ascii }
        // The console's fonts have at most 512 characters; quarter blocks are not among them.
        return type.hasPrefix("linux") ? .halves : .quadrants
    }

    private static func palette(_ colours: Int) -> Capabilities.Palette {
        switch colours {
        case 256...: .many
        case 8...: .eight
        default: .none
        }
    }

    // Whether the C library and the grid agree on a character's width; most terminals agree with the C library.
    private static func hasUsualWidth(_ glyph: Glyph) -> Bool {
        let columns = clinux_columns(glyph.base.value)
        return glyph.flagLetters == nil ? columns == CInt(glyph.columns) : columns == 1
    }

    /// Checks whether a terminal of type `TERM` could show a screen, without changing it. Throws `noType`, `unknownType`,
    /// `tooSimple`, `failed`.
    package static func check() throws(TerminalError) {
        let name = environmentVariable("TERM") ?? ""
        let curses = try CursesScreen(type: name, hasColours: false) { _ in false }
        _ = try withExtendedLifetime(curses) { () throws(TerminalError) in try TerminalSequences(name: name) }
    }

    // MARK: - Input

    package var deadline: MonotonicTime? { [input.deadline, notifier.deadline].compactMap(\.self).min() }

    /// The events since the last call, without waiting for more.
    ///
    /// Large input, such as a pasted book, is returned in parts: the descriptor stays readable, and the caller can
    /// handle other descriptors in between. Throws `hungUp` when the terminal is gone; what it had sent before is then lost.
    package func events(at now: MonotonicTime = .now) throws(TerminalError) -> [TerminalEvent] {
        guard !isSuspended else { return [] }
        let events = try input.events(at: now)
        let answer = notifier.bytes(version: input.takeVersion(), at: now)
        if !answer.isEmpty {
            output.append(answer.utf8)
            // What the terminal does not take now is sent before the next frame.
            _ = try output.flush()
        }
        return events
    }

    // MARK: - Output

    /// Shows `grid` and, if the terminal has one, `title` as its window's title. Writes only the differences to what
    /// is shown, all at once.
    ///
    /// A terminal that takes no output (Ctrl-S, a stalled connection) blocks nothing: the rest of a frame is kept
    /// here, and no other frame is begun before it is sent.
    ///
    /// - Returns: false if something is still to be sent: call `present` with the then current content when poll(2)
    ///   reports POLLOUT. True while the terminal is suspended, when nothing can be sent.
    /// - Throws: `hungUp` when the terminal is gone; `failed` when writing failed otherwise.
    @discardableResult
    package func present(_ grid: Grid, title: String = "") throws(TerminalError) -> Bool {
        guard !isSuspended else { return true }
        guard try output.flush() else { return false }
        if rings { curses.ring() }
        rings = false
        if curses.knowsNothing { output.append(sequences.plain.utf8) }
        curses.draw(grid)
        output.append(curses.takeOutput())
        if title != shownTitle, !title.isEmpty {
            output.append((sequences.title(title) ?? "").utf8)
            shownTitle = title
        }
        return try output.flush()
    }

    /// Has the terminal show a notification of its own, if it is known to have any. It may be asked first, and then shows
    /// it when it has answered.
    package func notify(title: String, text: String, at now: MonotonicTime = .now) {
        if !isSuspended { output.append(notifier.notify(title: title, text: text, at: now).utf8) }
    }

    /// Makes the next `present` write every cell (Ctrl-L).
    package func repaint() { curses.forget() }

    /// Rings the bell with the next `present`.
    package func bell() { rings = true }
}

/// Why a terminal cannot be used, or can no longer be.
package enum TerminalError: ExplainedError, Hashable, Sendable, CustomStringConvertible {
    case noTerminal(descriptor: CInt)
    case noType
    /// The terminal database does not have this type, or there is no database.
    case unknownType(String)
    /// Terminals of this type cannot place a character anywhere on the screen.
    case tooSimple(String)
    /// A call failed: its purpose, and errno(3).
    case failed(String, errno: CInt)
    /// The terminal is gone: closed, or its connection broken.
    case hungUp

    /// What failed and what to do, on one line.
    package var description: String {
        switch self {
        case .noTerminal(let descriptor):
            "\(descriptor == 0 ? "standard input" : "standard output") is not a terminal; "
                + "without one, use `counter listen`"
        case .noType: "TERM is not set; set it to the terminal's type, such as TERM=xterm-256color"
        case .unknownType(let name):
            "the terminal type '\(name)' is unknown here; install ncurses-term, or set TERM=xterm-256color"
        case .tooSimple(let name):
            "a terminal of type '\(name)' cannot show a screen; use `counter --plain`, which writes lines"
        case .failed(let what, let number): "\(what): \(errorText(number))"
        case .hungUp: "the terminal is gone"
        }
    }

    package var failure: ProgramError {
        switch self {
        case .noTerminal, .noType, .unknownType, .tooSimple: ProgramError("\(self)", status: EX_UNAVAILABLE)
        case .failed(_, let number):
            ProgramError("\(self)", remedy: remedy(forLimit: number), status: EX_IOERR)
        case .hungUp: ProgramError("\(self)", status: EX_IOERR)
        }
    }
}
