import CLinux
import Glibc
import Linux

/// The terminal: shows grids, and reports keys and clicks.
///
/// Use one at a time in a process, from one thread. From `init` to `close` (or `deinit`) the terminal is in
/// full-screen mode; after a crash in between it is restored too (`terminal_guard.c`). It handles no signals: the
/// main loop receives them and calls `suspend`, `resume`, `resize`. It never blocks, except for at most 0.4 s when it
/// restores the terminal.
package final class Terminal {
    /// The terminal's capabilities.
    package let look: Look
    /// Its size at the last call of `resize`.
    package private(set) var size = Size(columns: 80, rows: 24)
    /// The descriptor to poll for POLLIN before `events`.
    package var inputDescriptor: CInt { input.descriptor }
    /// The descriptor to poll for POLLOUT after `present` has returned false.
    package var outputDescriptor: CInt { output.number }

    /// Whether the terminal, by its type, reports its focus.
    package var reportsFocus: Bool { sequences.reportsFocus }

    let curses: CursesScreen
    let sequences: TerminalSequences
    var input: TerminalInput
    var output: OutputQueue
    var notifier: TerminalNotifier
    var shownTitle = ""
    var rings = false
    private(set) var isSuspended = false
    private var isOpen = true

    /// Switches the terminal at these descriptors to full-screen mode.
    ///
    /// Sets the process' LC_CTYPE from the environment, to know the terminal's characters.
    ///
    /// - Parameters:
    ///   - input: the descriptor of keys; by default standard input.
    ///   - output: the descriptor to draw on; by default standard output.
    ///   - name: the terminal's type; nil takes `TERM`.
    ///   - noColour: whether to use no colours; nil reads `NO_COLOR` (empty counts as unset).
    /// - Throws: `noTerminal`, `noType`, `unknownType`, `tooSimple`, `failed`. The terminal is then unchanged.
    package init(
        input: CInt = 0, output: CInt = 1, type name: String? = nil, noColour: Bool? = nil
    ) throws(TerminalError) {
        guard isatty(input) == 1 else { throw .noTerminal(descriptor: input) }
        guard isatty(output) == 1 else { throw .noTerminal(descriptor: output) }
        setlocale(LC_CTYPE, "")
        let isUTF8 = String(cString: nl_langinfo(CInt(CODESET))) == "UTF-8"
        let name = name ?? environmentVariable("TERM") ?? ""
        let noColour = noColour ?? !(environmentVariable("NO_COLOR") ?? "").isEmpty
        curses = try CursesScreen(type: name, hasColours: !noColour) { isUTF8 && Self.hasUsualWidth($0) }
        sequences = try TerminalSequences(name: name)
        self.output = try OutputQueue(to: output)
        self.input = TerminalInput(descriptor: input, keys: .curses)
        notifier = TerminalNotifier(
            isWindow: sequences.reportsFocus, program: environmentVariable("TERM_PROGRAM") ?? "")
        look = Look(
            glyphs: Self.glyphs(type: name, isUTF8: isUTF8), palette: Self.palette(curses.colourCount))
        guard clinux_guard_arm(self.output.number, sequences.leave, sequences.leave.utf8.count) == 0 else {
            throw .failed("cannot save the terminal's modes", errno: errno)
        }
        take()
    }

    deinit { close() }

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

    /// Restores the terminal for a while, before SIGSTOP. Does nothing if it is restored already.
    ///
    /// Unsent output is discarded. If the terminal takes no output for 0.2 s, it also loses what it has not shown.
    package func suspend() {
        guard isOpen, !isSuspended else { return }
        isSuspended = true
        output.discard()
        clinux_guard_restore()
    }

    /// Switches to full-screen mode again, with the present size; `present` draws every cell.
    package func resume() {
        guard isOpen, isSuspended else { return }
        isSuspended = false
        take()
    }

    /// Sets the modes of full-screen mode again, after a stop that `suspend` could not precede (SIGSTOP).
    package func continued() {
        guard isOpen, !isSuspended else { return }
        clinux_guard_take_again()
        output.append(sequences.again.utf8)
        repaint()
    }

    /// Leaves full-screen mode, for good. May be called twice.
    package func close() {
        suspend()
        if isOpen { clinux_guard_disarm() }
        isOpen = false
    }

    private func take() {
        clinux_guard_take()
        input = TerminalInput(descriptor: inputDescriptor, keys: .curses)
        shownTitle = ""
        output.append(sequences.enter.utf8)
        repaint()
        // What the terminal does not take now is sent before the first frame. An error is reported then too.
        _ = try? output.flush()
        resize()
    }

    // MARK: - What it can show

    private static func glyphs(type: String, isUTF8: Bool) -> Look.Glyphs {
        guard isUTF8 else { return .ascii }
        // The console's fonts have at most 512 characters; quarter blocks are not among them.
        return type.hasPrefix("linux") ? .halves : .quadrants
    }

    private static func palette(_ colours: Int) -> Look.Palette {
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
}

extension Terminal {
    /// Checks whether the terminal at standard output could show a screen, without changing it.
    ///
    /// - Throws: `noType`, `unknownType`, `tooSimple`, `failed`.
    package static func check() throws(TerminalError) {
        let name = environmentVariable("TERM") ?? ""
        let curses = try CursesScreen(type: name, hasColours: false) { _ in false }
        _ = try withExtendedLifetime(curses) { () throws(TerminalError) in try TerminalSequences(name: name) }
    }
}
