package import Linux

/// A node's properties and the state of its counted keys.
package struct NodeReport: Hashable, Sendable {
    package var node: NodeID
    package var device: InputDeviceID
    package var name: String
    /// The `deviceId` of its entries.
    package var stableID: Identifier
    package var path: String
    package var bus: String
    package var keys: CountedKeys
    package var state: NodeState
    /// The state expected in exclusive mode, as far as it can be predicted.
    package var plan: NodeState

    package init(
        node: NodeID, device: InputDeviceID, name: String, stableID: Identifier, path: String, bus: String,
        keys: CountedKeys, state: NodeState, plan: NodeState
    ) {
        (self.node, self.device, self.name, self.stableID) = (node, device, name, stableID)
        (self.path, self.bus, self.keys, self.state, self.plan) = (path, bus, keys, state, plan)
    }
}

package enum NodeState: Hashable, Sendable {
    /// Exclusive: other programs do not receive the counted keys; with `alsoTakes`, nor any other key of the node.
    case exclusive(alsoTakes: Bool)
    /// Of a plan: exclusive, but who opens the node meanwhile does not see that it has the counted keys (EVIOCGBIT).
    case exclusiveUnannounced
    case shared(SharedReason)
    /// The node cannot be opened: the `errno` of `open(2)`, mostly `EACCES`.
    case noAccess(errno: CInt)
}

package enum SharedReason: UInt8, CaseIterable, Sendable {
    /// It is a keyboard, and a grab would withhold all its keys from other programs.
    case keyboard
    case pointer
    /// It has switches, such as those of a lid or a docking station.
    case switches
    case forceFeedback
    /// It has keys that must always work: power, sleep, brightness, radio.
    case systemKeys
    /// It has other keys, which a grab would withhold from other programs.
    case otherKeys
    /// Another program has grabbed it. It sends no events to the server until that program releases it.
    case grabbedElsewhere
    /// `--intercept never` is set.
    case asConfigured
    case inBackground
    /// A key of it is down. The server intercepts it once all keys are up.
    case waitingForRelease
    /// The kernel refused the remap or the grab.
    case refused
    /// No runtime directory is writable, so a remap could not be recorded for repair after a crash.
    case noRuntimeDirectory
    /// Another user's session is active on the device's seat.
    case otherUser
    /// The device belongs to a seat on which this user's session is not active. Its keys are not reported.
    case otherSeat
    /// Another client of this user, which takes precedence, captures its keys: `counter practice`.
    case yielded
}

package enum InputEnvironment: Hashable, Sendable {
    case ready
    /// There is no `/dev/input`. The server waits for it.
    case noDirectory
    /// `/dev/input` cannot be watched; the `errno` of `inotify_add_watch(2)`.
    case unreadable(errno: CInt)
}

/// Why the server has left out key messages.
package enum Interruption: UInt8, CaseIterable, Sendable {
    /// The client did not acknowledge in time. It has acknowledged since.
    case unacknowledged
    /// Another user's session is active. Node states report when that ends.
    case otherSession
}

package enum ServerMessage: Hashable, Sendable {
    /// A node was added, or its state changed.
    case node(NodeReport)
    case nodeGone(NodeID, at: MonotonicTime)
    /// Presses and releases. The client acknowledges them by the number.
    case frame(number: UInt64, KeyFrame)
    /// The kernel dropped events of a node; `down` are the keys that are down now.
    case resynchronized(NodeID, down: CountedKeys, at: MonotonicTime)
    /// Key messages have been left out since `at`. The client treats all keys as released at that time.
    case interrupted(at: MonotonicTime, Interruption)
    /// The state of `/dev/input`. Before the first such message, the server has reported all existing nodes.
    case environment(InputEnvironment)
    case refused(reason: String)
}

extension ServerMessage: Message {
    private enum Kind: UInt16, MessageKind {
        case node = 1, nodeGone, frame, resynchronized, interrupted, environment, refused

        var isLong: Bool { self == .node || self == .refused }
    }

