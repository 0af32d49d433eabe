import Glibc
package import Linux

/// The lines of a file that are not blank.
///
/// Lines end with LF, CR LF or CR. Other line separators of Unicode are part of a text.
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
    private let name: String
    /// The bytes that were read and not returned yet.
    private var buffer: [UInt8] = []
    private var start = 0
    /// The offset of the next piece in the file.
    private var offset = 0
    private var number = 0

    init(of file: FileBytes, named name: String) {
        self.file = file
        self.name = name
    }

    /// The share of the file that has been returned, from 0 to 1.
    package var progress: Double {
        file.count == 0 ? 1 : Double(offset - (buffer.count - start)) / Double(file.count)
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: `ProgramError`: 65 where it is too long, 74 where the file cannot be read.
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
            guard end - start <= Self.longest else { throw Self.tooLong(name) }
            let waiting = end - start
            guard try readMore() else { return waiting > 0 ? end : nil }
            searched = start + waiting
        }
    }

    static func tooLong(_ name: String) -> ProgramError {
        ProgramError("\(name): a line is longer than \(longest) bytes", status: EX_DATAERR)
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
        let piece: [UInt8]
        do throws(SystemCallError) { piece = try file.read(at: offset) } catch {
            throw ProgramError("\(name): cannot be read: \(error.reason)", status: EX_IOERR)
        }
        if piece.isEmpty { return false }
        offset += piece.count
        buffer = start == buffer.count ? piece : Array(buffer[start...]) + piece
        start = 0
        return true
    }
}
