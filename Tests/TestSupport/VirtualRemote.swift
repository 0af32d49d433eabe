import CEvdev
import Glibc

/// An input device that the kernel takes for a real one, made through uinput.
///
/// Every call that changes a key waits *after* the change, relatively: the kernel stamps an event when it is written,
/// so a test that is late makes its times longer and never shorter. End it with `defer { remote.destroy() }`, which
/// also keeps it alive that long; Swift may otherwise release it, and so unplug it, after its last use.
package final class VirtualRemote {
    /// What the device says of itself.
    package struct Description: Sendable {
        /// One absolute axis and its range.
        package struct Axis: Sendable {
            /// An `ABS_…` code.
            package var code: UInt16
            /// The smallest and the largest value.
            package var range: ClosedRange<Int32>

            /// - Parameters:
            ///   - code: An `ABS_…` code.
            ///   - range: The smallest and the largest value.
            package init(code: UInt16, range: ClosedRange<Int32>) {
                self.code = code
                self.range = range
            }
        }

        /// Its name.
        package var name: String
        /// The keys that it has.
        package var keys: [Key]
        /// A `BUS_…` code.
        package var bus = UInt16(BUS_USB)
        /// The vendor's number.
        package var vendor: UInt16 = 0x1209
        /// The product's number.
        package var product: UInt16 = 0xC0DE
        /// Whether the kernel repeats its keys (EV_REP).
        package var repeats = false
        /// Whether each key event comes with a scan code (MSC_SCAN), as on real keyboards.
        package var sendsScanCodes = false
        /// `REL_…` codes.
        package var relativeAxes: [UInt16] = []
        /// Absolute axes.
        package var absoluteAxes: [Axis] = []

        /// - Parameters:
        ///   - name: Its name.
        ///   - keys: The keys that it has.
        package init(name: String = "Virtual Remote", keys: [Key] = [.volumeUp, .volumeDown, .marker]) {
            self.name = name
            self.keys = keys
        }
    }

    /// One event as the kernel takes it.
    package typealias Event = (type: UInt16, code: UInt16, value: Int32)

    /// How long a call waits after each change unless told otherwise: enough for an emulated kernel's other processes.
    package static let settling = Duration.milliseconds(20)

    /// The path of its node.
    package let node: String
    private let description: Description
    private var device: OpaquePointer?

    /// Plugs the device in and waits until its node is there.
    ///
    /// - Throws: ``SupportError``, with ENOENT or EACCES where there is no uinput.
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
    /// Presses a key and lets go of it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - duration: How long it is down, at least; at 0 both frames are written at once, and no machine is so busy that
    ///     it becomes a hold.
    ///   - wait: How long to wait after it is up, at least.
    /// - Throws: ``SupportError/system(call:subject:errno:)``.
    package func press(
        _ key: Key, for duration: Duration = .zero, then wait: Duration = settling
    ) throws(SupportError) {
        guard duration > .zero else {
            try emit(frame: frame(key, .down) + [Self.frameEnd] + frame(key, .up))
            return pause(wait)
        }
        try down(key, then: duration)
        try up(key, then: wait)
    }

    /// Presses a key, then waits.
    package func down(_ key: Key, then wait: Duration = settling) throws(SupportError) {
        try emit(frame: frame(key, .down))
        pause(wait)
    }

    /// Lets go of a key, then waits.
    package func up(_ key: Key, then wait: Duration = settling) throws(SupportError) {
        try emit(frame: frame(key, .up))
        pause(wait)
    }

    /// Writes events as one frame, without a wait. Readers have them when this returns: uinput delivers at once.
    ///
    /// The kernel takes what makes no sense too, which libevdev would not; what the device has not, it drops.
    package func emit(frame: [Event]) throws(SupportError) {
        guard let device else { return }
        let events = (frame + [Self.frameEnd]).map {
            input_event(time: timeval(), type: $0.type, code: $0.code, value: $0.value)
        }
        let size = events.count * MemoryLayout<input_event>.stride
        try checked("write", node) {
            events.withUnsafeBytes { write(libevdev_uinput_get_fd(device), $0.baseAddress, size) }
        }
    }

    private static let frameEnd: Event = (UInt16(EV_SYN), UInt16(SYN_REPORT), 0)

    /// What a frame of one key consists of on this device.
    package func frame(_ key: Key, _ action: KeyEvent.Action) -> [Event] {
        let scan: [Event] =
            description.sendsScanCodes ? [(UInt16(EV_MSC), UInt16(MSC_SCAN), 0xC0000 + Int32(key.code))] : []
        return scan + [(UInt16(EV_KEY), key.code, action.rawValue)]
    }
}

// MARK: - Making it

extension VirtualRemote {
    /// - Returns: A libevdev uinput device that opened `/dev/uinput` itself and closes it when it is destroyed.
    private static func create(_ description: Description) throws(SupportError) -> OpaquePointer {
        guard let model = libevdev_new() else {
            throw .system(call: "libevdev_new", subject: description.name, errno: ENOMEM)
        }
        defer { libevdev_free(model) }
        libevdev_set_name(model, description.name)
        libevdev_set_id_bustype(model, Int32(description.bus))
        libevdev_set_id_vendor(model, Int32(description.vendor))
        libevdev_set_id_product(model, Int32(description.product))
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
