import CEvdev
import CTestSupport
import Glibc
import Linux

/// A USB device, made through uhid, that the kernel treats as a real one.
///
/// Unlike a ``VirtualRemote`` it has a key map, scan codes, and its own `phys` and `uniq`. Its calls wait like those of
/// ``VirtualRemote``, and it is ended in the same way.
package final class HIDRemote {
    package let node: String
    package let name: String
    private let layout: HIDLayout
    private var device: Int32?
    private var keysDown: [Key] = []

    /// Plugs the device in and waits until its node exists. The kernel may append a word to the name.
    package init(name: String, layout: HIDLayout) throws {
        (self.name, self.layout) = (name, layout)
        // On Bluetooth the device's address; here it serves to find the node.
        let uniq = "test-\(UInt32.random(in: .min ... .max))"
        let descriptor = layout.descriptor
        let device = try checked("create", "/dev/uhid") {
            ctest_hid_create(name, uniq, descriptor, UInt16(descriptor.count))
        }
        do {
            node = try eventualValue("the node of \(name)") {
                InputNode.paths.first {
                    InputNode.attribute("uniq", of: $0) == uniq && access($0, R_OK) == 0
                }
            }
        } catch {
            close(device)
            throw error
        }
        self.device = device
        try waitUntilHeard()
    }

    /// Waits until reports are delivered: the node exists before the driver is ready, and the kernel drops reports
    /// until then.
    private func waitUntilHeard() throws {
        let reader = try SecondReader(node: node)
        try eventually("the kernel to hear \(node)") {
            try down(.mute, then: .zero)
            try up(.mute, then: .zero)
            return try !reader.take().isEmpty
        }
    }

    deinit { destroy() }

    package func destroy() {
        device.map { _ = close($0) }
        device = nil
    }
}

// MARK: - Keys

extension HIDRemote {
    package func press(
        _ key: Key, for duration: Duration = .zero, then wait: Duration = VirtualRemote.settling
    ) throws(SupportError) {
        try down(key, then: duration)
        try up(key, then: wait)
    }

    package func down(_ key: Key, then wait: Duration = VirtualRemote.settling) throws(SupportError) {
        try report(down: keysDown.filter { $0 != key } + [key])
        pause(wait)
    }

    package func up(_ key: Key, then wait: Duration = VirtualRemote.settling) throws(SupportError) {
        try report(down: keysDown.filter { $0 != key })
        pause(wait)
    }

    /// Reports in one frame that these keys, in the order in which they went down, and no others are down. Readers have
    /// received the frame when this returns.
    package func report(down keys: [Key]) throws(SupportError) {
        keysDown = keys
        try report(layout.report(down: keys))
    }

    /// Sends a report unchanged, valid or not.
    package func report(_ report: [UInt8]) throws(SupportError) {
        guard let device else { return }
        try checked("report", node) { ctest_hid_report(device, report, UInt16(report.count)) }
    }
}

// MARK: - LEDs

extension HIDRemote {
    /// The last output report of the kernel since the previous call: the LEDs that are to be lit, one bit for each; `nil`
    /// where there was none.
    package func takeOutput() throws(SupportError) -> UInt8? {
        guard let device else { return nil }
        var last: UInt8?
        while true {
            var report: UInt8 = 0
            let size = ctest_hid_output(device, &report, 1)
            if size < 0 && errno == EAGAIN { return last }
            if try checked("read", "/dev/uhid", { size }) > 0 { last = report }
        }
    }
}

