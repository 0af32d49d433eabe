import CEvdev
import Glibc

/// An input device, made through uinput, that the kernel treats as a real one.
///
/// Every call that changes a key waits *after* the change, for a relative time. The kernel stamps an event when it is
/// written, so a slow test makes intervals longer and never shorter. It is unplugged at the end of its scope.
package final class VirtualRemote {
    package struct Description: Sendable {
        package var name: String
        package var keys: [Key]
        package var bus = UInt16(BUS_USB)
        package var repeats = false
        /// Whether each key event has a scan code (MSC_SCAN), as on real keyboards.
        package var sendsScanCodes = false
        /// Codes such as REL_X and ABS_X.
        package var relativeAxes: [UInt16] = []
        package var absoluteAxes: [(code: UInt16, range: ClosedRange<Int32>)] = []

        package init(name: String = "Virtual Remote", keys: [Key] = [.volumeUp, .volumeDown, .marker]) {
            self.name = name
            self.keys = keys
        }
    }

    /// The default wait after each change: long enough for the other processes of an emulated kernel.
    package static let settling = Duration.milliseconds(20)

    package let node: String
    package var name: String { description.name }
    private let description: Description
    private var device: OpaquePointer?

    /// Plugs the device in and waits until its node exists.
    package init(_ description: Description = Description()) throws {
        self.description = description
        let device = try Self.create(description)
        do {
            node = try eventualValue("the node of \(description.name)") { Self.readableNode(of: device) }
        } catch {
            libevdev_uinput_destroy(device)
            throw error
        }
        self.device = device
    }

    deinit { destroy() }

    /// Unplugs the device. Later writes are ignored.
    package func destroy() {
        device.map { libevdev_uinput_destroy($0) }
        device = nil
    }

    private static func readableNode(of device: OpaquePointer) -> String? {
        guard let path = libevdev_uinput_get_devnode(device), access(path, R_OK) == 0 else { return nil }
        return String(cString: path)
    }
}

// MARK: - Keys

extension VirtualRemote {
    /// Presses and releases a key. With a duration of 0 both frames are written at once, so that even on a busy machine the
    /// press does not become a hold.
    package func press(
        _ key: Key, for duration: Duration = .zero, then wait: Duration = settling
    ) throws(SupportError) {
        guard duration > .zero else {
            try emit(frame: frame(key, .down) + [.frameEnd] + frame(key, .up))
            return pause(wait)
        }
        try down(key, then: duration)
        try up(key, then: wait)
    }

    package func down(_ key: Key, then wait: Duration = settling) throws(SupportError) {
        try emit(frame: frame(key, .down))
        pause(wait)
    }

    package func up(_ key: Key, then wait: Duration = settling) throws(SupportError) {
        try emit(frame: frame(key, .up))
        pause(wait)
    }

    /// Writes events as one frame, without a wait. uinput delivers at once, so readers have the events when this returns.
    ///
    /// Unlike libevdev, the kernel accepts events that make no sense; it drops those that the device does not have.
    package func emit(frame: [RawEvent]) throws(SupportError) {
        guard let device else { return }
        let events = (frame + [.frameEnd]).map(\.unstamped)
        let size = events.count * MemoryLayout<input_event>.stride
        try checked("write", node) {
            events.withUnsafeBytes { write(libevdev_uinput_get_fd(device), $0.baseAddress, size) }
        }
    }

    package func frame(_ key: Key, _ action: KeyEvent.Action) -> [RawEvent] {
        let scan = RawEvent(
            type: UInt16(EV_MSC), code: UInt16(MSC_SCAN), value: 0xC0000 + Int32(key.code))
        let change = RawEvent(type: UInt16(EV_KEY), code: key.code, value: action.rawValue)
        return description.sendsScanCodes ? [scan, change] : [change]
    }
}

// MARK: - Creation

extension VirtualRemote {
    private static func create(_ description: Description) throws(SupportError) -> OpaquePointer {
        guard let model = libevdev_new() else {
            throw .system(call: "libevdev_new", subject: description.name, errno: ENOMEM)
        }
        defer { libevdev_free(model) }
        libevdev_set_name(model, description.name)
        libevdev_set_id_bustype(model, Int32(description.bus))
        libevdev_set_id_vendor(model, 0x1209)
        libevdev_set_id_product(model, 0xC0DE)
        describe(description, to: model)
        var device: OpaquePointer?
        let result = libevdev_uinput_create_from_device(model, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &device)
        guard result == 0, let device else {
            throw .system(call: "open", subject: "/dev/uinput", errno: -result)
        }
        return device
    }

    private static func describe(_ description: Description, to model: OpaquePointer) {
        func enable(_ type: Int32, _ code: UInt16, _ data: UnsafeRawPointer? = nil) {
            libevdev_enable_event_code(model, UInt32(type), UInt32(code), data)
        }
        for key in description.keys { enable(EV_KEY, key.code) }
        if description.sendsScanCodes { enable(EV_MSC, UInt16(MSC_SCAN)) }
        if description.repeats { libevdev_enable_event_type(model, UInt32(EV_REP)) }
        for code in description.relativeAxes { enable(EV_REL, code) }
        for axis in description.absoluteAxes {
            var range = input_absinfo()
            range.minimum = axis.range.lowerBound
            range.maximum = axis.range.upperBound
            enable(EV_ABS, axis.code, &range)
        }
    }
}
