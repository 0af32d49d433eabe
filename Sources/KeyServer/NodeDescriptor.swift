import CEvdev
import Glibc
import Linux

/// An open `/dev/input/eventN`, and its ioctls.
struct NodeDescriptor: ~Copyable {
    let descriptor: Descriptor
    let path: String
    /// Whether it may be written to, as the end of a grab needs.
    let isWritable: Bool

    /// Opens a node for reading, and for writing too if that is allowed.
    ///
    /// - Throws: `SystemCallError`: `EACCES` if the user may not, `ENOENT` or `ENODEV` if the node is gone.
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
        var opened = stat()
        var named = stat()
        return fstat(number, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
    }

    /// Lets only these keys, and the ends of frames, reach this descriptor (EVIOCSMASK).
    ///
    /// Other event types are masked first: keyboards put an MSC_SCAN into every frame, which would wake this process
    /// at every key.
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

    /// Which of some keys are down now (EVIOCGKEY). The kernel discards this descriptor's queued key events.
    ///
    /// The kernel returns all keys, letters too; all but the given keys are discarded here.
    func keysDown(among keys: KeyBits) throws(SystemCallError) -> KeyBits {
        var down = KeyBits()
        try ioctl("EVIOCGKEY") { number in
            down.withUnsafeMutableWords { cevdev_get_keys_down(number, $0, KeyBits.byteCount) }
        }
        return down.intersection(keys)
    }

    /// Has the kernel deliver the node's events to this descriptor only (EVIOCGRAB).
    ///
    /// - Returns: false if another program has grabbed the node (EBUSY).
    func grab() throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            try ioctl("EVIOCGRAB") { cevdev_grab($0, 1) }
            return true
        } catch {
            guard error.errno == EBUSY else { throw error }
            return false
        }
    }

    /// Ends a grab (EVIOCGRAB).
    func ungrab() throws(SystemCallError) {
        try ioctl("EVIOCGRAB") { cevdev_grab($0, 0) }
    }

    /// Writes releases of these keys into the node, in one frame.
    func writeReleases(of keys: KeyBits) throws(SystemCallError) {
        var events = keys.codes.map { input_event(time: timeval(), type: UInt16(EV_KEY), code: $0, value: 0) }
        events.append(input_event(time: timeval(), type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0))
        let bytes = events.count * MemoryLayout<input_event>.stride
        try systemCall("write", path) { events.withUnsafeBytes { write(number, $0.baseAddress, bytes) } }
    }

    func ioctl(_ name: String, _ body: (CInt) -> CInt) throws(SystemCallError) {
        try systemCall("ioctl \(name)", path) { body(number) }
    }
}
