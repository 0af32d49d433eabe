import CTestSupport
import Glibc

/// A program on a Linux virtual terminal of this machine. It ends at the end of its scope.
///
/// Needs root and would disturb the user's screen: use it in the guest only.
package final class ConsoleSession: ScreenSource {
    package let child: ChildProcess
    private let number: Int
    private let terminal: Int32

    /// Starts a program on `/dev/ttyN`, in the foreground or not; 1 is in the foreground at first.
    package init(
        _ command: [String], on number: Int, environment: [String: String?] = [:]
    ) throws(SupportError) {
        let path = "/dev/tty\(number)"
        self.number = number
        let terminal = try checked("open", path) { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }
        self.terminal = terminal
        // The output of the previous program must not be taken for this one's.
        let reset = Array("\u{1B}c".utf8)
        try checked("write", path) { write(terminal, reset, reset.count) }
        let fixed = ["TERM": "linux", "LANG": "C.UTF-8"].merging(environment) { $1 }
        child = try ChildProcess(command, environment: fixed, streams: .console(path))
    }

    deinit { Glibc.close(terminal) }

    package func close() { child.end() }

    /// Brings a virtual terminal to the foreground, as Ctrl-Alt-F1 to F12 do, and waits until it is there.
    package static func show(_ number: Int) throws(SupportError) {
        try checked("VT_ACTIVATE", "/dev/tty\(number)") { ctest_console_show(Int32(number)) }
    }

    /// Only root may do so on a terminal that is not its controlling one.
    package func type(_ text: String) throws(SupportError) {
        for byte in text.utf8 {
            var byte = byte
            try checked("TIOCSTI", "/dev/tty\(number)") { ioctl(terminal, UInt(TIOCSTI), &byte) }
        }
    }

    /// The terminal's content, even in the background: from the kernel's `/dev/vcsuN`, one code point for each cell.
    package func screen() throws -> Screen {
        // Rows, columns, and the position of the cursor.
        let size = try Self.bytes(of: "/dev/vcsa\(number)", upTo: 4)
        let cells = try Self.bytes(of: "/dev/vcsu\(number)", upTo: Int(size[0]) * Int(size[1]) * 4)
        let characters = stride(from: 0, to: cells.count, by: 4).map { place in
            let code = cells[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            return Unicode.Scalar(code).map(Character.init) ?? "?"
        }
        let lines = stride(from: 0, to: characters.count, by: Int(size[1])).map { start in
            String(characters[start..<start + Int(size[1])])
        }
        return Screen(lines: lines.map { String($0.reversed().drop { $0 == " " }.reversed()) })
    }

    private static func bytes(of path: String, upTo count: Int) throws(SupportError) -> [UInt8] {
        let file = try checked("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let size = try checked("read", path) { read(file, &bytes, count) }
        return Array(bytes[..<size])
    }
}
