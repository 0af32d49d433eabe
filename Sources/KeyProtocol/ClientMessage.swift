/// The capture mode that a client requests for the counted keys.
public enum CaptureMode: UInt8, CaseIterable, Comparable, Sendable {
    /// Off: the keys are not intercepted, and the server sends no key messages.
    case off
    /// Shared: the server sends the keys, and other programs receive them too.
    case shared
    /// Exclusive: the server sends the keys and withholds them from other programs, on every node where that affects no other
    /// function of the device.
    case exclusive

    /// Orders the modes by how much they take from other programs.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A message from a client to the key server.
public enum ClientMessage: Hashable, Sendable {
    /// Which keys count. It is the first message, and is sent once.
    case configure(KeyMeanings)
    /// Restricts the server to this node (a path) and those of further such messages. Sent before `capture`.
    case only(path: String)
    /// Whether the server leaves an input device, given by its stable id, untouched.
    case ignore(stableID: String, Bool)
    /// Changes the capture mode. The first such message starts the search for devices.
    case capture(CaptureMode)
    /// Acknowledges the key message with this number and all before it.
    case acknowledge(number: UInt64)
}

extension ClientMessage {
    /// Whether the message is only an acknowledgement, without a request.
    package var isAcknowledgement: Bool { if case .acknowledge = self { true } else { false } }
}

extension ClientMessage: Message {
    private enum Kind: UInt16 {
        case configure = 101, only, ignore, capture, acknowledge

        var size: Int {
            switch self {
            case .configure, .only, .ignore: MessageHeader.long
            case .capture, .acknowledge: MessageHeader.short
            }
        }
    }

    private var kind: Kind {
        switch self {
        case .configure: .configure
        case .only: .only
        case .ignore: .ignore
        case .capture: .capture
        case .acknowledge: .acknowledge
        }
    }

    /// Enough for any reasonable path of a node, or of a link to one.
    static let pathWidth = 480

    package var encoded: [UInt8] {
        var writer = MessageHeader.begin(kind: kind.rawValue)
        switch self {
        case .configure(let meanings): writer.put(meanings)
        case .only(let path): writer.put(path, width: Self.pathWidth)
        case .ignore(let stableID, let isIgnored):
            writer.put(UInt8(isIgnored ? 1 : 0))
            writer.put(stableID, width: 240)
        case .capture(let captureMode): writer.put(captureMode.rawValue)
        case .acknowledge(let number): writer.put(number)
        }
        writer.fill(to: kind.size)
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var (number, reader) = try MessageHeader.open(bytes)
        guard let kind = Kind(rawValue: number), bytes.count == kind.size else { throw .malformed }
        switch kind {
        case .configure: self = .configure(try reader.meanings())
        case .only: self = .only(path: try reader.text(width: Self.pathWidth))
        case .ignore:
            let flag = try reader.number(UInt8.self)
            guard flag <= 1 else { throw .malformed }
            self = .ignore(stableID: try reader.text(width: 240), flag == 1)
        case .capture: self = .capture(try reader.value())
        case .acknowledge: self = .acknowledge(number: try reader.number())
        }
        try reader.finish()
    }
}

extension ByteWriter {
    fileprivate mutating func put(_ meanings: KeyMeanings) {
        for codes in [meanings.up, meanings.down, meanings.reset] {
            let padded = codes.prefix(KeyMeanings.capacity) + repeatElement(0, count: KeyMeanings.capacity)
            for code in padded.prefix(KeyMeanings.capacity) { put(code) }
        }
    }
}

extension ByteReader {
    fileprivate mutating func meanings() throws(MessageError) -> KeyMeanings {
        let meanings = KeyMeanings(up: try codes(), down: try codes(), reset: try codes())
        guard meanings.isValid else { throw .malformed }
        return meanings
    }

    private mutating func codes() throws(MessageError) -> [UInt16] {
        var codes: [UInt16] = []
        for _ in 0..<KeyMeanings.capacity { codes.append(try number()) }
        let used = codes.prefix { $0 != 0 }
        guard codes.dropFirst(used.count).allSatisfy({ $0 == 0 }) else { throw .malformed }
        return Array(used)
    }
}
