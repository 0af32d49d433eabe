package import Linux

/// The function of a key in the counter, whatever its code on the device.
package enum CountedKey: UInt8, CaseIterable, Sendable {
    case up
    case down
    /// Resets by itself; no key unless configured.
    case reset
}

/// A set of counted keys, one bit each.
package struct CountedKeys: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ key: CountedKey) { rawValue = 1 << key.rawValue }
}

package struct KeyChange: Hashable, Sendable {
    package var key: CountedKey
    package var isDown: Bool

    package init(_ key: CountedKey, isDown: Bool) {
        self.key = key
        self.isDown = isDown
    }
}

/// Up to 16 changes in order, packed into one word with three bits each, so that a frame needs no allocation.
package struct KeyChanges: RandomAccessCollection, Hashable, Sendable {
    package static let capacity = 16
    private var bits: UInt64 = 0
    package private(set) var count = 0

    package init() {}

    /// Those beyond `capacity` are dropped.
    package init(_ changes: some Sequence<KeyChange>) {
        for change in changes where !append(change) { return }
    }

    /// `nil` where the packed form is invalid.
    package init?(packed: UInt64, count: Int) {
        guard (0...Self.capacity).contains(count), packed >> (UInt64(count) * 3) == 0 else { return nil }
        bits = packed
        self.count = count
        for place in 0..<count where CountedKey(rawValue: UInt8(packed >> (place * 3) & 3)) == nil {
            return nil
        }
    }

    package var packed: UInt64 { bits }

    /// False where the frame is full; then the change is not added.
    package mutating func append(_ change: KeyChange) -> Bool {
        guard count < Self.capacity else { return false }
        bits |= (UInt64(change.key.rawValue) | (change.isDown ? 4 : 0)) << (count * 3)
        count += 1
        return true
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(place: Int) -> KeyChange {
        let code = UInt8(truncatingIfNeeded: bits >> (place * 3)) & 7
        return KeyChange(CountedKey(rawValue: code & 3) ?? .reset, isDown: code & 4 != 0)
    }
}

/// Identifies a node while it is open. A key server never uses the same id for another node.
package struct NodeID: Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Identifies an input device as long as any of its nodes exists.
package struct InputDeviceID: Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The counted keys' events of a node between two SYN_REPORTs, with the kernel's stamp.
package struct KeyFrame: Hashable, Sendable {
    package var node: NodeID
    package var stamp: MonotonicTime
    /// Presses and releases in order, without autorepeat.
    package var changes: KeyChanges

    package init(node: NodeID, stamp: MonotonicTime, changes: KeyChanges) {
        self.node = node
        self.stamp = stamp
        self.changes = changes
    }
}

/// Which key codes of `<linux/input-event-codes.h>` count, and as what.
package struct KeyMeanings: Hashable, Sendable {
    /// The maximum number of codes for each meaning, for which the `configure` message has room.
    package static let capacity = 8
    /// The highest key code that the kernel knows (KEY_MAX).
    package static let highestCode: UInt16 = 0x2FF

    package var up: [UInt16]
    package var down: [UInt16]
    package var reset: [UInt16]

    /// The volume keys, KEY_VOLUMEUP (115) and KEY_VOLUMEDOWN (114).
    package static let volumeKeys = KeyMeanings(up: [115], down: [114], reset: [])

    package init(up: [UInt16], down: [UInt16], reset: [UInt16]) {
        (self.up, self.down, self.reset) = (up, down, reset)
    }

    package var codes: [(code: UInt16, key: CountedKey)] {
        up.map { ($0, .up) } + down.map { ($0, .down) } + reset.map { ($0, .reset) }
    }

    package func key(for code: UInt16) -> CountedKey? { codes.first { $0.code == code }?.key }

    /// Whether every code is in the kernel's range and has one meaning, at least one code is given, and no meaning has more
    /// than `capacity`.
    package var isValid: Bool {
        let all = codes.map(\.code)
        return !all.isEmpty && Set(all).count == all.count
            && all.allSatisfy { (1...Self.highestCode).contains($0) }
            && [up, down, reset].allSatisfy { $0.count <= Self.capacity }
    }
}
