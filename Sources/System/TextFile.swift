import Glibc

/// A UTF-8 text file. On Linux, Foundation does not report why it cannot read a file.
public struct TextFile {
    /// The text, without a byte order mark.
    public let text: String

    /// Reads a file, or standard input for `-`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: The file's name in errors.
    /// - Throws: `Failure`: 66 or 77 where it cannot be read, 65 where it is not UTF-8 text.
    public init(path: String, name: String) throws(Failure) {
        let bytes = try Self.bytes(path: path, name: name)
        guard let text = String(validating: Self.unmarked(bytes), as: UTF8.self) else {
            throw Failure("\(name): is no text in UTF-8", status: EX_DATAERR)
        }
        self.text = text
    }

    /// The file's bytes, without a check of their content; parameters and errors as in `init`.
    public static func bytes(path: String, name: String) throws(Failure) -> [UInt8] {
        do throws(SystemCallError) {
            return try read(path)
        } catch {
            let isForbidden = [EACCES, EPERM].contains(error.errno)
            throw Failure(
                "\(name): cannot be read: \(error.reason)", status: isForbidden ? EX_NOPERM : EX_NOINPUT)
        }
    }

    /// The bytes without the byte order mark that some editors write first.
    public static func unmarked(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    }

    /// The corresponding C functions are `open(2)` and `read(2)`.
    private static func read(_ path: String) throws(SystemCallError) -> [UInt8] {
        let file =
            path == "-"
            ? Descriptor(owning: try systemCall("dup") { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) })
            : try Descriptor(opening: path, flags: O_RDONLY)
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try file.read(into: buffer), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }
}
