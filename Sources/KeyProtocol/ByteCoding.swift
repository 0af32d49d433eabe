/// Writes numbers and texts of fixed width, little-endian.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    package init() {}

    package mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes a text in `width` bytes: truncated at a character boundary where it is longer, padded with zeros where it is
    /// shorter.
    package mutating func put(_ text: String, width: Int) {
        var end = text.startIndex
        var count = 0
        for index in text.indices {
            let size = text[index].utf8.count
            if count + size > width { break }
            count += size
            end = text.index(after: index)
        }
        bytes.append(contentsOf: text[..<end].utf8)
        bytes.append(contentsOf: repeatElement(0, count: width - count))
    }

    /// Pads with zeros up to `size` bytes.
    package mutating func fill(to size: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, size - bytes.count)))
    }
}

/// Reads the format of `ByteWriter` and rejects any other encoding.
package struct ByteReader {
    private var bytes: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    package mutating func number<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(MessageError) -> T {
        let size = MemoryLayout<T>.size
        guard bytes.count >= size else { throw .malformed }
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).enumerated().reduce(T.zero) {
            $0 | T(truncatingIfNeeded: $1.element) << ($1.offset * 8)
        }
    }

    package mutating func value<T: RawRepresentable>(_ type: T.Type = T.self) throws(MessageError) -> T
    where T.RawValue == UInt8 {
        guard let value = T(rawValue: try number()) else { throw .malformed }
        return value
    }

    package mutating func text(width: Int) throws(MessageError) -> String {
        guard bytes.count >= width else { throw .malformed }
        defer { bytes = bytes.dropFirst(width) }
        let field = bytes.prefix(width)
        let content = field.prefix { $0 != 0 }
        // `String(validating:as:)` would take twice the memory, and the service stores many texts. This initialiser replaces
        // invalid UTF-8, which the comparison below detects.
        let text = String(decoding: content, as: UTF8.self)
        guard field.dropFirst(content.count).allSatisfy({ $0 == 0 }), text.utf8.elementsEqual(content) else {
            throw .malformed
        }
        return text
    }

    /// Requires that no bytes are left.
    package func finishExactly() throws(MessageError) {
        if !bytes.isEmpty { throw .malformed }
    }

    /// Requires that all remaining bytes are zero.
    func finish() throws(MessageError) {
        guard bytes.allSatisfy({ $0 == 0 }) else { throw .malformed }
    }
}
