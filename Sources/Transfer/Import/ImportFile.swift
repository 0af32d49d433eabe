import Glibc
package import Linux

/// A file to import: its lines, their format, and the hash that identifies them.
package struct ImportFile {
    package enum Format: String, CaseIterable, Sendable {
        case csv, jsonl
    }

    /// The file's name in messages.
    package let name: String
    /// The format as given, or as detected from the first character.
    package let format: Format
    /// The hash of the content, which identifies the file.
    package let hash: String
    /// The lines that are not blank.
    let lines: ImportLines

    /// Reads a file once, or, for `-`, standard input, which is copied to a temporary file. Only a part of it is in memory at
    /// any time. Throws `ProgramError`: 66 or 77 where it cannot be read or is no file, 65 where a line is too long.
    package init(path: String, format: Format?) throws(ProgramError) {
        name = path == "-" ? "standard input" : path
        let bytes: FileBytes
        do throws(SystemCallError) {
            bytes = try path == "-" ? .standardInput(name) : .file(path)
        } catch {
            throw Self.failure(error, name)
        }
        var (hash, line, offset) = (FileHash(), 0, 0)
        while case let piece = try bytes.read(at: offset), !piece.isEmpty {
            hash.add(piece)
            line =
                piece.lastIndex { $0 == 0xA || $0 == 0xD }.map { piece.count - $0 - 1 } ?? line + piece.count
            guard line <= ImportLines.longest else { throw bytes.tooLong }
            offset += piece.count
        }
        self.hash = hash.text
        lines = ImportLines(bytes)
        var first = lines
        let character = try first.next()?.bytes.first { !$0.isBlank }
        self.format = format ?? (character == UInt8(ascii: "{") ? .jsonl : .csv)
    }
}

extension ImportFile {
    private static func failure(_ error: SystemCallError, _ name: String) -> ProgramError {
        switch error.errno {
        case ENOTSUP:
            ProgramError(
                "\(name): is no file, but a pipe or a device",
                remedy: "What a program prints is imported by: … | counter import -", status: EX_NOINPUT)
        case EACCES, EPERM: ProgramError("\(name): cannot be read: \(error.reason)", status: EX_NOPERM)
        case ENOENT:
            ProgramError(
                "\(name): there is no such file",
                remedy: "Name a file of CSV or JSON Lines; what a program prints: … | counter import -",
                status: EX_NOINPUT)
        default: ProgramError("\(name): cannot be read: \(error.reason)", status: EX_NOINPUT)
        }
    }
}

/// FNV-1a with 128 bits.
package struct FileHash {
    private var hash = UInt128.fnv1a
    private var count = 0

    package init() {}

    package mutating func add(_ bytes: [UInt8]) {
        hash = hash.addingFNV1a(bytes)
        count += bytes.count
    }

    /// The hash and the number of bytes.
    package var text: String { "fnv1a128:" + String(hash, radix: 16) + ":\(count)" }
}

// MARK: - Lines

