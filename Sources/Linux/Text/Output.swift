import Glibc

/// An error that says what a program prints of it.
package protocol ExplainedError: Error {
    var failure: ProgramError { get }
}

/// An error that ends the program, printed as `counter: what: why` with the remedy on the next line.
package struct ProgramError: ExplainedError {
    package let message: String
    package let remedy: String?
    /// A code of `<sysexits.h>`.
    package let status: CInt

    package init(_ message: String, remedy: String? = nil, status: CInt) {
        (self.message, self.remedy, self.status) = (message, remedy, status)
    }

    package init(_ error: any Error) {
        self = (error as? any ExplainedError)?.failure ?? ProgramError("\(error)", status: EX_SOFTWARE)
    }

    package var failure: ProgramError { self }

    /// The reader of standard output has ended, such as `head`. It has what it wanted, so no message tells of it. The exit code is
    /// the one by which shells report the end by SIGPIPE, as other programs end then.
    package static let readerEnded = ProgramError(
        "standard output: its reader has ended", status: 128 + SIGPIPE)

    package var isReaderEnded: Bool { status == Self.readerEnded.status }

    /// The text for a screen: the message and the remedy on one line.
    package var sentence: String { notice.replacing("\n", with: " ") }

    /// The text for a screen with room for several lines: the remedy begins one where it does not fit behind the message, so that
    /// a command in it can be copied.
    package var notice: String { [message, remedy].compactMap(\.self).joined(separator: ".\n") }

    package var text: String {
        // A name chosen by another user must not look like a line of this program.
        let line = String(message.map { $0.isNewline ? " " : $0 })
        let advice = remedy.map { "  \($0.quotable.replacing("\n", with: "\n  "))\n" }
        return "counter: \(line.quotable)\n" + (advice ?? "")
    }
}

/// Standard output and standard error, with write errors reported.
package enum Output {
    /// Without control characters. Throws `ProgramError` (74) where standard output is closed, `readerEnded`.
    package static func line(_ text: String) throws(ProgramError) {
        try write(text.printable + "\n", to: STDOUT_FILENO)
    }

    /// For commands that write only later: throws `ProgramError` (74) where standard output cannot be written to.
    package static func require() throws(ProgramError) {
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY else { return }
        throw ProgramError("standard output: \(errorText(EBADF))", status: EX_IOERR)
    }

    /// Writes to standard error, whose own errors could be reported nowhere. The end of a reader is no failure.
    package static func complain(_ failure: ProgramError) {
        if !failure.isReaderEnded { try? write(failure.text, to: STDERR_FILENO) }
    }

    /// As `complain`, for what is no failure.
    package static func tell(_ text: String, remedy: String? = nil) {
        complain(ProgramError(text, remedy: remedy, status: EX_OK))
    }

    package static func write(_ text: String, to descriptor: CInt) throws(ProgramError) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EPIPE { throw .readerEnded }
                throw ProgramError("standard output: \(errorText(errno))", status: EX_IOERR)
            }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Opens `/dev/null` for closed standard streams, so that no file gets their numbers. Writing to them still fails.
    package static func reserveStandardStreams() {
        for (number, flags) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ]
        where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", flags)
        }
    }
}

/// Collects lines for standard output and writes them in large pieces.
package struct LineWriter {
    private var buffer = ""

    package init() {}

    /// As `Output.line`.
    package mutating func line(_ text: String) throws(ProgramError) {
        buffer += text.printable + "\n"
        if buffer.utf8.count > 65_536 { try flush() }
    }

    package mutating func flush() throws(ProgramError) {
        try Output.write(buffer, to: STDOUT_FILENO)
        buffer = ""
    }
}