/// The keys of a ``HIDRemote`` and its report format: the kernel creates very different nodes for each.
package enum HIDLayout: CaseIterable, Sendable {
    /// A full keyboard with letters and volume keys: the boot protocol, up to 6 keys at a time, and five LEDs.
    case keyboard
    /// Volume, mute and play keys, one bit for each, so any combination can be down.
    case consumerControl
    /// The same keys in one slot, as in cheap remotes: when a second key goes down, the first goes up in the same frame.
    case singleSlot

    /// The HID report descriptor; see "HID Usage Tables" for the numbers.
    var descriptor: [UInt8] {
        switch self {
        case .keyboard:
            [0x05, 0x01, 0x09, 0x06, 0xA1, 0x01]  // generic desktop, keyboard, application
                + [0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7]  // modifiers: 8 bits
                + [0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x08, 0x81, 0x02]
                + [0x75, 0x08, 0x95, 0x01, 0x81, 0x01]  // a reserved byte
                + [0x19, 0x00, 0x29, 0x81, 0x15, 0x00, 0x26, 0x81, 0x00]  // 6 keys, up to Volume Down
                + [0x75, 0x08, 0x95, 0x06, 0x81, 0x00]
                + [0x05, 0x08, 0x19, 0x01, 0x29, 0x05]  // LEDs: one bit for each; Caps Lock is the second
                + [0x25, 0x01, 0x75, 0x01, 0x95, 0x05, 0x91, 0x02]
                + [0x75, 0x03, 0x95, 0x01, 0x91, 0x01, 0xC0]  // padding to a whole byte
        case .consumerControl:
            [0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01]  // consumer, consumer control, application
                + [0x09, 0xE9, 0x09, 0xEA, 0x09, 0xE2, 0x09, 0xCD]  // one bit each, in the order of `bits`
                + [0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x04, 0x81, 0x02]
                + [0x75, 0x04, 0x95, 0x01, 0x81, 0x01, 0xC0]  // padding to a whole byte
        case .singleSlot:
            [0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01]  // consumer, consumer control, application
                + [0x1A, 0x01, 0x00, 0x2A, 0xFF, 0x02, 0x16, 0x01, 0x00, 0x26, 0xFF, 0x02]  // 1 to 0x2FF
                + [0x75, 0x10, 0x95, 0x01, 0x81, 0x00, 0xC0]
        }
    }

    /// The report for the keys that are down, in the order in which they went down. Keys that the device does not have
    /// are left out.
    func report(down keys: [Key]) -> [UInt8] {
        switch self {
        case .keyboard:
            let pressed = keys.compactMap { Self.keyboardUsages[$0] }.prefix(6)
            return [0, 0] + pressed + Array(repeating: 0, count: 6 - pressed.count)
        case .consumerControl:
            return [keys.compactMap { Self.bits[$0] }.reduce(0) { $0 | 1 << $1 }]
        case .singleSlot:
            return [keys.last.flatMap { Self.consumerUsages[$0] } ?? 0, 0]
        }
    }

    private static let keyboardUsages: [Key: UInt8] = [
        .a: 0x04, .b: 0x05, .enter: 0x28, .power: 0x66, .mute: 0x7F, .volumeUp: 0x80, .volumeDown: 0x81,
    ]
    private static let consumerUsages: [Key: UInt8] = [
        .playPause: 0xCD, .mute: 0xE2, .volumeUp: 0xE9, .volumeDown: 0xEA,
    ]
    private static let bits: [Key: UInt8] = [.volumeUp: 0, .volumeDown: 1, .mute: 2, .playPause: 3]
}

/// The driver of a USB device's interface, which root can unbind and bind through sysfs.
///
/// A reader of the device's nodes sees the same as if access had been revoked: the next read fails with ENODEV.
package struct HIDDriver {
    private let interface: String

    /// The driver of the device behind a node; `nil` where the device is not on USB.
    package init?(of node: String) {
        let event = node.split(separator: "/").last ?? ""
        // …/1-1/1-1:1.0/0003:0627:0001.0001/input/input3: the interface is what the driver is bound to.
        let device = realPath("/sys/class/input/\(event)/device")?.split(separator: "/")
        guard let interface = device?.last(where: { $0.contains(":1.") }) else { return nil }
        self.interface = String(interface)
    }

    /// Unbinds the driver: the device's nodes disappear.
    package func unbind() throws(SupportError) { try tell("unbind") }

    /// Binds the driver again: new nodes appear.
    package func bind() throws(SupportError) { try tell("bind") }

    private func tell(_ file: String) throws(SupportError) {
        try tellKernel(interface, in: "/sys/bus/usb/drivers/usbhid/\(file)")
    }
}

/// Writes a command to a file of /sys or /proc. Returns when the kernel has executed it.
package func tellKernel(_ command: String, in path: String) throws(SupportError) {
    let descriptor = try checked("open", path) { open(path, O_WRONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    try checked("write", path) { write(descriptor, command, command.utf8.count) }
}
