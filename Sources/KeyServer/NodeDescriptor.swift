import CEvdev
import Glibc
import Linux

/// An open `/dev/input/eventN`, and its ioctls.
struct NodeDescriptor: ~Copyable {
    let descriptor: Descriptor
    let path: String
    /// Whether it may be written to, as the end of a grab needs.
    let isWritable: Bool

    /// Opens a node for reading, where it is allowed also for writing. Throws `EACCES`; `ENOENT` or `ENODEV` if it is gone.
    init(opening path: String) throws(SystemCallError) {
        self.path = path
        do throws(SystemCallError) {
            descriptor = try Descriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
            isWritable = true
        } catch {
            guard error.errno == EACCES || error.errno == EROFS else { throw error }
            descriptor = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
            isWritable = false
        }
    }

    var number: CInt { descriptor.number }

    /// Whether its path still leads to it: once the device is gone, another may get the same number.
    var isInPlace: Bool {
        var (opened, named) = (stat(), stat())
        return fstat(number, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
    }

    /// Lets only these keys, and the ends of frames, reach this descriptor (EVIOCSMASK). Other event types are masked
    /// first: keyboards put an MSC_SCAN into every frame, which would wake this process at every key.
    func limit(to keys: KeyBits) throws(SystemCallError) {
        var types: UInt64 = 1 << EV_SYN | 1 << EV_KEY
        try ioctl("EVIOCSMASK") { cevdev_set_mask($0, UInt32(EV_SYN), &types, 8) }
        try ioctl("EVIOCSMASK") { number in
            keys.withUnsafeWords { cevdev_set_mask(number, UInt32(EV_KEY), $0, KeyBits.byteCount) }
        }
    }

    /// Has events stamped with CLOCK_MONOTONIC (EVIOCSCLOCKID). The kernel discards what is queued already.
    func useMonotonicClock() throws(SystemCallError) {
        try ioctl("EVIOCSCLOCKID") { cevdev_set_clock($0, CLOCK_MONOTONIC) }
    }

    /// Which of some keys are down now (EVIOCGKEY). The kernel discards this descriptor's queued key events, and
    /// returns all keys, letters too; all but the given ones are discarded here.
    func keysDown(among keys: KeyBits) throws(SystemCallError) -> KeyBits {
        var down = KeyBits()
        try ioctl("EVIOCGKEY") { number in
            down.withUnsafeMutableWords { cevdev_get_keys_down(number, $0, KeyBits.byteCount) }
        }
        return down.intersection(keys)
    }

    /// EVIOCGRAB: the kernel delivers events to this descriptor only. False if another program has the grab (EBUSY).
    func grab() throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            try ioctl("EVIOCGRAB") { cevdev_grab($0, 1) }
            return true
        } catch {
            guard error.errno == EBUSY else { throw error }
            return false
        }
    }

    func ungrab() throws(SystemCallError) { try ioctl("EVIOCGRAB") { cevdev_grab($0, 0) } }

    /// Writes releases of these keys into the node, in one frame.
    func writeReleases(of keys: KeyBits) throws(SystemCallError) {
        var events = keys.codes.map { input_event(time: timeval(), type: UInt16(EV_KEY), code: $0, value: 0) }
        events.append(input_event(time: timeval(), type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0))
        let bytes = events.count * MemoryLayout<input_event>.stride
        try systemCall("write", path) { events.withUnsafeBytes { write(number, $0.baseAddress, bytes) } }
    }

    /// Ends a frame that the kernel has open; its driver of LEDs (input-leds) ends none. It forgets the time that it has noted for
    /// the frame, too: on a busy virtual machine a press came with the time of the key before, 1.4 s ago.
    func endFrame() throws(SystemCallError) { try writeReleases(of: KeyBits()) }

    func ioctl(_ name: String, _ body: (CInt) -> CInt) throws(SystemCallError) {
        try systemCall("ioctl \(name)", path) { body(number) }
    }
}

/// A set of key codes in the kernel's own layout, for EVIOCGKEY and EVIOCSMASK.
struct KeyBits: Hashable {
    /// KEY_CNT bits in whole words: the kernel reads masks in multiples of 8 bytes.
    private var words = [UInt64](repeating: 0, count: Int(KEY_CNT) / 64)

