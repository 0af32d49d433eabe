import Glibc

/// The lines of a file that are not blank.
///
/// They end with LF, CR LF or CR. Other breaks that Unicode knows may stand inside a text.
struct ImportLines: Sequence, IteratorProtocol {
    /// A line without its end.
    struct Line {
        /// From 1, with the blank lines counted.
        let number: Int
        let bytes: ArraySlice<UInt8>
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var number = 0
    /// Where the next LF and CR are, at or after `position`; the end where there is none.
    private var lineFeed: Int
    private var carriageReturn: Int

    init(of bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
        lineFeed = Self.first(UInt8(ascii: "\n"), in: bytes)
        carriageReturn = Self.first(UInt8(ascii: "\r"), in: bytes)
    }

    /// How much has been read, from 0 to 1.
    var progress: Double {
        bytes.isEmpty ? 1 : Double(position - bytes.startIndex) / Double(bytes.count)
    }

    mutating func next() -> Line? {
        while position < bytes.endIndex {
            let line = bytes[position..<Swift.min(lineFeed, carriageReturn)]
            number += 1
            skip(line)
            if !line.allSatisfy(\.isBlank) { return Line(number: number, bytes: line) }
        }
        return nil
    }

    private mutating func skip(_ line: ArraySlice<UInt8>) {
        let isBoth = carriageReturn == line.endIndex && lineFeed == carriageReturn + 1
        position = Swift.min(line.endIndex + (isBoth ? 2 : 1), bytes.endIndex)
        let rest = bytes[position...]
        if lineFeed < position { lineFeed = Self.first(UInt8(ascii: "\n"), in: rest) }
        if carriageReturn < position { carriageReturn = Self.first(UInt8(ascii: "\r"), in: rest) }
    }

    /// The corresponding C function is `memchr(3)`.
    private static func first(_ byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, let found = memchr(start, CInt(byte), buffer.count) else {
                return bytes.endIndex
            }
            return bytes.startIndex + (UnsafeRawPointer(found) - start)
        }
    }
}

extension UInt8 {
    /// Whether it is a space or a tab in ASCII.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
