import Glibc

/// Standard output and standard error, with write errors reported.
package enum Output {
    /// Writes a line to standard output, without control characters.
    ///
    /// - Throws: `ProgramError` (74) where standard output is closed, `readerEnded`.
    package static func line(_ text: String) throws(ProgramError) {
        try write(text.printable + "\n", to: STDOUT_FILENO)
    }

    /// Checks that standard output can be written to; for commands that write only later.
    ///
    /// - Throws: `ProgramError` (74)
    package static func require() throws(ProgramError) {
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY else { return }
        throw ProgramError("standard output: \(errorText(EBADF))", status: EX_IOERR)
    }

    /// Writes a failure to standard error. An error of that write is ignored, because it could be reported nowhere.
    /// The end of standard output's reader is no problem, and is not written.
    package static func complain(_ failure: ProgramError) {
        if !failure.isReaderEnded { try? write(failure.text, to: STDERR_FILENO) }
    }

    /// Writes all of a text. The corresponding C function is `write(2)`.
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

    /// Opens `/dev/null` for closed standard streams, so that no file or socket gets their numbers. Writing to them still
    /// fails.
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

    /// Creates a writer with an empty buffer.
    package init() {}

    /// Adds a line, without control characters.
    ///
    /// - Throws: `ProgramError` (74) where standard output is closed, `readerEnded`.
    package mutating func line(_ text: String) throws(ProgramError) {
        buffer += text.printable + "\n"
        if buffer.utf8.count > 65_536 { try flush() }
    }

    /// Writes the rest of the buffer.
    package mutating func flush() throws(ProgramError) {
        try Output.write(buffer, to: STDOUT_FILENO)
        buffer = ""
    }
}
