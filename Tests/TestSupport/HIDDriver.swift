import Glibc

/// The driver that serves a USB device's interface, as sysfs lets root take it away and give it back.
///
/// To those who read the device's nodes it is as if access had been revoked: the next read says ENODEV.
package struct HIDDriver {
    private let interface: String

    /// The driver behind a node; `nil` where that does not hang on USB.
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

    /// Takes the driver away: the device's nodes go.
    package func unbind() throws(SupportError) { try tell("unbind") }

    /// Gives the driver back: new nodes come.
    package func bind() throws(SupportError) { try tell("bind") }

    private func tell(_ file: String) throws(SupportError) {
        try KernelFile("/sys/bus/usb/drivers/usbhid/\(file)").write(interface)
    }
}
