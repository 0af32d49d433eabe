/// Why a message was rejected. The error ends the connection.
package enum MessageError: Error, Hashable, CustomStringConvertible {
    /// Too short, too long, of an unknown kind, or with a field out of its range.
    case malformed
    case version(UInt16)
    /// More messages than any client needs to send.
    case tooManyMessages
    case unauthorised
    /// There are too many connections, or they arrive too fast.
    case tooManyConnections
    /// The configuration names a key that the service does not serve: see ``ServedKeys``.
    case unservedKey
    /// The service follows no symbolic links except udev's.
    case path

    package var description: String {
        switch self {
        case .malformed: "malformed message"
        case .tooManyMessages: "too many messages"
        case .unauthorised: "you have no session at this machine, and are not in group counter"
        case .tooManyConnections: "too many connections"
        case .unservedKey: "it serves \(ServedKeys.summary) only"
        case .path: "it knows nodes only by their names in /dev"
        case .version(let version):
            "the other program speaks version \(version) of the key messages, this one \(MessageHeader.version)"
        }
    }
}

/// The header of every message: a magic number, the version, the kind. All messages of a kind have the same size.
enum MessageHeader {
    static let mark: UInt32 = 0x79_65_6B_63  // "ckey"
    static let version: UInt16 = 1
    /// The size in bytes of key frames and other messages without texts.
    static let short = 64
    /// The size in bytes of messages with texts.
    static let long = 512

    static func begin(kind: UInt16) -> ByteWriter {
        var writer = ByteWriter()
        writer.put(mark)
        writer.put(version)
        writer.put(kind)
        return writer
    }

    static func open<Kind: MessageKind>(_ bytes: [UInt8]) throws(MessageError) -> (kind: Kind, ByteReader) {
        var reader = ByteReader(bytes[...])
        guard try reader.number(UInt32.self) == mark else { throw .malformed }
        let version = try reader.number(UInt16.self)
        guard version == Self.version else { throw .version(version) }
        guard let kind = Kind(rawValue: try reader.number()), bytes.count == kind.size else {
            throw .malformed
        }
        return (kind, reader)
    }
}

/// The kinds of messages of one direction, by their numbers in the header.
protocol MessageKind: RawRepresentable<UInt16> {
    /// Whether its messages have texts or many numbers.
    var isLong: Bool { get }
}

extension MessageKind {
    /// In bytes.
    var size: Int { isLong ? MessageHeader.long : MessageHeader.short }

    /// A message: the header, what `body` writes, and zeros up to the size of the kind.
    func packet(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = MessageHeader.begin(kind: rawValue)
        body(&writer)
        writer.fill(to: size)
        return writer.bytes
    }
}

package protocol Message {
    var encoded: [UInt8] { get }
    init(decoding bytes: [UInt8]) throws(MessageError)
}

/// Writes numbers and texts of fixed width, little-endian.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func put<each Number: FixedWidthInteger>(numbers: repeat each Number) {
        repeat put(each numbers)
    }

    /// Writes a text in `width` bytes: truncated at a character boundary, or padded with zeros.
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

    package func finishExactly() throws(MessageError) {
        if !bytes.isEmpty { throw .malformed }
    }

    /// Requires that all remaining bytes are zero.
    func finish() throws(MessageError) {
        guard bytes.allSatisfy({ $0 == 0 }) else { throw .malformed }
    }
}
