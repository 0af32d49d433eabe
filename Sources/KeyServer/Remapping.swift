import CEvdev
import KeyProtocol
import Linux

/// The changes of a node's key map while its keys are intercepted.
struct Remapping: Hashable {
    var keys: [RemappedKey] = []
    /// Entries that no key sends, mapped to the counted keys meanwhile: at most one for each key. Without them a
    /// program that opens the node would find that it has no such key.
    var spares: [RemappedKey] = []

    /// The largest number of entries of counted keys in a record, more than any device has.
    static let maxKeys = 64
    /// The largest number of spare entries in a record, more than there are counted keys.
    static let maxSpares = 16

    /// Plans the changes, on a bus with that `BUS_…` number. Empty without a counted key or with too few free stand-ins.
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
    var keepsCapabilities: Bool { Set(keys.map(\.original)).isSubset(of: spares.map(\.standIn)) }

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

    /// Spare entries last: as long as an entry is mapped to a key, the kernel sends no release where it is down.
    func apply(_ node: borrowing NodeDescriptor) throws(SystemCallError) {
        for key in keys + spares { try key.apply(node) }
    }

    /// Spare entries last, so that the node has its keys all the time. False if an entry could not be restored.
    @discardableResult
    func restore(_ node: borrowing NodeDescriptor) -> Bool {
        var isRestored = true
        for key in keys where !key.restore(node) { isRestored = false }
        for spare in spares where isSpare(spare, node) && !spare.restore(node) { isRestored = false }
        return isRestored
    }

    /// Whether another entry has the same key: no other user's record can take away a node's only volume key.
    private func isSpare(_ spare: RemappedKey, _ node: borrowing NodeDescriptor) -> Bool {
        node.keyMap().count { $0.code == spare.standIn } > 1
    }
}

/// A changed entry of a key map: its code is `standIn` until it is restored to `original`.
struct RemappedKey: Hashable {
    let scanCode: [UInt8]
    let original: UInt16
    let standIn: UInt16
    let index: UInt16
}

extension RemappedKey {
    /// The codes that stand in for counted keys: no desktop binds them, and keyboards that have them are rare.
    static let standIns = UInt16(KEY_MACRO1)...UInt16(KEY_MACRO30)

    init(_ entry: KeyMapEntry, standIn: UInt16) {
        self.init(scanCode: entry.scanCode, original: entry.code, standIn: standIn, index: entry.index)
    }

    /// Whether the service intercepts its original: no other user's record can map a key to anything but a counting key.
    var isServed: Bool { ServedKeys.contains(original) }

    /// Whether both change the same entry of the map.
    func isSameEntry(as other: RemappedKey) -> Bool { scanCode == other.scanCode && index == other.index }

    func meaning(on node: borrowing NodeDescriptor) -> UInt16? { node.code(of: scanCode, at: index) }

    /// Leaves an entry that another program has changed meanwhile. False if the entry still has the stand-in.
    @discardableResult
    func restore(_ node: borrowing NodeDescriptor) -> Bool {
        guard meaning(on: node) == standIn else { return true }
        try? node.set(KeyMapEntry(scanCode: scanCode, code: original, index: index))
        return meaning(on: node) != standIn
    }

    func apply(_ node: borrowing NodeDescriptor) throws(SystemCallError) {
        try node.set(KeyMapEntry(scanCode: scanCode, code: standIn, index: index))
    }
}

// MARK: - Its bytes in a record

extension RemappedKey {
    func write(to writer: inout ByteWriter) {
        writer.put(UInt8(scanCode.count))
        for index in 0..<32 { writer.put(scanCode.indices.contains(index) ? scanCode[index] : 0) }
        writer.put(numbers: original, standIn, index)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        try self.init(fieldsFrom: &reader)
        guard (1..<UInt16(KEY_CNT)).contains(original), Self.standIns.contains(standIn) else {
            throw .malformed
        }
    }

    /// A spare entry stands for one of the record's counted keys, and is no entry of theirs.
    init(spareFrom reader: inout ByteReader, of keys: [RemappedKey]) throws(MessageError) {
        try self.init(fieldsFrom: &reader)
        let spare = self
        guard SpareEntry.codes.contains(original), keys.contains(where: { $0.original == spare.standIn }),
            !keys.contains(where: { $0.isSameEntry(as: spare) })
        else { throw .malformed }
    }

    private init(fieldsFrom reader: inout ByteReader) throws(MessageError) {
        let count = Int(try reader.number(UInt8.self))
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(try reader.number()) }
        guard (1...32).contains(count), bytes[count...].allSatisfy({ $0 == 0 }) else { throw .malformed }
        scanCode = Array(bytes.prefix(count))
        original = try reader.number()
        standIn = try reader.number()
        index = try reader.number()
        guard index < NodeDescriptor.maxEntries else { throw .malformed }
    }
}

/// Finds the entries of a key map that no key sends.
///
/// The kernel clears a node's capability bit when no entry is mapped to that key any more, and programs read the bits
/// only when they open the node. A spare entry that is mapped to the key keeps the bit.
enum SpareEntry {
    /// The codes of a spare entry, which stand for no key.
    static let codes = [UInt16(KEY_RESERVED), UInt16(KEY_UNKNOWN)]

    /// Chooses spare entries, the last ones first: hardware that sends undocumented codes sends low ones. Only the
    /// drivers of AT and HID keyboards list entries without a key.
    static func all(in map: [KeyMapEntry], bus: UInt16) -> [KeyMapEntry] {
        let isAT = Bus(rawValue: bus) == .i8042
        return map.reversed().filter { entry in
            isAT ? entry.code == KEY_RESERVED : codes.contains(entry.code) && isSpareUsage(entry)
        }
    }

    /// Whether an entry is a usage of the keyboard or consumer page: entries of other pages may be axes or sensors.
    /// The usages 0 to 3 of the keyboard page are status codes, not keys.
    private static func isSpareUsage(_ entry: KeyMapEntry) -> Bool {
        guard let page = entry.usagePage, [0x07, 0x0C].contains(page) else { return false }
        return entry.scanCode[0] > 3 || entry.scanCode[1] > 0
    }
}

extension KeyMapEntry {
    /// The upper half of a scan code of four bytes: in a HID map, the usage page (see "HID Usage Tables").
    fileprivate var usagePage: UInt16? {
        scanCode.count == 4 ? UInt16(scanCode[2]) | UInt16(scanCode[3]) << 8 : nil
    }
}

extension [KeyMapEntry] {
    /// The entries that take effect when they are changed through this node. All nodes of a HID device show the map
    /// that they share, but a change takes effect on the node through which it is made.
    ///
    /// The kernel makes a node for each application collection of the device, and each has usage pages of its own. So a
    /// page belongs to the node that has at least half of its keys, counted ones aside: they may be on several nodes.
    func owned(isCounted: (UInt16) -> Bool, hasCode: (UInt16) -> Bool) -> [KeyMapEntry] {
        let pages = Dictionary(grouping: self, by: \.usagePage)
        let owned = pages.filter { _, entries in
            let others = entries.filter { !SpareEntry.codes.contains($0.code) && !isCounted($0.code) }
            return others.count { hasCode($0.code) } * 2 >= others.count
        }
        return filter { owned.keys.contains($0.usagePage) }
    }
}
