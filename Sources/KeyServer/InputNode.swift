import CEvdev
import Glibc
import KeyProtocol
import Linux

enum NodeEvent: Hashable {
    /// `isOurs`: no other program has received it, because the node was intercepted at that moment.
    case frame(KeyFrame, isOurs: Bool = false)
    /// The kernel dropped events (SYN_DROPPED); these keys are down now.
    case resynchronized(NodeID, down: CountedKeys, stamp: MonotonicTime)

    var stamp: MonotonicTime {
        switch self {
        case .frame(let frame, isOurs: _): frame.stamp
        case .resynchronized(_, down: _, let stamp): stamp
        }
    }
}

/// An evdev node that is read. It reports the counted keys and nothing else.
final class InputNode {
    let id: NodeID
    let identity: DeviceIdentity
    /// The counted keys that the node has.
    let countedKeys: CountedKeys
    let method: InterceptionMethod
    let node: NodeDescriptor
    /// The changes of its key map while it is intercepted by remapping.
    let remapping: Remapping
    /// The keys that other programs do not receive while it is intercepted: a grab takes all keys of the node.
    let interceptedCodes: KeyBits
    let evdev: OpaquePointer
    /// The codes that count, and those that stand in for them.
    private let keys: [(code: UInt16, key: CountedKey)]
    private var changes: [KeyChange] = []
    /// The counted codes that are down; a key is down while any of its codes is.
    private var downCodes: [UInt16] = []
    /// A stand-in was among the changes: no other program has received that key.
    private var hasStandIn = false
    private var interception: (since: MonotonicTime, until: MonotonicTime)?

    /// Opens a node, masks all keys that do not count before anything is read, and asks what it is and has.
    init(opening path: String, id: NodeID, meanings: KeyMeanings) throws(SystemCallError) {
        self.id = id
        let node = try NodeDescriptor(opening: path)
        try node.limit(to: KeyBits(meanings.codes.map(\.code)))
        // The clock is set before anything is read: changing it later would discard queued events.
        try node.useMonotonicClock()
        node.descriptor.drain()
        var evdev: OpaquePointer?
        let result = libevdev_new_from_fd(node.number, &evdev)
        guard result == 0, let evdev else {
            throw SystemCallError(call: "libevdev_new_from_fd", subject: path, errno: -result)
        }
        self.evdev = evdev
        identity = DeviceIdentity(evdev)
        let map = node.keyMap()
        let hasCode = { (type: UInt32, code: UInt32) in libevdev_has_event_code(evdev, type, code) == 1 }
        let hasKey = { (code: UInt16) in hasCode(UInt32(EV_KEY), UInt32(code)) }
        remapping = Remapping.plan(for: map, bus: identity.bus, meanings: meanings, hasCode: hasKey)
        let ownKeys = (1..<UInt16(KEY_CNT)).filter(hasKey)
        countedKeys = CountedKeys(ownKeys.compactMap(meanings.key(for:)))
        method = InterceptionMethod(
            hasOtherKeys: ownKeys.contains { meanings.key(for: $0) == nil }, hasKeyMap: !map.isEmpty,
            canRemap: !remapping.isEmpty,
            obstacle: InterceptionMethod.obstacle(
                hasType: { libevdev_has_event_type(evdev, $0) == 1 }, hasCode: hasCode))
        keys =
            meanings.codes
            + remapping.keys.compactMap { remapped in
                meanings.key(for: remapped.original).map { (remapped.standIn, $0) }
            }
        let counted = KeyBits(keys.map(\.code))
        interceptedCodes =
            switch method {
            case .grab: KeyBits(ownKeys)
            case .remap, .shared: counted
            }
        self.node = node
        try self.node.limit(to: counted)
        forgetOtherKeys()
        // libevdev lets through only codes that the node had when it was opened: stand-ins are not among them.
        for key in remapping.keys {
            libevdev_enable_event_code(evdev, UInt32(EV_KEY), UInt32(key.standIn), nil)
        }
    }

    deinit { libevdev_free(evdev) }

    var countedCodes: KeyBits { KeyBits(keys.map(\.code)) }

