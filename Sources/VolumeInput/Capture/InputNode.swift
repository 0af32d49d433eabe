import CEvdev
import Descriptors
import Glibc

/// What reading a node yields.
enum NodeEvent: Hashable {
    case frame(KeyFrame)
    /// The kernel dropped events; these keys are down now.
    case resynchronized(NodeID, down: CountedKeys, stamp: MonotonicTime)

    var stamp: MonotonicTime {
        switch self {
        case .frame(let frame): frame.stamp
        case .resynchronized(_, down: _, let stamp): stamp
        }
    }
}

/// An evdev node that is read: it lets through the counted keys and nothing else.
final class InputNode {
    let id: NodeID
    let identity: DeviceIdentity
    let abilities: NodeAbilities
    let node: NodeDescriptor
    private let evdev: OpaquePointer
    private let meanings: KeyMeanings
    private var changes = KeyChanges()
    /// The counted codes that are down; a key is down while any of its codes is.
    private var downCodes: [UInt16] = []

    /// Opens a node, blinds it to all other keys before anything else, and learns what it is.
    ///
    /// - Throws: `SystemCallError`, of `open` or of the `ioctl` that failed.
    init(opening path: String, id: NodeID, meanings: KeyMeanings) throws(SystemCallError) {
        self.id = id
        self.meanings = meanings
        let node = try NodeDescriptor(opening: path)
        try node.limit(to: KeyBits(meanings.codes.map(\.code)))
        // The clock before anything is read: changing it later would throw queued events away.
        try node.useMonotonicClock()
        node.descriptor.drain()
        var evdev: OpaquePointer?
        let result = libevdev_new_from_fd(node.number, &evdev)
        guard result == 0, let evdev else {
            throw SystemCallError(call: "libevdev_new_from_fd", subject: path, errno: -result)
        }
        self.evdev = evdev
        identity = DeviceIdentity(evdev)
        abilities = NodeAbilities(evdev, meanings: meanings, hasKeyMap: node.hasKeyMap)
        self.node = node
        disableOtherKeys()
    }

    deinit { libevdev_free(evdev) }

    /// After SYN_DROPPED libevdev asks for the whole key state, which masks do not limit: so it forgets other keys.
    private func disableOtherKeys() {
        for code in 0..<UInt32(KEY_CNT) where meanings.key(for: UInt16(code)) == nil {
            libevdev_disable_event_code(evdev, UInt32(EV_KEY), code)
        }
    }

    /// Reads everything that is there.
    ///
    /// - Throws: `SystemCallError`, `ENODEV` once the device is gone or revoked.
    func read(into events: inout [NodeEvent]) throws(SystemCallError) {
        var event = input_event()
        while true {
            let status = libevdev_next_event(evdev, UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), &event)
            switch status {
            case CInt(LIBEVDEV_READ_STATUS_SUCCESS.rawValue): take(event, into: &events)
            case CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue): resynchronize(stamp: event.stamp, into: &events)
            case -EAGAIN: return
            case -EINTR: continue
            default: throw SystemCallError(call: "read", subject: node.path, errno: -status)
            }
        }
    }

    private func take(_ event: input_event, into events: inout [NodeEvent]) {
        if event.type == EV_SYN, event.code == SYN_REPORT { return endFrame(at: event.stamp, into: &events) }
        guard event.type == EV_KEY, let key = meanings.key(for: event.code) else { return }
        switch event.value {
        case 0: note(key, event.code, isDown: false, at: event.stamp, into: &events)
        case 1: note(key, event.code, isDown: true, at: event.stamp, into: &events)
        default: break  // autorepeat (G10)
        }
    }

    private func note(
        _ key: CountedKey, _ code: UInt16, isDown: Bool, at stamp: MonotonicTime, into events: inout [NodeEvent]
    ) {
        let wasDown = downKeys.contains(CountedKeys(key))
        downCodes.removeAll { $0 == code }
        if isDown { downCodes.append(code) }
        // A release without a press is passed on: the recogniser knows what it may belong to.
        if isDown && wasDown || !isDown && downKeys.contains(CountedKeys(key)) { return }
        let change = KeyChange(key, isDown: isDown)
        if changes.append(change) { return }
        endFrame(at: stamp, into: &events)
        _ = changes.append(change)
    }

    private func endFrame(at stamp: MonotonicTime, into events: inout [NodeEvent]) {
        if changes.isEmpty { return }
        events.append(.frame(KeyFrame(node: id, stamp: stamp, changes: changes)))
        changes = KeyChanges()
    }

    /// Lets libevdev catch up with the kernel's state, and takes that instead of the lost events.
    private func resynchronize(stamp: MonotonicTime, into events: inout [NodeEvent]) {
        var event = input_event()
        let flag = UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue)
        while libevdev_next_event(evdev, flag, &event) == CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue) {}
        changes = KeyChanges()
        downCodes = meanings.codes.map(\.code).filter {
            libevdev_get_event_value(evdev, UInt32(EV_KEY), UInt32($0)) != 0
        }
        events.append(.resynchronized(id, down: downKeys, stamp: stamp))
    }

    private var downKeys: CountedKeys {
        CountedKeys(downCodes.compactMap(meanings.key(for:)).map(CountedKeys.init))
    }
}

extension input_event {
    var stamp: MonotonicTime {
        MonotonicTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec))
    }
}

// MARK: - What libevdev tells

extension DeviceIdentity {
    init(_ evdev: OpaquePointer) {
        self.init(
            bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(evdev)),
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(evdev)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(evdev)),
            name: libevdev_get_name(evdev).map { String(cString: $0) } ?? "",
            phys: libevdev_get_phys(evdev).map { String(cString: $0) } ?? "",
            uniq: libevdev_get_uniq(evdev).map { String(cString: $0) } ?? "")
    }
}

extension NodeAbilities {
    init(_ evdev: OpaquePointer, meanings: KeyMeanings, hasKeyMap: Bool) {
        let hasCode = { (type: UInt32, code: UInt32) in libevdev_has_event_code(evdev, type, code) == 1 }
        let keys = (1..<UInt16(KEY_CNT)).filter { hasCode(UInt32(EV_KEY), UInt32($0)) }
        self.init(
            countedKeys: CountedKeys(keys.compactMap(meanings.key(for:)).map(CountedKeys.init)),
            hasOtherKeys: keys.contains { meanings.key(for: $0) == nil },
            hasKeyMap: hasKeyMap,
            obstacle: Self.obstacle(hasType: { libevdev_has_event_type(evdev, $0) == 1 }, hasCode: hasCode))
    }
}
