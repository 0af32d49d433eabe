import Glibc

/// The driver of a USB device's interface, which root can unbind and bind through sysfs.
///
/// A reader of the device's nodes sees the same as if access had been revoked: the next read fails with ENODEV.
package struct HIDDriver {
    private let interface: String

    /// The driver of the device behind a node; `nil` where the device is not on USB.
    package init?(of node: String) {
        let event = node.split(separator: "/").last ?? ""
        guard let resolved = realpath("/sys/class/input/\(event)/device", nil) else { return nil }
        defer { free(resolved) }
        // …/1-1/1-1:1.0/0003:0627:0001.0001/input/input3: the interface is what the driver is bound to.
        guard
            let interface = String(cString: resolved).split(separator: "/").last(where: { $0.contains(":1.") }
            )
        else { return nil }
        self.interface = String(interface)
    }

    /// Unbinds the driver: the device's nodes disappear.
    package func unbind() throws(SupportError) { try tell("unbind") }

    /// Binds the driver again: new nodes appear.
    package func bind() throws(SupportError) { try tell("bind") }

    private func tell(_ file: String) throws(SupportError) {
        try KernelFile("/sys/bus/usb/drivers/usbhid/\(file)").write(interface)
    }
}
