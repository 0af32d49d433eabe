package import Linux

/// The capture mode that a client requests for the counted keys.
package enum CaptureMode: UInt8, CaseIterable, Comparable, Sendable {
    /// Off: the keys are not intercepted, and the server sends no key messages.
    case off
    /// Shared: the server sends the keys, and other programs receive them too.
    case shared
    /// Exclusive: the server sends the keys and withholds them from others, where that affects nothing else of the device.
    case exclusive

    /// Orders the modes by how much they take from other programs.
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

package enum ClientMessage: Hashable, Sendable {
    /// Which keys count. It is the first message, and is sent once.
    case configure(KeyMeanings)
    /// Restricts the server to this node (a path) and those of further such messages. Sent before `capture`.
    case only(path: String)
    /// While the client captures keys, the same user's other clients yield them. Sent before `capture`.
    case takePrecedence
    /// Whether the server leaves an input device, given by its stable id, untouched.
    case ignore(stableID: Identifier, Bool)
    /// Changes the capture mode. The first such message starts the search for devices.
    case capture(CaptureMode)
    /// Acknowledges the key message with this number and all before it.
    case acknowledge(number: UInt64)
}

extension ClientMessage: Message {
    private enum Kind: UInt16, MessageKind {
        case configure = 101, only, ignore, capture, acknowledge, takePrecedence

        var isLong: Bool { [.configure, .only, .ignore].contains(self) }
    }

    /// Enough for any reasonable path of a node, or of a link to one.
    static let pathWidth = 480

    package var encoded: [UInt8] {
        switch self {
        case .configure(let meanings): Kind.configure.packet { $0.put(meanings) }
        case .only(let path): Kind.only.packet { $0.put(path, width: Self.pathWidth) }
        case .ignore(let stableID, let isIgnored):
            Kind.ignore.packet {
                $0.put(UInt8(isIgnored ? 1 : 0))
                $0.put(stableID.text, width: 240)
            }
        case .capture(let captureMode): Kind.capture.packet { $0.put(captureMode.rawValue) }
        case .acknowledge(let number): Kind.acknowledge.packet { $0.put(number) }
        case .takePrecedence: Kind.takePrecedence.packet { _ in }
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var (kind, reader): (Kind, ByteReader) = try MessageHeader.open(bytes)
        switch kind {
        case .configure: self = .configure(try reader.meanings())
        case .only: self = .only(path: try reader.text(width: Self.pathWidth))
        case .ignore:
            let flag = try reader.number(UInt8.self)
            guard flag <= 1 else { throw .malformed }
            self = .ignore(stableID: Identifier(try reader.text(width: 240)), flag == 1)
        case .capture: self = .capture(try reader.value())
        case .acknowledge: self = .acknowledge(number: try reader.number())
        case .takePrecedence: self = .takePrecedence
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

/// The settings that a client sends in its first messages, and again after each restart of the key server.
package struct KeyClientSettings: Hashable, Sendable {
    package var meanings = KeyMeanings.volumeKeys
    /// The paths of the only nodes to read; empty for all nodes.
    package var onlyPaths: [String] = []
    package static let maxPaths = 256
    /// The input devices to leave untouched, by their stable ids; at most `maxIgnored`.
    package private(set) var ignoredDevices: Set<Identifier> = []
    package static let maxIgnored = 1024
    /// Whether the same user's other clients yield the keys while this one captures them.
    package var takesPrecedence = false

    package init() {}

    /// Whether this is a change. It is none where that would be one device too many: both ends come to the same devices.
    @discardableResult
    package mutating func ignore(_ stableID: Identifier, _ isIgnored: Bool = true) -> Bool {
        guard isIgnored else { return ignoredDevices.remove(stableID) != nil }
        return ignoredDevices.count < Self.maxIgnored && ignoredDevices.insert(stableID).inserted
    }
}
