import Glibc

/// Standard output and standard error, with write errors reported.
public enum Output {
    /// Writes a line to standard output, without control characters.
    ///
    /// - Throws: `Failure` (74) where standard output is closed, `readerEnded`.
    public static func line(_ text: String) throws(Failure) {
        try write(text.printable + "\n", to: STDOUT_FILENO)
    }

    /// Checks that standard output can be written to; for commands that write only later.
    ///
    /// - Throws: `Failure` (74)
    public static func require() throws(Failure) {
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY else { return }
        throw Failure("standard output: \(errorText(EBADF))", status: EX_IOERR)
    }

    /// Writes a failure to standard error. An error of that write is ignored, because it could be reported nowhere.
    /// The end of standard output's reader is no problem, and is not written.
    public static func complain(_ failure: Failure) {
        if !failure.isReaderEnded { try? write(failure.text, to: STDERR_FILENO) }
    }

    /// Writes all of a text. The corresponding C function is `write(2)`.
    public static func write(_ text: String, to descriptor: CInt) throws(Failure) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EPIPE { throw .readerEnded }
                throw Failure("standard output: \(errorText(errno))", status: EX_IOERR)
            }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Opens `/dev/null` for closed standard streams, so that no file or socket gets their numbers. Writing to them still
    /// fails.
    public static func reserveStandardStreams() {
        for (number, flags) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ]
        where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", flags)
        }
    }
}

/// Collects lines for standard output and writes them in large pieces.
public struct LineWriter {
    private var buffer = ""

    /// Creates a writer with an empty buffer.
    public init() {}

    /// Adds a line, without control characters.
    ///
    /// - Throws: `Failure` (74) where standard output is closed, `readerEnded`.
    public mutating func line(_ text: String) throws(Failure) {
        buffer += text.printable + "\n"
        if buffer.utf8.count > 65_536 { try flush() }
    }

    /// Writes the rest of the buffer.
    public mutating func flush() throws(Failure) {
        try Output.write(buffer, to: STDOUT_FILENO)
        buffer = ""
    }
}
