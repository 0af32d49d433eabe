import Glibc

/// The guest's two emulated keyboards, operated by QEMU from outside the guest (`guest run --qmp`).
///
/// Unlike uinput devices they have a key map. Their events arrive shortly after the call returns.
package final class OutsideKeyboards {
    package enum Keyboard: String, Sendable {
        /// The PC's built-in keyboard, on i8042.
        case at = "atkbd"
        /// The USB keyboard: HID's boot protocol.
        case usb

        package var name: String {
            switch self {
            case .at: "AT Translated Set 2 keyboard"
            case .usb: "QEMU QEMU USB Keyboard"
            }
        }
    }

    /// Whether this machine must have the keyboards: true in the guest. On a machine with its own /dev/uinput the same
    /// tests run without them.
    package static let areExpected = access("/run/guest-command", F_OK) == 0

    private static let port = "/dev/virtio-ports/keyboards"
    private let answers: LineBuffer

    /// Only one object may exist at a time.
    package init() throws(SupportError) {
        answers = try LineBuffer(try checked("open", Self.port) { open(Self.port, O_RDWR | O_CLOEXEC) })
    }

    package func press(
        _ key: String, on keyboard: Keyboard, for duration: Duration = .milliseconds(60)
    ) throws(SupportError) {
        try down(key, on: keyboard)
        pause(duration)
        try up(key, on: keyboard)
    }

    /// Presses a key; returns when QEMU has confirmed it.
    package func down(_ key: String, on keyboard: Keyboard) throws(SupportError) {
        try ask("\(keyboard.rawValue) down \(key)")
    }

    /// Releases a key; returns when QEMU has confirmed it.
    package func up(_ key: String, on keyboard: Keyboard) throws(SupportError) {
        try ask("\(keyboard.rawValue) up \(key)")
    }

    private func ask(_ request: String) throws(SupportError) {
        let line = request + "\n"
        try checked("write", Self.port) { write(answers.descriptor, line, line.utf8.count) }
        let answer = try answers.readLine(timeout: testTimeout) ?? "no answer"
        guard answer == "ok" else { throw .refused(by: "guest keyboards", why: "\(request): \(answer)") }
    }
}