    /// When it opens a node, and after SYN_DROPPED, libevdev asks for the whole key state (EVIOCGKEY), which masks do not limit, and
    /// keeps it. What it has of other keys is overwritten, and they are disabled, so that it tells of none.
    private func forgetOtherKeys() {
        for code in 0..<UInt32(KEY_CNT) where key(for: UInt16(code)) == nil {
            libevdev_enable_event_code(evdev, UInt32(EV_KEY), code, nil)
            libevdev_set_event_value(evdev, UInt32(EV_KEY), code, 0)
            libevdev_disable_event_code(evdev, UInt32(EV_KEY), code)
        }
    }

    private func isStandIn(_ code: UInt16) -> Bool { remapping.keys.contains { $0.standIn == code } }

    private func key(for code: UInt16) -> CountedKey? { keys.first { $0.code == code }?.key }

    /// Notes that the node is intercepted from this moment on: grabbed, or its keys remapped.
    func noteInterception(since moment: MonotonicTime) {
        interception = (moment, MonotonicTime(microseconds: .max))
    }

    /// Notes that other programs receive its keys again from this moment on.
    func noteInterception(until moment: MonotonicTime) { interception?.until = moment }

    private func isIntercepted(at stamp: MonotonicTime) -> Bool {
        interception.map { $0.since <= stamp && stamp < $0.until } ?? false
    }

    /// Reads all events that are queued. Throws `ENODEV` once the device is gone or access to it is revoked.
    func read(into events: inout [NodeEvent]) throws(SystemCallError) {
        var event = input_event()
        while true {
            let status = libevdev_next_event(evdev, UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), &event)
            switch status {
            case CInt(LIBEVDEV_READ_STATUS_SUCCESS.rawValue): handle(event, into: &events)
            case CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue): resynchronize(stamp: event.stamp, into: &events)
            case -EAGAIN: return
            case -EINTR: continue
            default: throw SystemCallError(call: "read", subject: node.path, errno: -status)
            }
        }
    }

    private func handle(_ event: input_event, into events: inout [NodeEvent]) {
        if event.type == EV_SYN, event.code == SYN_REPORT { return endFrame(at: event.stamp, into: &events) }
        guard event.type == EV_KEY, let key = key(for: event.code) else { return }
        // A stand-in while the node is not intercepted comes from another program's remapping: its keys do not count.
        if isStandIn(event.code), !isIntercepted(at: event.stamp) { return }
        switch event.value {
        case 0: note(key, event.code, isDown: false, at: event.stamp, into: &events)
        case 1: note(key, event.code, isDown: true, at: event.stamp, into: &events)
        default: break  // autorepeat (G10)
        }
    }

    private func note(
        _ key: CountedKey, _ code: UInt16, isDown: Bool, at stamp: MonotonicTime,
        into events: inout [NodeEvent]
    ) {
        let wasDown = downKeys.contains(key)
        downCodes.removeAll { $0 == code }
        if isDown { downCodes.append(code) }
        // A release without a press is passed on: the recogniser decides what it means.
        if isDown && wasDown || !isDown && downKeys.contains(key) { return }
        if changes.count == KeyFrame.capacity { endFrame(at: stamp, into: &events) }
        hasStandIn = hasStandIn || isStandIn(code)
        changes.append(KeyChange(key, isDown: isDown))
    }

    private func endFrame(at stamp: MonotonicTime, into events: inout [NodeEvent]) {
        if changes.isEmpty { return }
        let isFromInterceptedNode = method != .remap && isIntercepted(at: stamp)
        let frame = KeyFrame(node: id, stamp: stamp, changes: changes)
        events.append(.frame(frame, isOurs: hasStandIn || isFromInterceptedNode))
        changes = []
        hasStandIn = false
    }

    /// Has libevdev read the kernel's key state, which replaces the lost events.
    private func resynchronize(stamp: MonotonicTime, into events: inout [NodeEvent]) {
        var event = input_event()
        let flag = UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue)
        while libevdev_next_event(evdev, flag, &event) == CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue) {}
        forgetOtherKeys()
        changes = []
        hasStandIn = false
        downCodes = keys.map(\.code).filter {
            libevdev_get_event_value(evdev, UInt32(EV_KEY), UInt32($0)) != 0
                && (!isStandIn($0) || isIntercepted(at: stamp))
        }
        events.append(.resynchronized(id, down: downKeys, stamp: stamp))
    }

    private var downKeys: CountedKeys { CountedKeys(downCodes.compactMap(key(for:))) }
}

extension input_event {
    var stamp: MonotonicTime {
        MonotonicTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec))
    }
}

// MARK: - From libevdev

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