    package var encoded: [UInt8] {
        switch self {
        case .node(let report): Kind.node.packet { $0.put(report) }
        case .nodeGone(let node, let stamp):
            Kind.nodeGone.packet { $0.put(numbers: node.rawValue, stamp.microseconds) }
        case .frame(let number, let frame):
            Kind.frame.packet {
                $0.put(number)
                $0.put(frame)
            }
        case .resynchronized(let node, let down, let stamp):
            Kind.resynchronized.packet { $0.put(numbers: node.rawValue, down.rawValue, stamp.microseconds) }
        case .interrupted(let stamp, let reason):
            Kind.interrupted.packet { $0.put(numbers: stamp.microseconds, reason.rawValue) }
        case .environment(let environment): Kind.environment.packet { $0.put(environment) }
        case .refused(let reason): Kind.refused.packet { $0.put(reason, width: 400) }
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var (kind, reader): (Kind, ByteReader) = try MessageHeader.open(bytes)
        switch kind {
        case .node: self = .node(try reader.report())
        case .nodeGone: self = .nodeGone(try reader.node(), at: try reader.stamp())
        case .frame: self = .frame(number: try reader.number(), try reader.frame())
        case .resynchronized:
            self = .resynchronized(try reader.node(), down: try reader.keys(), at: try reader.stamp())
        case .interrupted: self = .interrupted(at: try reader.stamp(), try reader.value())
        case .environment: self = .environment(try reader.environment())
        case .refused: self = .refused(reason: try reader.text(width: 400))
        }
        try reader.finish()
    }
}

// MARK: - Fields

extension ByteWriter {
    fileprivate mutating func put(_ frame: KeyFrame) {
        // Three bits for each change, the first one lowest: the key, and whether it is down.
        var packed: UInt64 = 0
        for (place, change) in frame.changes.enumerated() {
            packed |= (UInt64(change.key.rawValue) | (change.isDown ? 4 : 0)) << (place * 3)
        }
        put(numbers: frame.node.rawValue, frame.stamp.microseconds, packed, UInt8(frame.changes.count))
    }

    fileprivate mutating func put(_ report: NodeReport) {
        put(numbers: report.node.rawValue, report.device.rawValue, report.keys.rawValue)
        put(report.state)
        put(report.plan)
        put(report.name, width: 128)
        put(report.stableID.text, width: 240)
        put(report.path, width: 64)
        put(report.bus, width: 16)
    }

    private mutating func put(_ state: NodeState) {
        switch state {
        case .exclusive(let alsoTakes): put(numbers: UInt8(1), UInt32(alsoTakes ? 1 : 0))
        case .exclusiveUnannounced: put(numbers: UInt8(1), UInt32(2))
        case .shared(let reason): put(numbers: UInt8(2), UInt32(reason.rawValue))
        case .noAccess(let errno): put(numbers: UInt8(3), UInt32(bitPattern: errno))
        }
    }

    fileprivate mutating func put(_ environment: InputEnvironment) {
        switch environment {
        case .ready: put(UInt8(1))
        case .noDirectory: put(UInt8(2))
        case .unreadable(let errno): put(numbers: UInt8(3), UInt32(bitPattern: errno))
        }
    }
}

extension ByteReader {
    fileprivate mutating func node() throws(MessageError) -> NodeID { NodeID(rawValue: try number()) }

    fileprivate mutating func stamp() throws(MessageError) -> MonotonicTime {
        let microseconds = try number(Int64.self)
        // CLOCK_MONOTONIC counts from boot, so a valid stamp is never negative and never near the type's maximum.
        guard (0...Int64.max / 4).contains(microseconds) else { throw .malformed }
        return MonotonicTime(microseconds: microseconds)
    }

    fileprivate mutating func keys() throws(MessageError) -> CountedKeys {
        let bits = try number(UInt8.self)
        guard bits < 1 << CountedKey.allCases.count else { throw .malformed }
        return CountedKeys(rawValue: bits)
    }

    fileprivate mutating func frame() throws(MessageError) -> KeyFrame {
        let node = try node()
        let stamp = try stamp()
        let packed = try number(UInt64.self)
        let count = Int(try number(UInt8.self))
        guard (1...KeyFrame.capacity).contains(count), packed >> (count * 3) == 0 else { throw .malformed }
        var changes: [KeyChange] = []
        for place in 0..<count {
            let code = UInt8(truncatingIfNeeded: packed >> (place * 3))
            guard let key = CountedKey(rawValue: code & 3) else { throw .malformed }
            changes.append(KeyChange(key, isDown: code & 4 != 0))
        }
        return KeyFrame(node: node, stamp: stamp, changes: changes)
    }

    fileprivate mutating func report() throws(MessageError) -> NodeReport {
        let node = try node()
        let device = InputDeviceID(rawValue: try number())
        let keys = try keys()
        let state = try state()
        let plan = try self.state()
        return NodeReport(
            node: node, device: device, name: try text(width: 128),
            stableID: Identifier(try text(width: 240)),
            path: try text(width: 64), bus: try text(width: 16), keys: keys, state: state,
            plan: plan)
    }

    private mutating func state() throws(MessageError) -> NodeState {
        let kind = try number(UInt8.self)
        let detail = try number(UInt32.self)
        switch kind {
        case 1 where detail == 2: return .exclusiveUnannounced
        case 1 where detail <= 1: return .exclusive(alsoTakes: detail == 1)
        case 2:
            guard let reason = UInt8(exactly: detail).flatMap(SharedReason.init) else { throw .malformed }
            return .shared(reason)
        case 3: return .noAccess(errno: CInt(bitPattern: detail))
        default: throw .malformed
        }
    }

    fileprivate mutating func environment() throws(MessageError) -> InputEnvironment {
        switch try number(UInt8.self) {
        case 1: return .ready
        case 2: return .noDirectory
        case 3: return .unreadable(errno: CInt(bitPattern: try number(UInt32.self)))
        default: throw .malformed
        }
    }
}