/// The lines of a file that are not blank. They end with LF, CR LF or CR; other line separators of Unicode are part of a text.
package struct ImportLines {
    /// The maximum length of a line in bytes: 1 MiB.
    package static let longest = 1 << 20

    /// A line without its line end.
    package struct Line {
        /// The line's number, from 1; blank lines are counted.
        package let number: Int
        /// The bytes, not checked to be UTF-8.
        package let bytes: ArraySlice<UInt8>
    }

    private let file: FileBytes
    /// The bytes that were read and not returned yet.
    private var buffer: [UInt8] = []
    private var start = 0
    /// The offset of the next piece in the file.
    private var offset = 0
    private var number = 0

    init(_ file: FileBytes) { self.file = file }

    /// The share of the file that has been returned, from 0 to 1.
    package var progress: Double {
        file.count == 0 ? 1 : Double(offset - (buffer.count - start)) / Double(file.count)
    }

    /// The next line; nil at the end. Throws `ProgramError`: 65 where it is too long, 74 where the file cannot be read.
    package mutating func next() throws(ProgramError) -> Line? {
        while let line = try nextOfAny() {
            if !line.bytes.allSatisfy(\.isBlank) { return line }
        }
        return nil
    }

    private mutating func nextOfAny() throws(ProgramError) -> Line? {
        if offset == 0 { try skipMark() }
        guard let end = try endOfLine() else { return nil }
        let line = buffer[start..<end]
        number += 1
        start = end
        if start < buffer.count { try skipEnd() }
        return Line(number: number, bytes: line)
    }

    /// Skips the byte order mark that some editors write first.
    private mutating func skipMark() throws(ProgramError) {
        guard try readMore() else { return }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    }

    /// The index at which the line that begins at `start` ends; nil at the end of the file.
    private mutating func endOfLine() throws(ProgramError) -> Int? {
        var searched = start
        while true {
            let end = buffer.withUnsafeBufferPointer { bytes in
                var index = searched
                while index < bytes.count, bytes[index] != 0xA, bytes[index] != 0xD { index += 1 }
                return index
            }
            if end < buffer.count { return end }
            guard end - start <= Self.longest else { throw file.tooLong }
            let waiting = end - start
            guard try readMore() else { return waiting > 0 ? end : nil }
            searched = start + waiting
        }
    }

    /// Skips LF, CR LF or CR.
    private mutating func skipEnd() throws(ProgramError) {
        let isReturn = buffer[start] == 0xD
        start += 1
        guard isReturn else { return }
        if start == buffer.count { _ = try readMore() }
        if start < buffer.count, buffer[start] == 0xA { start += 1 }
    }

    /// Reads another piece into the buffer and moves the bytes from `start` to its front.
    private mutating func readMore() throws(ProgramError) -> Bool {
        let piece = try file.read(at: offset)
        if piece.isEmpty { return false }
        offset += piece.count
        buffer = start == buffer.count ? piece : Array(buffer[start...]) + piece
        start = 0
        return true
    }
}

// MARK: - Bytes

/// The bytes of a file, read in pieces from any offset.
final class FileBytes {
    private static let piece = 65_536

    let count: Int
    private let file: Descriptor
    private let name: String

    private init(_ file: consuming Descriptor, _ name: String, count: Int) {
        self.file = file
        (self.name, self.count) = (name, count)
    }

    var tooLong: ProgramError {
        ProgramError("\(name): a line is longer than \(ImportLines.longest) bytes", status: EX_DATAERR)
    }

    /// Opens a regular file.
    /// Throws `SystemCallError`; `ENOTSUP` for what is neither a file nor a directory, such as a named pipe or a device.
    static func file(_ path: String) throws(SystemCallError) -> FileBytes {
        // Without O_NONBLOCK, opening a named pipe would block.
        let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
        let number = file.number
        var status = stat()
        try systemCall("fstat") { fstat(number, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return FileBytes(file, path, count: Int(status.st_size))
        case S_IFDIR: throw SystemCallError(call: "read", errno: EISDIR)
        default: throw SystemCallError(call: "read", errno: ENOTSUP)
        }
    }

    /// Copies standard input to a temporary file (`tmpfile(3)`), up to its end or to the first line that is too long.
    static func standardInput(_ name: String) throws(SystemCallError) -> FileBytes {
        guard let stream = tmpfile() else { throw SystemCallError(call: "tmpfile") }
        defer { fclose(stream) }
        let copy = try Descriptor(from: "dup") { fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
        defer { buffer.deallocate() }
        var (count, line) = (0, 0)
        while line <= ImportLines.longest {
            let read = try systemCall("read") { Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count) }
            if read == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<read])
            try copy.write(all: Array(bytes))
            count += read
            line = bytes.lastIndex { $0 == 0xA || $0 == 0xD }.map { read - $0 - 1 } ?? line + read
        }
        return FileBytes(copy, name, count: count)
    }

    /// The bytes at an offset, at most one piece; empty at the end. The corresponding C function is `pread(2)`.
    /// Throws `ProgramError` (74).
    func read(at offset: Int) throws(ProgramError) -> [UInt8] {
        let wanted = min(Self.piece, count - offset)
        guard wanted > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: wanted)
        let number = file.number
        do throws(SystemCallError) {
            let read = try systemCall("read") {
                bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, wanted, off_t(offset)) }
            }
            bytes.removeLast(wanted - read)
            return bytes
        } catch { throw ProgramError("\(name): cannot be read: \(error.reason)", status: EX_IOERR) }
    }
}
