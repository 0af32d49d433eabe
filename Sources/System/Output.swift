import Glibc

/// Standard output and standard error, with errors that are not passed over.
public enum Output {
    /// Writes a line to standard output, without control characters.
    ///
    /// - Throws: `Failure` (74) where it is closed or its reader is gone.
    public static func line(_ text: String) throws(Failure) {
        try write(text.printable + "\n", to: STDOUT_FILENO)
    }

    /// Refuses a standard output that cannot be written to, for whoever writes only later.
    ///
    /// - Throws: `Failure` (74)
    public static func require() throws(Failure) {
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY else { return }
        throw Failure("standard output: \(String(cString: strerror(EBADF)))", status: EX_IOERR)
    }

    /// Writes a failure to standard error; where that is gone too, nobody is left to tell.
    public static func complain(_ failure: Failure) { try? write(failure.text, to: STDERR_FILENO) }

    /// Writes all of a text. The corresponding C function is `write(2)`.
    public static func write(_ text: String, to descriptor: CInt) throws(Failure) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure("standard output: \(String(cString: strerror(errno)))", status: EX_IOERR)
            }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Fills in standard streams that are closed, so that no file or socket ever takes their numbers; what is
    /// written to them fails as it should.
    public static func reserveStandardStreams() {
        for (number, flags) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ]
        where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", flags)
        }
    }
}

/// Many lines for standard output, written in large pieces.
public struct LineWriter {
    private var buffer = ""

    /// Creates a writer that nothing waits in.
    public init() {}

    /// Adds a line, without control characters.
    ///
    /// - Throws: `Failure` (74) where standard output is closed or its reader is gone.
    public mutating func line(_ text: String) throws(Failure) {
        buffer += text.printable + "\n"
        if buffer.utf8.count > 65_536 { try flush() }
    }

    /// Writes what is left.
    public mutating func flush() throws(Failure) {
        try Output.write(buffer, to: STDOUT_FILENO)
        buffer = ""
    }
}
