import Glibc
import Linux
import TestSupport
import Testing

@testable import CounterTUI

/// Both ends of a pseudo-terminal: the program's, and that of the terminal emulator.
final class PseudoTerminal {
    let program: CInt
    private var emulator: CInt

    init(columns: Int = 80, rows: Int = 24) throws {
        (emulator, program) = try openTerminal(columns: UInt16(columns), rows: UInt16(rows))
        _ = fcntl(emulator, F_SETFL, O_NONBLOCK)
    }

    deinit {
        hangUp()
        close(program)
    }

    /// Takes the program's end in full-screen mode.
    func open(_ type: String = "xterm-256color", noColour: Bool = false) throws -> Terminal {
        try Terminal(input: program, output: program, type: type, noColour: noColour)
    }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(emulator, UInt(TIOCSWINSZ), &size)
    }

    /// Sends what a user types or a terminal reports; returns when the program can read all of it.
    ///
    /// The kernel moves bytes asynchronously in both directions (a work queue), so both directions wait here.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(emulator, $0.baseAddress, $0.count) }
        do {
            try eventually("\(bytes.count) bytes to arrive", poll: .milliseconds(1)) {
                Self.readable(program) >= bytes.count
            }
        } catch { Issue.record(error) }
    }

    /// What the program has written since the last call: up to `expected`, and what follows it within 30 ms.
    func output(until expected: String = "") -> String {
        var all: [UInt8] = []
        while true {
            let text = String(decoding: all, as: UTF8.self)
            let isThere = expected.isEmpty || text.contains(expected)
            let part = part(within: isThere ? .milliseconds(30) : testTimeout)
            if part.isEmpty {
                if !isThere { Issue.record("no \(expected.debugDescription) in \(text.debugDescription)") }
                return text
            }
            all += part
        }
    }

    /// Waits until something can be read, and reads what is there; empty at the timeout and at the end.
    private func part(within timeout: Duration) -> ArraySlice<UInt8> {
        var polled = PollSet()
        polled.add(emulator)
        try? polled.wait(until: .now + timeout)
        if polled.result(at: 0).isEmpty { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(emulator, &buffer, buffer.count)
        return buffer.prefix(max(0, count))
    }

    /// Whether the program's output is blocked until it is read: 4096 bytes are the terminal's whole buffer.
    var isFull: Bool { Self.readable(emulator) == 4095 }

    private static func readable(_ descriptor: CInt) -> CInt {
        var count: CInt = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
    }

    /// The path of the program's end, for a process that opens it itself.
    var path: String {
        // ttyname(3) has one buffer for the whole process, and tests run in parallel.
        var name = [CChar](repeating: 0, count: 64)
        ttyname_r(program, &name, name.count)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    func modes() -> (input: UInt32, output: UInt32, local: UInt32) {
        var modes = termios()
        tcgetattr(program, &modes)
        return (modes.c_iflag, modes.c_oflag, modes.c_lflag)
    }

    func hangUp() {
        if emulator >= 0 { close(emulator) }
        emulator = -1
    }
}
