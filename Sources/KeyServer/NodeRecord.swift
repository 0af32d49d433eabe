import Glibc
import KeyProtocol
import Linux

/// A node in a client's table: readable or not, intercepted or not.
final class NodeRecord {
    /// The node's file name, `eventN`.
    let file: String
    let device: InputDeviceID
    private let path: String
    private let identity: DeviceIdentity
    private let stableID: Identifier
    private let keys: CountedKeys
    private let id: NodeID
    /// The open node; `nil` if it could not be opened.
    let input: InputNode?
    /// The state of a node that is not open.
    private let unreadState: NodeState?
    private let interceptor: NodeInterceptor
    private(set) var seat: String
    /// The kernel's name for the device; `nil` without sysfs.
    let kernelName: String?
    private var requestedMode = CaptureMode.off
    private var limit = CaptureMode.exclusive
    private var isYielded = false
    private var history = CaptureHistory()

    init(
        file: String, input: InputNode, device: InputDeviceID, stableID: Identifier,
        registry: InterceptionRegistry?
    ) {
        self.file = file
        self.device = device
        self.stableID = stableID
        self.input = input
        path = input.node.path
        seat = DeviceSeat.name(of: path)
        kernelName = input.kernelName
        identity = input.identity
        keys = input.abilities.countedKeys
        id = input.id
        unreadState = nil
        interceptor = NodeInterceptor(registry: registry)
    }

    /// A node that is only listed: it could not be opened, or another program has remapped its keys.
    init(
        file: String, path: String, id: NodeID, identity: DeviceIdentity, keys: CountedKeys, state: NodeState,
        device: InputDeviceID, stableID: Identifier
    ) {
        self.file = file
        self.device = device
        self.stableID = stableID
        self.path = path
        seat = DeviceSeat.name(of: path)
        kernelName = NodeListing.kernelName(of: path)
        self.id = id
        self.identity = identity
        self.keys = keys
        unreadState = state
        interceptor = NodeInterceptor(registry: nil)
        input = nil
    }

    var nodeID: NodeID { id }

    /// Whether it is open, and its path still leads to the same device.
    var isCurrent: Bool { input?.node.isInPlace ?? false }

    /// The descriptors that are readable when interception is to be tried again; none unless it waits.
    var waitingDescriptors: [CInt] {
        guard case .waiting(_, let descriptors) = interceptor.state else { return [] }
        return descriptors
    }

    /// Asks again which seat the device belongs to, and releases the node if its key map was changed; to be called
    /// when udev has processed the device again.
    func update() {
        seat = DeviceSeat.name(of: path)
        if let input { interceptor.giveBackIfChanged(input) }
    }

    /// Intercepts the node or releases it; does nothing if that is done already. `limit` is the highest mode that the
    /// client may have on the device; `isYielded`: another client, which takes precedence, captures its keys.
    func apply(
        _ requestedMode: CaptureMode, atMost limit: CaptureMode = .exclusive, isYielded: Bool = false
    ) {
        (self.requestedMode, self.limit, self.isYielded) = (requestedMode, limit, isYielded)
        let captureMode = isYielded ? .off : min(requestedMode, limit)
        history.change(to: captureMode) { bringAbout(captureMode) }
    }

    private func bringAbout(_ captureMode: CaptureMode) {
        guard let input else { return }
        switch captureMode {
        case .exclusive: if interceptor.state != .exclusive { interceptor.take(input) }
        case .shared, .off: interceptor.giveBack(input)
        }
    }

    func captureMode(at stamp: MonotonicTime) -> CaptureMode { history.captureMode(at: stamp) }

    var report: NodeReport {
        NodeReport(
            node: id, device: device, name: identity.name, stableID: stableID, path: path,
            bus: identity.busName,
            keys: keys, state: state, plan: plan)
    }

    /// Whether both are unreadable and report the same.
    func isAsUnreadable(as other: NodeRecord) -> Bool {
        var report = report
        report.node = other.id
        return input == nil && other.input == nil && report == other.report
    }

    private var plan: NodeState {
        guard let input else { return unreadState ?? .shared(.refused) }
        switch input.abilities.interceptionMethod {
        case .remap:
            guard interceptor.canRemap else { return .shared(.noRuntimeDirectory) }
            return input.remapping.keepsCapabilities ? .exclusive(alsoTakes: false) : .exclusiveUnannounced
        case .grab(let alsoTakes): return .exclusive(alsoTakes: alsoTakes)
        case .shared(let reason): return .shared(reason)
        }
    }

    /// Whether it could be read, by this client or by another one.
    var isReadable: Bool { if case .noAccess = unreadState { false } else { true } }

    private var state: NodeState {
        if isYielded { return .shared(.yielded) }
        guard input != nil else { return unreadState ?? .shared(.refused) }
        if requestedMode > limit { return .shared(limit == .off ? .otherSeat : .otherUser) }
        switch requestedMode {
        case .off: return .shared(.inBackground)
        case .shared: return .shared(.asConfigured)
        case .exclusive: break
        }
        switch interceptor.state {
        case .exclusive: return plan == .exclusiveUnannounced ? .exclusive(alsoTakes: false) : plan
        case .released: return .shared(.waitingForRelease)
        case .waiting(let reason, _), .refused(let reason): return .shared(reason)
        }
    }
}

/// The capture mode of a node, and the one before it.
struct CaptureHistory {
    private var current = CaptureMode.off
    private var previous = CaptureMode.off
    private var since: MonotonicTime?

    /// Runs `bringAbout`, which changes what happens to the node's keys, and notes when the change took effect.
    ///
    /// Keys that other programs receive are not counted: from the beginning of the change where the node is released,
    /// until its end where it is intercepted. What has come since the node was opened is judged by the mode of the
    /// first change.
    mutating func change(to captureMode: CaptureMode, _ bringAbout: () -> Void) {
        let beginning = MonotonicTime.now
        bringAbout()
        if captureMode == current, since != nil { return }
        previous = since == nil ? captureMode : current
        current = captureMode
        since = captureMode == .off ? beginning : .now
    }

    /// An event is judged by its time stamp, not by when it is read. So a key that was intercepted counts however late
    /// it is read: no other program has received it.
    func captureMode(at stamp: MonotonicTime) -> CaptureMode {
        since.map { stamp < $0 } ?? true ? previous : current
    }
}
