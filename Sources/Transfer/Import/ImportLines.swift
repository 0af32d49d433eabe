import Glibc
public import System

/// The lines of a file that are not blank.
///
/// They end with LF, CR LF or CR. Other breaks that Unicode knows may stand inside a text.
public struct ImportLines {
    /// The longest line that is read, in bytes: 1 MiB.
    public static let longest = 1 << 20

    /// A line without its end.
    public struct Line {
        /// From 1, with the blank lines counted.
        public let number: Int
        /// Whatever they are.
        public let bytes: ArraySlice<UInt8>
    }

    private let file: FileBytes
    private let name: String
    /// What was read and not handed over.
    private var buffer: [UInt8] = []
    private var start = 0
    /// Where the next piece begins in the file.
    private var offset = 0
    private var number = 0

    init(of file: FileBytes, named name: String) {
        self.file = file
        self.name = name
    }

    /// How much has been handed over, from 0 to 1.
    public var progress: Double {
        file.count == 0 ? 1 : Double(offset - (buffer.count - start)) / Double(file.count)
    }

    /// The next line; nil after the last.
    ///
    /// - Throws: `Failure`: 65 where it is too long, 74 where the file cannot be read.
    public mutating func next() throws(Failure) -> Line? {
        while let line = try nextOfAny() {
            if !line.bytes.allSatisfy(\.isBlank) { return line }
        }
        return nil
    }

    private mutating func nextOfAny() throws(Failure) -> Line? {
        if offset == 0 { try skipMark() }
        guard let end = try endOfLine() else { return nil }
        let line = buffer[start..<end]
        number += 1
        start = end
        if start < buffer.count { try skipEnd() }
        return Line(number: number, bytes: line)
    }

    /// Skips the byte order mark that some editors put before a text.
    private mutating func skipMark() throws(Failure) {
        guard try readMore() else { return }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    }

    /// Where the line that begins at `start` ends; nil where none does.
    private mutating func endOfLine() throws(Failure) -> Int? {
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

    static func tooLong(_ name: String) -> Failure {
        Failure("\(name): a line is longer than \(longest) bytes", status: EX_DATAERR)
    }

    /// Skips LF, CR LF or CR.
    private mutating func skipEnd() throws(Failure) {
        let isReturn = buffer[start] == 0xD
        start += 1
        guard isReturn else { return }
        if start == buffer.count { _ = try readMore() }
        if start < buffer.count, buffer[start] == 0xA { start += 1 }
    }

    /// Adds a piece; `start` moves to the front.
    private mutating func readMore() throws(Failure) -> Bool {
        let piece: [UInt8]
        do throws(SystemCallError) { piece = try file.read(at: offset) } catch {
            throw Failure("\(name): cannot be read: \(error.reason)", status: EX_IOERR)
        }
        if piece.isEmpty { return false }
        offset += piece.count
        buffer = start == buffer.count ? piece : Array(buffer[start...]) + piece
        start = 0
        return true
    }
}
