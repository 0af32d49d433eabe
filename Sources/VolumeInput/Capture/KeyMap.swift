import CEvdev
import Glibc
import System

/// One entry of a node's key map: what a scan code of the hardware means.
struct KeyMapEntry: Hashable {
    /// The scan code as the driver writes it, 1 to 32 bytes.
    let scanCode: [UInt8]
    /// A `KEY_…` code.
    let code: UInt16
}

extension NodeDescriptor {
    /// More entries than any driver has; the kernel's own largest table has 512.
    private static var mostEntries: UInt16 { 4096 }

    /// The key map by its index (EVIOCGKEYCODE_V2); empty where the driver has none: uinput, virtio, AVRCP.
    func keyMap() -> [KeyMapEntry] {
        var entries: [KeyMapEntry] = []
        for index in 0..<Self.mostEntries {
            var entry = input_keymap_entry()
            entry.flags = UInt8(INPUT_KEYMAP_BY_INDEX)
            entry.index = index
            guard cevdev_get_keymap_entry(number, &entry) >= 0 else { break }
            entries.append(KeyMapEntry(entry))
        }
        return entries
    }

    /// What a scan code means now; `nil` where the driver does not know it.
    func code(of scanCode: [UInt8]) -> UInt16? {
        var entry = input_keymap_entry(KeyMapEntry(scanCode: scanCode, code: 0))
        return cevdev_get_keymap_entry(number, &entry) >= 0 ? UInt16(truncatingIfNeeded: entry.keycode) : nil
    }

    /// Gives a scan code another meaning (EVIOCSKEYCODE_V2). A key that is down by the old one is released.
    func set(_ entry: KeyMapEntry) throws(SystemCallError) {
        var entry = input_keymap_entry(entry)
        try ioctl("EVIOCSKEYCODE_V2") { cevdev_set_keymap_entry($0, &entry) }
    }
}

extension KeyMapEntry {
    fileprivate init(_ entry: input_keymap_entry) {
        code = UInt16(truncatingIfNeeded: entry.keycode)
        scanCode = withUnsafeBytes(of: entry.scancode) { Array($0.prefix(Int(entry.len))) }
    }
}

extension input_keymap_entry {
    fileprivate init(_ entry: KeyMapEntry) {
        self.init()
        keycode = UInt32(entry.code)
        withUnsafeMutableBytes(of: &scancode) { $0.copyBytes(from: entry.scanCode.prefix($0.count)) }
        len = UInt8(min(entry.scanCode.count, MemoryLayout.size(ofValue: scancode)))
    }
}
