import Glibc

/// A UTF-8 text file. On Linux, Foundation does not report why it cannot read a file.
public struct TextFile {
    /// The maximum size in bytes.
    private static let limit = 1 << 20

    /// The text, without a byte order mark.
    public let text: String

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: The file's name in errors.
    /// - Throws: `Failure`: 66 or 77 where it cannot be read, 65 where it is longer than 1 MiB, or not UTF-8 text.
    public init(path: String, name: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(SystemCallError) {
            bytes = try Self.read(path)
        } catch {
            let isForbidden = [EACCES, EPERM].contains(error.errno)
            throw Failure(
                "\(name): cannot be read: \(error.reason)", status: isForbidden ? EX_NOPERM : EX_NOINPUT)
        }
        if bytes.count > Self.limit {
            throw Failure("\(name): is longer than \(Self.limit) bytes", status: EX_DATAERR)
        }
        // Some editors write a byte order mark first.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let unmarked = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validating: unmarked, as: UTF8.self) else {
            throw Failure("\(name): is no text in UTF-8", status: EX_DATAERR)
        }
        self.text = text
    }

    /// The corresponding C functions are `open(2)` and `read(2)`.
    ///
    /// - Returns: The bytes up to the limit; more than `limit` bytes where there are more.
    /// - Throws: `SystemCallError`; `ENOTSUP` for a named pipe, which would have to be waited for.
    private static func read(_ path: String) throws(SystemCallError) -> [UInt8] {
        let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
        var status = stat()
        try systemCall("fstat") { fstat(file.number, &status) }
        if status.st_mode & S_IFMT == S_IFIFO { throw SystemCallError(call: "read", errno: ENOTSUP) }
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        while bytes.count <= limit, case let count = try file.read(into: buffer), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Replaces a file, or makes it with mode 0600: after a power cut it has either its old text or the new one, and the new
    /// one once this has returned.
    ///
    /// The corresponding C functions are `fsync(2)` and `rename(2)`.
    ///
    /// - Throws: `SystemCallError`
    public static func replace(_ path: String, by text: String) throws(SystemCallError) {
        let new = path + ".new"
        let file = Descriptor(
            owning: try systemCall("open", new) {
                open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            })
        let bytes = Array(text.utf8)
        let number = file.number
        let count = try systemCall("write", new) { write(number, bytes, bytes.count) }
        guard count == bytes.count else { throw SystemCallError(call: "write", subject: new, errno: ENOSPC) }
        try systemCall("fsync", new) { fsync(number) }
        try systemCall("rename", path) { rename(new, path) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let directory = Descriptor(
            owning: try systemCall("open", folder) { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        // Some file systems cannot sync a directory, which is then no error.
        _ = fsync(directory.number)
    }
}
