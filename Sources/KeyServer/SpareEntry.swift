import CEvdev

/// Finds the entries of a key map that no key sends.
///
/// The kernel clears a node's capability bit when no entry is mapped to that key any more, and programs read the bits
/// only when they open the node. A spare entry that is mapped to the key keeps the bit.
enum SpareEntry {
    /// The codes of a spare entry, which stand for no key.
    static let codes = [UInt16(KEY_RESERVED), UInt16(KEY_UNKNOWN)]

    /// Chooses spare entries, the last ones first: hardware that sends undocumented codes sends low ones.
    ///
    /// - Parameters:
    ///   - map: the node's own entries.
    ///   - bus: the bus of the device, a `BUS_…` number. Only the drivers of AT and HID keyboards list entries
    ///     without a key.
    /// - Returns: an empty list if each entry is a key's.
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
    /// The entries that belong to a node. All nodes of a HID device show the map that they share, but a change takes
    /// effect on the node through which it is made.
    ///
    /// The kernel makes a node for each application collection of the device, and each has usage pages of its own. So
    /// a page belongs to the node that has at least half of its keys.
    ///
    /// - Parameters:
    ///   - isCounted: whether a key counts. Such keys do not decide, because they may be on several nodes.
    ///   - hasCode: whether the node has a key.
    /// - Returns: the entries that take effect when they are changed through this node.
    func owned(isCounted: (UInt16) -> Bool, hasCode: (UInt16) -> Bool) -> [KeyMapEntry] {
        let pages = Dictionary(grouping: self, by: \.usagePage)
        let owned = pages.filter { _, entries in
            let others = entries.filter { !SpareEntry.codes.contains($0.code) && !isCounted($0.code) }
            return others.count { hasCode($0.code) } * 2 >= others.count
        }
        return filter { owned.keys.contains($0.usagePage) }
    }
}
