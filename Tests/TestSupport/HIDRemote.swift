import CEvdev
import CTestSupport
import Glibc

/// A USB or Bluetooth device, made through uhid, that the kernel treats as a real one.
///
/// Unlike a ``VirtualRemote`` it has a key map, scan codes, and its own `phys` and `uniq`. Its calls wait like those of
/// ``VirtualRemote``, and it is ended in the same way.
package final class HIDRemote {
    /// The device's properties.
    package struct Description: Sendable {
        /// The name; the kernel may append a word.
        package var name: String
        /// The keys.
        package var layout: HIDLayout
        /// A `BUS_…` code.
        package var bus = UInt16(BUS_USB)
        /// The vendor id.
        package var vendor: UInt16 = 0x1209
        /// The product id.
        package var product: UInt16 = 0xC0DE
        /// The port where it is plugged in; on Bluetooth the address of the adapter.
        package var phys = "usb-test-1/input0"
        /// The unique id; on Bluetooth the device's address. It serves to find the node.
        package var uniq = "test-\(UInt32.random(in: .min ... .max))"

        /// - Parameters:
        ///   - name: Its name.
        ///   - layout: Its keys.
        package init(name: String = "HID Remote", layout: HIDLayout) {
            self.name = name
            self.layout = layout
        }
    }

    /// The path of its node.
    package let node: String
    private let layout: HIDLayout
    private var device: Int32?
    private var keysDown: [Key] = []

    /// Plugs the device in and waits until its node exists.
    ///
    /// - Throws: ``SupportError``, with ENOENT or EACCES where uhid is not available.
    package init(_ description: Description) throws {
        layout = description.layout
        let device = try Self.create(description)
        do {
            node = try eventualValue("the node of \(description.name)") {
                InputNode.paths.first {
                    InputNode.attribute("uniq", of: $0) == description.uniq && access($0, R_OK) == 0
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

    /// Unplugs the device. Later presses are ignored.
    package func destroy() {
        device.map { _ = close($0) }
        device = nil
    }

    private static func create(_ description: Description) throws(SupportError) -> Int32 {
        let descriptor = description.layout.descriptor
        return try checked("create", "/dev/uhid") {
            description.name.withCString { name in
                description.phys.withCString { phys in
                    description.uniq.withCString { uniq in
                        descriptor.withUnsafeBufferPointer { bytes in
                            var device = ctest_hid(
                                name: name, phys: phys, uniq: uniq, bus: description.bus,
                                vendor: description.vendor, product: description.product,
                                descriptor: bytes.baseAddress, size: UInt16(bytes.count))
                            return ctest_hid_create(&device)
                        }
                    }
                }
            }
        }
    }
}

// MARK: - Keys

extension HIDRemote {
    /// Presses and releases a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - duration: How long the key is down, at least.
    ///   - wait: How long to wait after the release, at least.
    /// - Throws: ``SupportError/system(call:subject:errno:)``.
    package func press(
        _ key: Key, for duration: Duration = .zero, then wait: Duration = VirtualRemote.settling
    ) throws(SupportError) {
        try down(key, then: duration)
        try up(key, then: wait)
    }

    /// Presses a key, then waits.
    package func down(_ key: Key, then wait: Duration = VirtualRemote.settling) throws(SupportError) {
        try report(down: keysDown.filter { $0 != key } + [key])
        pause(wait)
    }

    /// Releases a key, then waits.
    package func up(_ key: Key, then wait: Duration = VirtualRemote.settling) throws(SupportError) {
        try report(down: keysDown.filter { $0 != key })
        pause(wait)
    }

    /// Reports in one frame that these keys, and no others, are down. Readers have received the frame when this returns.
    ///
    /// - Parameter keys: In the order in which they went down.
    /// - Throws: ``SupportError/system(call:subject:errno:)``.
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
