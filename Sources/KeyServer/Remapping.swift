import KeyProtocol
import Linux

/// The changes of a node's key map while its keys are intercepted.
struct Remapping: Hashable {
    /// The entries of the counted keys.
    var keys: [RemappedKey] = []
    /// Entries that no key sends, mapped to the counted keys meanwhile: at most one for each key. Without them a
    /// program that opens the node would find that it has no such key.
    var spares: [RemappedKey] = []

    /// The largest number of entries of counted keys in a record, more than any device has.
    static let maxKeys = 64
    /// The largest number of spare entries in a record, more than there are counted keys.
    static let maxSpares = 16

    /// Plans which entries are changed, and to what.
    ///
    /// - Parameters:
    ///   - map: the node's key map.
    ///   - bus: the bus of the device, a `BUS_…` number.
    ///   - meanings: the keys that count.
    ///   - hasCode: whether the node has a code.
    /// - Returns: an empty remapping if no entry has a counted key, or too few stand-in codes are free.
    static func plan(
        for map: [KeyMapEntry], bus: UInt16, meanings: KeyMeanings, hasCode: (UInt16) -> Bool
    ) -> Remapping {
        let own = map.owned(isCounted: { meanings.key(for: $0) != nil }, hasCode: hasCode)
        let used = Set(map.map(\.code))
        var free = RemappedKey.standIns.filter {
            !hasCode($0) && !used.contains($0) && meanings.key(for: $0) == nil
        }[...]
        var chosen: [UInt16: UInt16] = [:]
        var plan = Remapping()
        for entry in own where meanings.key(for: entry.code) != nil {
            guard let standIn = chosen[entry.code] ?? free.popFirst() else { return Remapping() }
            chosen[entry.code] = standIn
            plan.keys.append(RemappedKey(entry, standIn: standIn))
        }
        plan.spares = zip(SpareEntry.all(in: own, bus: bus), chosen.keys.sorted()).prefix(maxSpares).map {
            RemappedKey($0, standIn: $1)
        }
        return plan.keys.count <= maxKeys ? plan : Remapping()
    }

    var isEmpty: Bool { keys.isEmpty }

    /// Whether a program that opens the node meanwhile sees that it has these keys.
    var keepsCapabilities: Bool {
        Set(keys.map(\.original)).isSubset(of: spares.map(\.standIn))
    }

    /// Whether every entry is still as it was when this was planned.
    func isApplicable(to node: borrowing NodeDescriptor) -> Bool {
        for key in keys + spares where key.meaning(on: node) != key.original { return false }
        return true
    }

    /// Whether every entry is as ``apply(_:)`` leaves it.
    func isApplied(to node: borrowing NodeDescriptor) -> Bool {
        for key in keys + spares where key.meaning(on: node) != key.standIn { return false }
        return true
    }

    /// Changes the map, spare entries last: as long as an entry is mapped to the key, the kernel sends no release for
    /// one that is down.
    func apply(_ node: borrowing NodeDescriptor) throws(SystemCallError) {
        for key in keys + spares { try key.apply(node) }
    }

    /// Restores the original codes, spare entries last, so that the node has its keys all the time.
    ///
    /// - Returns: false if an entry could not be restored.
    @discardableResult
    func restore(_ node: borrowing NodeDescriptor) -> Bool {
        var isRestored = true
        for key in keys where !key.restore(node) { isRestored = false }
        for spare in spares where isSpare(spare, node) && !spare.restore(node) { isRestored = false }
        return isRestored
    }

    /// Whether another entry has the same key. So a record that another user wrote cannot take away a node's only
    /// volume key.
    private func isSpare(_ spare: RemappedKey, _ node: borrowing NodeDescriptor) -> Bool {
        node.keyMap().count { $0.code == spare.standIn } > 1
    }
}
