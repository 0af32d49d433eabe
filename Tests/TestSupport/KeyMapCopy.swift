import CEvdev
import Glibc

/// A copy of a node's whole key map as bytes, for comparisons.
package struct KeyMapCopy: Equatable {
    private let entries: [[UInt8]]

    /// Reads the map entry by entry, by index (EVIOCGKEYCODE_V2).
    package init(node: String) throws(SupportError) {
        let descriptor = try checked("open", node) { open(node, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        var entries: [[UInt8]] = []
        while true {
            var entry = input_keymap_entry()
            entry.flags = UInt8(INPUT_KEYMAP_BY_INDEX)
            entry.index = UInt16(entries.count)
            guard cevdev_get_keymap_entry(descriptor, &entry) >= 0 else { break }
            entries.append(withUnsafeBytes(of: entry) { Array($0) })
        }
        self.entries = entries
    }
}
