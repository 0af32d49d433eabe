package import Linux

/// The function of a key in the counter, whatever its code on the device.
package enum CountedKey: UInt8, CaseIterable, Sendable {
    /// Counts up; KEY_VOLUMEUP unless configured otherwise.
    case up
    /// Counts down; KEY_VOLUMEDOWN unless configured otherwise.
    case down
    /// Resets by itself; no key unless configured.
    case reset
}

/// A set of counted keys, one bit each.
package struct CountedKeys: OptionSet, Hashable, Sendable {
    /// A bit for each key, by its raw value.
    package let rawValue: UInt8
    /// The set with these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The set of one key.
    package init(_ key: CountedKey) { rawValue = 1 << key.rawValue }
}

/// One press or release of a key.
package struct KeyChange: Hashable, Sendable {
    /// The key.
    package var key: CountedKey
    /// True for a press, false for a release.
    package var isDown: Bool

    /// A change of `key`.
    package init(_ key: CountedKey, isDown: Bool) {
        self.key = key
        self.isDown = isDown
    }
}

/// Up to 16 changes in order, packed into one word with three bits each, so that a frame needs no allocation.
package struct KeyChanges: RandomAccessCollection, Hashable, Sendable {
    /// The maximum number of changes.
    package static let capacity = 16
    private var bits: UInt64 = 0
    /// How many changes there are, 0 to `capacity`.
    package private(set) var count = 0

    /// No change.
    package init() {}

    /// The given changes. Those beyond `capacity` are dropped.
    package init(_ changes: some Sequence<KeyChange>) {
        for change in changes where !append(change) { return }
    }

    /// Reads the packed form; `nil` where it is invalid.
    package init?(packed: UInt64, count: Int) {
        guard (0...Self.capacity).contains(count), packed >> (UInt64(count) * 3) == 0 else { return nil }
        bits = packed
        self.count = count
        for place in 0..<count where CountedKey(rawValue: UInt8(packed >> (place * 3) & 3)) == nil {
            return nil
        }
    }

    /// The packed form.
    package var packed: UInt64 { bits }

    /// Adds a change at the end.
    ///
    /// - Returns: false where the frame is full; then the change is not added.
    package mutating func append(_ change: KeyChange) -> Bool {
        guard count < Self.capacity else { return false }
        bits |= (UInt64(change.key.rawValue) | (change.isDown ? 4 : 0)) << (count * 3)
        count += 1
        return true
    }

    /// The index of the first change.
    package var startIndex: Int { 0 }
    /// The index after the last change.
    package var endIndex: Int { count }

    /// The change at an index.
    package subscript(place: Int) -> KeyChange {
        let code = UInt8(truncatingIfNeeded: bits >> (place * 3)) & 7
        return KeyChange(CountedKey(rawValue: code & 3) ?? .reset, isDown: code & 4 != 0)
    }
}

/// Identifies a node while it is open. A key server never uses the same id for another node.
package struct NodeID: Hashable, Sendable {
    /// Any number.
    package let rawValue: UInt32
    /// The id with that number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Identifies an input device as long as any of its nodes exists.
package struct InputDeviceID: Hashable, Sendable {
    /// Any number.
    package let rawValue: UInt32
    /// The id with that number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The counted keys' events of a node between two SYN_REPORTs.
package struct KeyFrame: Hashable, Sendable {
    /// The node that sent the events.
    package var node: NodeID
    /// The kernel's timestamp of the frame.
    package var stamp: MonotonicTime
    /// Presses and releases in order, without autorepeat.
    package var changes: KeyChanges

    /// Creates a frame of a node.
    package init(node: NodeID, stamp: MonotonicTime, changes: KeyChanges) {
        self.node = node
        self.stamp = stamp
        self.changes = changes
    }
}
