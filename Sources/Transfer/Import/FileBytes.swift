import Glibc
import Linux

/// The bytes of a file, read in pieces from any offset.
final class FileBytes {
    private static let piece = 65_536

    /// The file's size in bytes.
    let count: Int
    private let file: Descriptor

    private init(_ file: consuming Descriptor, count: Int) {
        self.file = file
        self.count = count
    }

    /// Opens a regular file.
    ///
    /// - Throws: `SystemCallError`; `ENOTSUP` for what is neither a file nor a directory, such as a named pipe or a device.
    static func file(_ path: String) throws(SystemCallError) -> FileBytes {
        // Without O_NONBLOCK, opening a named pipe would block.
        let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
        let status = try status(of: file.number)
        switch status.st_mode & S_IFMT {
        case S_IFREG: return FileBytes(file, count: Int(status.st_size))
        case S_IFDIR: throw SystemCallError(call: "read", errno: EISDIR)
        default: throw SystemCallError(call: "read", errno: ENOTSUP)
        }
    }

    /// Copies standard input to a temporary file, up to its end or to the first line that is too long.
    ///
    /// The corresponding C function is `tmpfile(3)`.
    static func standardInput() throws(SystemCallError) -> FileBytes {
        guard let stream = tmpfile() else { throw SystemCallError(call: "tmpfile") }
        defer { fclose(stream) }
        let copy = Descriptor(
            owning: try systemCall("dup") { fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3) })
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
        defer { buffer.deallocate() }
        var (count, line) = (0, 0)
        while line <= ImportLines.longest {
            let read = try systemCall("read") { Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count) }
            if read == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<read])
            try append(bytes, to: copy.number)
            count += read
            line = bytes.lastIndex { $0 == 0xA || $0 == 0xD }.map { read - $0 - 1 } ?? line + read
        }
        return FileBytes(copy, count: count)
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to file: CInt) throws(SystemCallError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = try systemCall("write") { write(file, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    private static func status(of file: CInt) throws(SystemCallError) -> stat {
        var status = stat()
        try systemCall("fstat") { fstat(file, &status) }
        return status
    }

    /// The bytes at an offset, at most one piece; empty at the end. The corresponding C function is `pread(2)`.
    func read(at offset: Int) throws(SystemCallError) -> [UInt8] {
        let wanted = min(Self.piece, count - offset)
        guard wanted > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: wanted)
        let number = file.number
        let read = try systemCall("read") {
            bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, wanted, off_t(offset)) }
        }
        bytes.removeLast(wanted - read)
        return bytes
    }

    /// Calls `body` with each piece of the file.
    ///
    /// - Throws: `ProgramError` (74)
    func forEachPiece(_ name: String, _ body: ([UInt8]) throws(ProgramError) -> Void) throws(ProgramError) {
        var offset = 0
        while offset < count {
            let bytes: [UInt8]
            do throws(SystemCallError) { bytes = try read(at: offset) } catch {
                throw ProgramError("\(name): cannot be read: \(error.reason)", status: EX_IOERR)
            }
            if bytes.isEmpty { return }
            try body(bytes)
            offset += bytes.count
        }
    }
}
