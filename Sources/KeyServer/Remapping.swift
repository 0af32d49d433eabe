import KeyProtocol
import System

/// What is changed in a node's key map while its keys are intercepted.
struct Remapping: Hashable {
    /// The entries of the counted keys.
    var keys: [RemappedKey] = []
    /// Entries that no key sends, which mean the counted keys meanwhile: at most one for each. Without it the node would seem to have
    /// no such key to whoever opens it.
    var spares: [RemappedKey] = []

    /// More entries than any device has counted keys.
    static let maxKeys = 64
    /// More than there are counted keys.
    static let maxSpares = 16

    /// Decides which entries of a map mean what.
    ///
    /// - Parameters:
    ///   - map: the node's key map.
    ///   - bus: the bus of the device, a `BUS_…` number.
    ///   - meanings: the keys that count.
    ///   - hasCode: whether the node has a code.
    /// - Returns: an empty one where no entry has a counted key, or no code is left.
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

    /// Whoever opens the node meanwhile sees that it has these keys.
    var keepsCapabilities: Bool {
        Set(keys.map(\.original)).isSubset(of: spares.map(\.standIn))
    }

    /// Every entry means what it meant when this was planned.
    func isApplicable(to node: borrowing NodeDescriptor) -> Bool {
        for key in keys + spares where key.meaning(on: node) != key.original { return false }
        return true
    }

    /// Every entry is as ``apply(_:)`` leaves it.
    func isApplied(to node: borrowing NodeDescriptor) -> Bool {
        for key in keys + spares where key.meaning(on: node) != key.standIn { return false }
        return true
    }

    /// Changes the map. The spare entries last: as long as an entry means the key the kernel sends no release for one that is down.
    func apply(_ node: borrowing NodeDescriptor) throws(SystemCallError) {
        for key in keys + spares { try key.apply(node) }
    }

    /// Brings the original meanings back, those of the spare entries last: the node has its keys all the time.
    ///
    /// - Returns: false where an entry could not be restored.
    @discardableResult
    func restore(_ node: borrowing NodeDescriptor) -> Bool {
        var isRestored = true
        for key in keys where !key.restore(node) { isRestored = false }
        for spare in spares where isSpare(spare, node) && !spare.restore(node) { isRestored = false }
        return isRestored
    }

    /// Another entry means the same key: a record of somebody else's cannot take a node's only volume key away.
    private func isSpare(_ spare: RemappedKey, _ node: borrowing NodeDescriptor) -> Bool {
        node.keyMap().count { $0.code == spare.standIn } > 1
    }
}
