import CEvdev
import CTestSupport
import Glibc

/// A USB or Bluetooth device that the kernel takes for a real one, made through uhid.
///
/// Unlike a ``VirtualRemote`` it has a key map, scan codes, and `phys` and `uniq` of its own. Its calls wait as those
/// of ``VirtualRemote`` do, and it is ended in the same way.
package final class HIDRemote {
    /// What the device says of itself.
    package struct Description: Sendable {
        /// Its name; the kernel may add a word to it.
        package var name: String
        /// Its keys.
        package var layout: HIDLayout
        /// A `BUS_…` code.
        package var bus = UInt16(BUS_USB)
        /// The vendor's number.
        package var vendor: UInt16 = 0x1209
        /// The product's number.
        package var product: UInt16 = 0xC0DE
        /// Where it is plugged in; on Bluetooth the address of the adapter.
        package var phys = "usb-test-1/input0"
        /// What tells it from others of its kind; on Bluetooth its address. It is how its node is found.
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

    /// Plugs the device in and waits until its node is there.
    ///
    /// - Throws: ``SupportError``, with ENOENT or EACCES where there is no uhid.
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

    /// The node is there before the kernel has finished with the driver, and until then it drops what is reported.
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
    /// Presses a key and lets go of it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - duration: How long it is down, at least.
    ///   - wait: How long to wait after it is up, at least.
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

    /// Lets go of a key, then waits.
    package func up(_ key: Key, then wait: Duration = VirtualRemote.settling) throws(SupportError) {
        try report(down: keysDown.filter { $0 != key })
        pause(wait)
    }

    /// Reports in one frame that these keys, and no others, are down. Readers have it when this returns.
    ///
    /// - Parameter keys: In the order in which they went down.
    /// - Throws: ``SupportError/system(call:subject:errno:)``.
    package func report(down keys: [Key]) throws(SupportError) {
        keysDown = keys
        try report(layout.report(down: keys))
    }

    /// Sends a report as it is, whether it makes sense or not.
    package func report(_ report: [UInt8]) throws(SupportError) {
        guard let device else { return }
        try checked("report", node) { ctest_hid_report(device, report, UInt16(report.count)) }
    }
}

// MARK: - LEDs

extension HIDRemote {
    /// The last output report of the kernel since the last call: which LEDs are to be lit, a bit for each; `nil` where
    /// there was none.
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
