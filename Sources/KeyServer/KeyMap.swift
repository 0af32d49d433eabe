import CEvdev
import Glibc
import Linux

/// One entry of a node's key map: the key code for a scan code of the hardware.
struct KeyMapEntry: Hashable {
    /// The scan code as the driver writes it, 1 to 32 bytes.
    let scanCode: [UInt8]
    /// A `KEY_…` code.
    let code: UInt16
    /// Its index in the map; `nil` if only the scan code is known.
    var index: UInt16?
}

extension NodeDescriptor {
    /// More entries than any driver has; the kernel's own largest table has 512.
    static var maxEntries: UInt16 { 4096 }

    /// All entries of the key map (EVIOCGKEYCODE_V2 by index); empty if the driver has none: uinput, virtio, AVRCP.
    func keyMap() -> [KeyMapEntry] {
        var entries: [KeyMapEntry] = []
        for index in 0..<Self.maxEntries {
            var entry = input_keymap_entry()
            entry.flags = UInt8(INPUT_KEYMAP_BY_INDEX)
            entry.index = index
            guard cevdev_get_keymap_entry(number, &entry) >= 0 else { break }
            entries.append(KeyMapEntry(entry, at: index))
        }
        return entries
    }

    /// The key code of an entry now. The index decides, because a map may have a scan code twice; without an index,
    /// the scan code.
    ///
    /// - Returns: `nil` if the driver has no such entry, or another scan code at that index.
    func code(of scanCode: [UInt8], at index: UInt16? = nil) -> UInt16? {
        var entry = input_keymap_entry(KeyMapEntry(scanCode: scanCode, code: 0, index: index))
        guard cevdev_get_keymap_entry(number, &entry) >= 0 else { return nil }
        let found = KeyMapEntry(entry, at: index)
        return index == nil || found.scanCode == scanCode ? found.code : nil
    }

    /// Gives an entry another key code (EVIOCSKEYCODE_V2). The kernel releases a key that is down by the former code.
    func set(_ entry: KeyMapEntry) throws(SystemCallError) {
        var entry = input_keymap_entry(entry)
        try ioctl("EVIOCSKEYCODE_V2") { cevdev_set_keymap_entry($0, &entry) }
    }
}

extension KeyMapEntry {
    fileprivate init(_ entry: input_keymap_entry, at index: UInt16?) {
        self.index = index
        code = UInt16(truncatingIfNeeded: entry.keycode)
        scanCode = withUnsafeBytes(of: entry.scancode) { Array($0.prefix(Int(entry.len))) }
    }
}

extension input_keymap_entry {
    fileprivate init(_ entry: KeyMapEntry) {
        self.init()
        keycode = UInt32(entry.code)
        if let index = entry.index {
            flags = UInt8(INPUT_KEYMAP_BY_INDEX)
            self.index = index
        }
        withUnsafeMutableBytes(of: &scancode) { $0.copyBytes(from: entry.scanCode.prefix($0.count)) }
        len = UInt8(min(entry.scanCode.count, MemoryLayout.size(ofValue: scancode)))
    }
}
