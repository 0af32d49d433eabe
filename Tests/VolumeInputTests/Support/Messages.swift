import Linux
import TestSupport

@testable import KeyProtocol

/// Messages of every kind, with fields at the ends of their ranges.
enum Messages {
    static let server: [ServerMessage] = {
        let states: [NodeState] =
            [
                .exclusive(alsoTakes: true), .exclusive(alsoTakes: false), .exclusiveUnannounced,
                .noAccess(errno: 13),
                .noAccess(errno: .min),
            ]
            + SharedReason.allCases.map(NodeState.shared)
        let reports = states.flatMap {
            [
                report(state: $0, plan: .exclusive(alsoTakes: true)),
                report(state: .exclusive(alsoTakes: false), plan: $0),
            ]
        }
        return reports.map(ServerMessage.node) + [
            .nodeGone(NodeID(rawValue: .max), at: MonotonicTime(microseconds: 0)),
            .frame(number: .max, frame([KeyChange(.up, isDown: true)])),
            .frame(number: 1, frame(Array(repeating: KeyChange(.reset, isDown: true), count: 16))),
            .resynchronized(NodeID(rawValue: 3), down: CountedKeys(rawValue: 7), at: last),
            .resynchronized(NodeID(rawValue: 3), down: [], at: last),
            .interrupted(at: last, .unacknowledged), .interrupted(at: last, .otherSession),
            .environment(.ready), .environment(.noDirectory), .environment(.unreadable(errno: 13)),
            .refused(reason: ""), .refused(reason: "malformed message"),
        ]
    }()

    static let client: [ClientMessage] =
        CaptureMode.allCases.map(ClientMessage.capture) + [
            .configure(.volumeKeys),
            .configure(KeyMeanings(up: Array(1...8), down: Array(9...16), reset: Array(0x2F8...0x2FF))),
            .only(path: "/dev/input/by-id/usb-Käthe-event-kbd"), .only(path: ""),
            .ignore(stableID: "usb:046d:c52b:usb-1", true), .ignore(stableID: "", false),
            .acknowledge(number: 0), .acknowledge(number: .max), .takePrecedence,
        ]

    private static let last = MonotonicTime(microseconds: .max / 4)

    static func frame(_ changes: [KeyChange]) -> KeyFrame {
        KeyFrame(node: NodeID(rawValue: 9), stamp: MonotonicTime(microseconds: 1_234_567), changes: changes)
    }

    static func report(name: String = "Käthe's Remote", state: NodeState, plan: NodeState) -> NodeReport {
        NodeReport(
            node: NodeID(rawValue: 1), device: InputDeviceID(rawValue: .max), name: name,
            stableID: "usb:046d:c52b:usb-1",
            path: "/dev/input/event3", bus: "usb", keys: CountedKeys([.up, .down]), state: state,
            plan: plan)
    }

    /// Checks that a message is decoded as it was encoded, and that no other bytes are accepted. The faults, in words.
    static func faults<Kind: Message & Hashable>(of message: Kind) -> [String] {
        let bytes = message.encoded
        var faults: [String] = []
        if (try? Kind(decoding: bytes)) != message { faults.append("comes out otherwise") }
        if ![MessageHeader.short, MessageHeader.long].contains(bytes.count) {
            faults.append("size \(bytes.count)")
        }
        for count in 0..<bytes.count where (try? Kind(decoding: Array(bytes[..<count]))) != nil {
            faults.append("accepted when cut to \(count)")
        }
        for extra in [1, 7, 64, 448, 512] {
            let longer = bytes + [UInt8](repeating: 0, count: extra)
            if (try? Kind(decoding: longer)) != nil { faults.append("accepted with \(extra) more") }
        }
        return faults + faultsOfFlips(of: message, bytes)
    }

    /// A message with a flipped byte is refused, or is another valid message, whose encoding is exactly these bytes.
    private static func faultsOfFlips<Kind: Message & Hashable>(of message: Kind, _ bytes: [UInt8])
        -> [String]
    {
        var faults: [String] = []
        for place in bytes.indices {
            for flip in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] ^= flip
                guard let other = try? Kind(decoding: changed) else { continue }
                // The mark and the version.
                if place < 6 {
                    faults.append("accepted with byte \(place) of the header changed")
                }
                if other == message { faults.append("byte \(place) means nothing") }
            }
        }
        return faults
    }
}

extension KeyFrame {
    /// One press or release on a node.
    init(_ key: CountedKey, isDown: Bool, at stamp: MonotonicTime, on node: UInt32 = 1) {
        self.init(
            node: NodeID(rawValue: node), stamp: stamp, changes: [KeyChange(key, isDown: isDown)])
    }
}

/// Makes messages that are almost valid.
enum ChangedMessages {
    /// A changed valid message, mostly of a size that is parsed.
    static func next(of valid: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = valid[random.below(valid.count)]
        let size = bytes.count
        if random.below(2) == 0 {
            for _ in 0...random.below(3) {
                bytes[random.below(size)] = UInt8(truncatingIfNeeded: random.next())
            }
            return bytes
        }
        bytes = Mutation.of(bytes, splicing: valid[random.below(valid.count)], &random)
        guard random.below(4) != 0 else { return bytes }
        return Array((bytes + [UInt8](repeating: 0, count: size)).prefix(size))
    }

    /// Random bytes, half of them behind a valid header.
    static func random(of kinds: Range<UInt16>, _ random: inout SplitMix64) -> [UInt8] {
        let size = random.element(of: [0, 8, 63, 64, 512])
        var bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if size >= 8, random.below(2) == 0 {
            let kind = kinds.lowerBound + UInt16(random.below(kinds.count))
            bytes.replaceSubrange(0..<8, with: MessageHeader.begin(kind: kind).bytes)
        }
        return bytes
    }
}
