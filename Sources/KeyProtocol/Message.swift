/// Why a message was not accepted; it ends the connection.
public enum MessageError: Error, Hashable, CustomStringConvertible {
    /// Too short, too long, of an unknown kind, or with a field out of its range.
    case malformed
    /// The other end speaks another version of these messages.
    case version(UInt16)
    /// More messages than anybody needs to send.
    case flood
    /// The service is not for this user.
    case stranger
    /// There are too many connections, or they come too fast.
    case crowd
    /// The service is not for every key: see ``ServedKeys``.
    case unservedKey
    /// The service follows no links but those of udev.
    case path

    /// The reason in words.
    public var description: String {
        switch self {
        case .malformed: "malformed message"
        case .flood: "too many messages"
        case .stranger: "you have no session at this machine, and are not in group counter"
        case .crowd: "too many connections"
        case .unservedKey: "it serves \(ServedKeys.summary) only"
        case .path: "it knows nodes only by their names in /dev"
        case .version(let version):
            "the other program speaks version \(version) of the key messages, this one \(MessageHeader.version)"
        }
    }
}

/// What every message begins with: a mark, the version, the kind. Every message of a kind has the same size.
package enum MessageHeader {
    package static let mark: UInt32 = 0x79_65_6B_63  // "ckey"
    package static let version: UInt16 = 1
    package static let size = 8
    /// Key frames and other short messages.
    package static let short = 64
    /// Messages with texts.
    package static let long = 512

    package static func begin(kind: UInt16) -> ByteWriter {
        var writer = ByteWriter()
        writer.put(mark)
        writer.put(version)
        writer.put(kind)
        return writer
    }

    /// Checks the header.
    ///
    /// - Returns: the kind, and a reader of what follows.
    package static func open(_ bytes: [UInt8]) throws(MessageError) -> (kind: UInt16, ByteReader) {
        var reader = ByteReader(bytes[...])
        guard try reader.number(UInt32.self) == mark else { throw .malformed }
        let version = try reader.number(UInt16.self)
        guard version == Self.version else { throw .version(version) }
        return (try reader.number(), reader)
    }
}

/// Something that crosses the key socket.
package protocol Message {
    /// The bytes of one packet.
    var encoded: [UInt8] { get }
    /// Reads one packet.
    init(decoding bytes: [UInt8]) throws(MessageError)
}
