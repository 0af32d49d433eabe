import CEvdev
import Glibc
import Linux

/// Finds nodes by the kernel's attributes of their devices.
package enum InputNode {
    /// The path of the node of the first device with this name.
    package static func named(_ name: String) throws -> String {
        try eventualValue("the node of '\(name)'", last: { "\(names)" }) {
            paths.first { attribute("name", of: $0) == name }
        }
    }

    package static var paths: [String] {
        entries(of: "/sys/class/input").filter { $0.hasPrefix("event") }.map { "/dev/input/\($0)" }
    }

    /// An attribute of a node's device from sysfs: `name`, `phys`, `uniq` or `id/bustype`.
    package static func attribute(_ attribute: String, of node: String) -> String? {
        let event = node.split(separator: "/").last ?? ""
        return contents(of: "/sys/class/input/\(event)/device/\(attribute)").map { String($0.dropLast()) }
    }

    /// The keys that are down at a node, according to the kernel (EVIOCGKEY).
    package static func keysDown(at node: String) throws(SupportError) -> Set<Key> {
        let descriptor = try checked("open", node) { open(node, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        var words = [UInt64](repeating: 0, count: Int(KEY_CNT) / 64)
        try checked("EVIOCGKEY", node) {
            cevdev_get_keys_down(descriptor, &words, UInt32(words.count * 8))
        }
        return Set(
            (0..<UInt16(KEY_CNT)).filter { words[Int($0) / 64] >> UInt64($0 % 64) & 1 == 1 }
                .map { Key(code: $0) })
    }

    /// Switches a node's Caps Lock LED on or off, as a desktop does.
    package static func setCapsLock(_ isLit: Bool, at node: String) throws(SupportError) {
        try inject(.capsLock(isLit), at: node)
    }

    /// Sets the autorepeat period, in milliseconds, of a node whose keys the kernel repeats (33 by default).
    package static func setAutorepeat(period: Int32, at node: String) throws(SupportError) {
        try inject(RawEvent(type: UInt16(EV_REP), code: UInt16(REP_PERIOD), value: period), at: node)
    }

    /// Writes an event to a node, for its device.
    private static func inject(_ event: RawEvent, at node: String) throws(SupportError) {
        let descriptor = try checked("open", node) { open(node, O_RDWR | O_CLOEXEC) }
        defer { close(descriptor) }
        let events = [event, .frameEnd].map(\.unstamped)
        try checked("write", node) {
            write(descriptor, events, events.count * MemoryLayout<input_event>.stride)
        }
    }

    /// Maps the scan code of one key to another key (EVIOCSKEYCODE_V2), as `udevadm hwdb` does.
    package static func map(_ key: Key, to other: Key, at node: String) throws(SupportError) {
        let descriptor = try checked("open", node) { open(node, O_RDWR | O_CLOEXEC) }
        defer { close(descriptor) }
        var entry = input_keymap_entry()
        entry.flags = UInt8(INPUT_KEYMAP_BY_INDEX)
        while true {
            try checked("EVIOCGKEYCODE_V2", node) { cevdev_get_keymap_entry(descriptor, &entry) }
            if entry.keycode == UInt32(key.code) { break }
            entry.index += 1
        }
        entry.keycode = UInt32(other.code)
        try checked("EVIOCSKEYCODE_V2", node) { cevdev_set_keymap_entry(descriptor, &entry) }
    }

    private static var names: [String?] { paths.map { attribute("name", of: $0) } }
}

/// All names in a directory, in their order; empty where it does not exist.
package func entries(of directory: String) -> [String] {
    directoryEntries(of: directory, hidden: true).sorted()
}

/// The text of a file, also of /proc and /sys; nil where it cannot be read.
func contents(of path: String) -> String? { fileBytes(path).map { String(decoding: $0, as: UTF8.self) } }

/// The bytes of a file; nil where it cannot be read.
package func fileBytes(_ path: String) -> [UInt8]? {
    try? Descriptor(opening: path, flags: O_RDONLY).readAll(limit: .max)
}

/// See readlink(2); empty where there is no such link.
func target(ofLink path: String) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let size = readlink(path, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, size)), as: UTF8.self)
}

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
