/// Why a message was rejected. The error ends the connection.
package enum MessageError: Error, Hashable, CustomStringConvertible {
    /// Too short, too long, of an unknown kind, or with a field out of its range.
    case malformed
    /// The peer uses another version of the protocol.
    case version(UInt16)
    /// More messages than any client needs to send.
    case tooManyMessages
    /// This user is not authorised to use the service.
    case unauthorised
    /// There are too many connections, or they arrive too fast.
    case tooManyConnections
    /// The configuration names a key that the service does not serve: see ``ServedKeys``.
    case unservedKey
    /// The service follows no symbolic links except udev's.
    case path

    /// The reason in words.
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
package enum MessageHeader {
    package static let mark: UInt32 = 0x79_65_6B_63  // "ckey"
    package static let version: UInt16 = 1
    package static let size = 8
    /// The size in bytes of key frames and other messages without texts.
    package static let short = 64
    /// The size in bytes of messages with texts.
    package static let long = 512

    /// Writes the header of a message.
    package static func begin(kind: UInt16) -> ByteWriter {
        var writer = ByteWriter()
        writer.put(mark)
        writer.put(version)
        writer.put(kind)
        return writer
    }

    /// The bytes of a message: its header, what `body` writes, and zeros up to the size of its kind.
    static func packet(_ kind: some MessageKind, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = begin(kind: kind.rawValue)
        body(&writer)
        writer.fill(to: kind.size)
        return writer.bytes
    }

    /// Checks the header and the size.
    ///
    /// - Returns: the kind, and a reader of the bytes after the header.
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
    /// The size of the kind's messages in bytes.
    var size: Int { get }
}

/// A message on the key socket.
package protocol Message {
    /// The bytes of its packet.
    var encoded: [UInt8] { get }
    /// Decodes the bytes of one packet.
    init(decoding bytes: [UInt8]) throws(MessageError)
}
