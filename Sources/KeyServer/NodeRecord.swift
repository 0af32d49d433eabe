import Glibc
import KeyProtocol
import Linux

/// A node in a client's table: readable or not, intercepted or not.
final class NodeRecord {
    /// The node's file name, `eventN`.
    let file: String
    /// What does not change; its state is that of a node that is not open.
    private let constant: NodeReport
    /// The open node; `nil` if it is only listed: it could not be opened, or another program has remapped its keys.
    let input: InputNode?
    private let interceptor: NodeInterceptor
    private(set) var seat: String
    /// The kernel's name for the device; `nil` without sysfs.
    let kernelName: String?
    private var requestedMode = CaptureMode.off
    private var limit = CaptureMode.exclusive
    private var isYielded = false
    private var history = CaptureHistory()

    init(file: String, _ constant: NodeReport, input: InputNode? = nil, registry: InterceptionRegistry? = nil)
    {
        (self.file, self.constant, self.input) = (file, constant, input)
        seat = DeviceSeat.name(of: constant.path)
        kernelName = NodeListing.kernelName(of: constant.path)
        interceptor = NodeInterceptor(registry: registry)
    }

    var id: NodeID { constant.node }
    var device: InputDeviceID { constant.device }
    var stableID: Identifier { constant.stableID }

    /// Whether it is open, and its path still leads to the same device.
    var isCurrent: Bool { input?.node.isInPlace ?? false }

    /// The descriptors that are readable when interception is to be tried again; none unless it waits.
    var waitingDescriptors: [CInt] { interceptor.waitingDescriptors }

    /// To be called when udev has processed the device again: its seat may be another one, its key map changed.
    func update() {
        seat = DeviceSeat.name(of: constant.path)
        if let input { interceptor.releaseIfChanged(input) }
    }

    /// Intercepts the node or releases it; does nothing if that is done already. `limit` is the highest mode that the
    /// client may have on the device; `isYielded`: another client, which takes precedence, captures its keys.
    func apply(
        _ requestedMode: CaptureMode, atMost limit: CaptureMode = .exclusive, isYielded: Bool = false
    ) {
        (self.requestedMode, self.limit, self.isYielded) = (requestedMode, limit, isYielded)
        let captureMode = isYielded ? .off : min(requestedMode, limit)
        let former = history.current
        history.change(to: captureMode) { bringAbout(captureMode, after: former) }
    }

    private func bringAbout(_ captureMode: CaptureMode, after former: CaptureMode) {
        guard let input else { return }
        // Its keys count from now on. A press that the kernel gave a time before the change would not.
        if former == .off, captureMode != .off { try? input.node.endFrame() }
        switch captureMode {
        case .exclusive: if interceptor.obstacle != nil { interceptor.intercept(input) }
        case .shared, .off: interceptor.release(input)
        }
    }

    func captureMode(at stamp: MonotonicTime) -> CaptureMode { history.captureMode(at: stamp) }

    var report: NodeReport {
        var report = constant
        (report.state, report.plan) = (state, plan)
        return report
    }

    func isAsUnreadable(as other: NodeRecord) -> Bool {
        var report = report
        report.node = other.id
        return input == nil && other.input == nil && report == other.report
    }

    private var plan: NodeState {
        guard let input else { return constant.state }
        switch input.method {
        case .remap:
            guard interceptor.canRemap else { return .shared(.noRuntimeDirectory) }
            return input.remapping.keepsCapabilities ? .exclusive(alsoTakes: false) : .exclusiveUnannounced
        case .grab(let alsoTakes): return .exclusive(alsoTakes: alsoTakes)
        case .shared(let reason): return .shared(reason)
        }
    }

    /// Whether it could be read, by this client or by another one.
    var isReadable: Bool { if case .noAccess = constant.state { false } else { true } }

    private var state: NodeState {
        if isYielded { return .shared(.yielded) }
        guard input != nil else { return constant.state }
        if requestedMode > limit { return .shared(limit == .off ? .otherSeat : .otherUser) }
        switch requestedMode {
        case .off: return .shared(.inBackground)
        case .shared: return .shared(.asConfigured)
        case .exclusive: break
        }
        if let obstacle = interceptor.obstacle { return .shared(obstacle) }
        return plan == .exclusiveUnannounced ? .exclusive(alsoTakes: false) : plan
    }
}

/// The capture mode of a node, and the one before it.
struct CaptureHistory {
    private(set) var current = CaptureMode.off
    private var previous = CaptureMode.off
    private var since: MonotonicTime?

    /// Runs `bringAbout`, which changes what happens to the node's keys, and notes when the change took effect.
    ///
    /// Keys that other programs receive are not counted: from the beginning of the change where the node is released,
    /// until its end where it is intercepted. What came before the first change is judged by its mode.
    mutating func change(to captureMode: CaptureMode, _ bringAbout: () -> Void) {
        let beginning = MonotonicTime.now
        bringAbout()
        if captureMode == current, since != nil { return }
        previous = since == nil ? captureMode : current
        current = captureMode
        since = captureMode == .off ? beginning : .now
    }

    /// An event is judged by its time stamp: a key that was intercepted counts however late it is read.
    func captureMode(at stamp: MonotonicTime) -> CaptureMode {
        since.map { stamp < $0 } ?? true ? previous : current
    }
}