    init(_ codes: some Sequence<UInt16> = []) {
        for code in codes where code < KEY_CNT { words[Int(code) / 64] |= 1 << (UInt64(code) % 64) }
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    var codes: [UInt16] { (0..<UInt16(KEY_CNT)).filter { words[Int($0) / 64] >> UInt64($0 % 64) & 1 == 1 } }

    func intersection(_ other: KeyBits) -> KeyBits {
        var result = self
        for index in words.indices { result.words[index] &= other.words[index] }
        return result
    }

    func isSubset(of other: KeyBits) -> Bool { zip(words, other.words).allSatisfy { $0 & ~$1 == 0 } }

    static var byteCount: UInt32 { UInt32(KEY_CNT) / 8 }

    func withUnsafeWords<R>(_ body: (UnsafePointer<UInt64>) -> R) -> R {
        // An array of 12 words always has a base address.
        words.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }

    mutating func withUnsafeMutableWords<R>(_ body: (UnsafeMutablePointer<UInt64>) -> R) -> R {
        words.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }
}

/// One entry of a node's key map: the key code for a scan code of the hardware.
struct KeyMapEntry: Hashable {
    /// The scan code as the driver writes it, 1 to 32 bytes.
    let scanCode: [UInt8]
    let code: UInt16
    let index: UInt16
}

extension NodeDescriptor {
    /// More entries than any driver has; the kernel's own largest table has 512.
    static var maxEntries: UInt16 { 4096 }

    /// All entries of the key map (EVIOCGKEYCODE_V2 by index); empty if the driver has none: uinput, virtio, AVRCP.
    func keyMap() -> [KeyMapEntry] {
        var entries: [KeyMapEntry] = []
        while entries.count < Int(Self.maxEntries), let next = entry(at: UInt16(entries.count)) {
            entries.append(next)
        }
        return entries
    }

    /// The key code of an entry now; `nil` if the driver has no such entry, or another scan code at that index. The
    /// index decides, because a map may have a scan code twice.
    func code(of scanCode: [UInt8], at index: UInt16) -> UInt16? {
        entry(at: index).flatMap { $0.scanCode == scanCode ? $0.code : nil }
    }

    private func entry(at index: UInt16) -> KeyMapEntry? {
        var entry = input_keymap_entry()
        entry.flags = UInt8(INPUT_KEYMAP_BY_INDEX)
        entry.index = index
        guard cevdev_get_keymap_entry(number, &entry) >= 0 else { return nil }
        return KeyMapEntry(
            scanCode: withUnsafeBytes(of: entry.scancode) { Array($0.prefix(Int(entry.len))) },
            code: UInt16(truncatingIfNeeded: entry.keycode), index: index)
    }

    /// Gives an entry another key code (EVIOCSKEYCODE_V2). The kernel releases a key that is down by the former code.
    func set(_ entry: KeyMapEntry) throws(SystemCallError) {
        var entry = input_keymap_entry(entry)
        try ioctl("EVIOCSKEYCODE_V2") { cevdev_set_keymap_entry($0, &entry) }
    }
}

extension input_keymap_entry {
    fileprivate init(_ entry: KeyMapEntry) {
        self.init()
        keycode = UInt32(entry.code)
        flags = UInt8(INPUT_KEYMAP_BY_INDEX)
        index = entry.index
        withUnsafeMutableBytes(of: &scancode) { $0.copyBytes(from: entry.scanCode.prefix($0.count)) }
        len = UInt8(min(entry.scanCode.count, MemoryLayout.size(ofValue: scancode)))
    }
}

/// A second descriptor of a node: tells which keys are down, awaits their release, receives what other programs do.
///
/// The descriptor that is read cannot be asked: EVIOCGKEY discards its queued events.
final class KeyWatcher {
    let node: NodeDescriptor
    private let keys: KeyBits

    init(_ path: String, keys: KeyBits) throws(SystemCallError) {
        self.keys = keys
        node = try NodeDescriptor(opening: path)
        try node.limit(to: KeyBits())
    }

    func keysDown() throws(SystemCallError) -> KeyBits { try node.keysDown(among: keys) }

    /// Waits for the release of the keys that are down: the descriptor becomes readable then. False if none is down.
    func waitsForKeys() throws(SystemCallError) -> Bool {
        var watched = KeyBits()
        while true {
            let down = try keysDown()
            if down.isEmpty { return false }
            // No release is missed once the mask has all keys that are down.
            if down.isSubset(of: watched) { return true }
            watched = down
            try node.limit(to: watched)
        }
    }

    /// Receives these keys from now on as other programs do: not while the node is grabbed.
    func listen(to keys: KeyBits) throws(SystemCallError) {
        try node.useMonotonicClock()
        try node.limit(to: keys)
    }

    /// The time stamp of the first key received; `nil` if none was yet.
    func firstKey() -> MonotonicTime? {
        var event = input_event()
        while read(node.number, &event, MemoryLayout<input_event>.size) > 0 {
            if event.type == EV_KEY { return event.stamp }
        }
        return nil
    }
}
