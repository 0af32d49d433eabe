import CEvdev

/// The entries of a key map that no key sends.
///
/// The kernel clears a node's capability bit when no entry of its map means that key any more, and programs read the bits once,
/// when they open the node. A spare entry that means the key keeps the bit.
enum SpareEntry {
    /// What a spare entry means: nothing.
    static let codes = [UInt16(KEY_RESERVED), UInt16(KEY_UNKNOWN)]

    /// Chooses spare entries, the last ones first: hardware that sends more than it should sends low numbers.
    ///
    /// - Parameters:
    ///   - map: the entries of the node itself.
    ///   - bus: the bus of the device, a `BUS_…` number. Other drivers than those of AT and HID keyboards list real keys only.
    /// - Returns: none where each entry is a key's.
    static func all(in map: [KeyMapEntry], bus: UInt16) -> [KeyMapEntry] {
        let isAT = Bus(rawValue: bus) == .i8042
        return map.reversed().filter { entry in
            isAT ? entry.code == KEY_RESERVED : codes.contains(entry.code) && isSpareUsage(entry)
        }
    }

    /// Usages of the keyboard and the consumer page: what is mapped of others may be an axis or a sensor. Of the keyboard page
    /// 0 to 3 are no keys, but what a keyboard says of itself in their place.
    private static func isSpareUsage(_ entry: KeyMapEntry) -> Bool {
        guard let page = entry.usagePage, [0x07, 0x0C].contains(page) else { return false }
        return entry.scanCode[0] > 3 || entry.scanCode[1] > 0
    }
}

extension KeyMapEntry {
    /// The upper half of a scan code of four bytes, which in a HID map is the usage page (see "HID Usage Tables").
    fileprivate var usagePage: UInt16? {
        scanCode.count == 4 ? UInt16(scanCode[2]) | UInt16(scanCode[3]) << 8 : nil
    }
}

extension [KeyMapEntry] {
    /// The entries that belong to a node: all nodes of a HID device show the one map that they share, and a change takes effect
    /// on the node through which it is made.
    ///
    /// The kernel makes a node for each application of the device, and these have usage pages of their own; so a page is the
    /// node's where the node has most of its keys.
    ///
    /// - Parameters:
    ///   - isCounted: whether a key counts: such a key may be on several nodes.
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
