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

    package init(_ keys: some Sequence<CountedKey>) { self = keys.reduce([]) { $0.union(CountedKeys($1)) } }

    package func contains(_ key: CountedKey) -> Bool { contains(CountedKeys(key)) }
}

package struct KeyChange: Hashable, Sendable {
    package var key: CountedKey
    package var isDown: Bool

    package init(_ key: CountedKey, isDown: Bool) {
        self.key = key
        self.isDown = isDown
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
    /// Presses and releases in order, without autorepeat; at most `capacity`.
    package var changes: [KeyChange]
    package static let capacity = 16

    package init(node: NodeID, stamp: MonotonicTime, changes: [KeyChange]) {
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

    /// Whether there is a code, each is in the kernel's range and has one meaning, and none has more than `capacity`.
    package var isValid: Bool {
        let all = codes.map(\.code)
        return !all.isEmpty && Set(all).count == all.count
            && all.allSatisfy { (1...Self.highestCode).contains($0) }
            && [up, down, reset].allSatisfy { $0.count <= Self.capacity }
    }
}
