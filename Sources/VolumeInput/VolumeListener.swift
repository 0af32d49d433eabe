package import KeyProtocol
package import Linux

/// An input device: one physical device with all its nodes.
package struct InputDevice: Hashable, Sendable {
    package let stableID: Identifier
    package let nodes: [NodeReport]

    package var name: String { nodes.first?.name ?? stableID.text }
}

package enum ListenerEvent: Hashable, Sendable {
    case gesture(device: Identifier, VolumeEvent)
    /// An input device, by its stable id, is a knob, and its debounce suppresses detents. Sent once per connection of it.
    case knob(device: Identifier)
    case inputDevicesChanged
    /// The key server has ended or cannot be started; the text is the reason.
    case trouble(String)
    /// The system's service does not serve this program, which has started its own key server.
    case fellBack(ServiceFault)
}

/// Listens to all volume keys: turns the key server's messages into the gestures of each input device.
///
/// It has no loop of its own: the caller polls its descriptors, and calls `receive` when one is ready and at `deadline`.
package final class VolumeListener {
    private let client: KeyClient
    private let timing: (String) -> GestureTiming
    private let heldChord: Duration?
    private var nodes: [NodeID: NodeReport] = [:]
    private var listened: [InputDeviceID: ListenedDevice] = [:]
    private var startedRecognizers: UInt64 = 0
    /// The state of `/dev/input`; `nil` until the server has reported it.
    package private(set) var environment: InputEnvironment?

    /// Whether both keys of an input device, given by its stable id, together reset its location.
    package var admitsChords: (Identifier) -> Bool = { _ in true }

    /// The first `receive` starts it. `timing` has the settings for an input device, by its name; they have passed
    /// `GestureTiming.validate()`. `heldChord` as for `GestureRecognizer`.
    package init(
        client: KeyClient, heldChord: Duration? = nil, timing: @escaping (String) -> GestureTiming
    ) {
        (self.client, self.timing, self.heldChord) = (client, timing, heldChord)
    }

    var isConnected: Bool { client.isConnected }

    package func watch(_ polled: inout PollSet) { client.watch(&polled) }

    /// Why the system's service does not serve this program; `nil` while it does.
    package var serviceFault: ServiceFault? { client.serviceFault }

    package var deadline: MonotonicTime? {
        (listened.values.map(\.recognizer.deadline) + [client.deadline]).compactMap(\.self).min()
    }

    package var inputDevices: [InputDevice] {
        Dictionary(grouping: nodes.values, by: \.device).values
            .map { $0.sorted { $0.node.rawValue < $1.node.rawValue } }
            .map { InputDevice(stableID: $0[0].stableID, nodes: $0) }
            .sorted { ($0.name, $0.stableID) < ($1.name, $1.stableID) }
    }

    /// With `off`, all keys count as released, after the presses received until now.
    package func capture(_ captureMode: CaptureMode, at now: MonotonicTime) -> [ListenerEvent] {
        client.capture(captureMode, at: now)
        guard captureMode == .off else { return [] }
        var events = receive(at: now)
        releaseAll(at: now, &events)
        return events
    }

    package func ignore(_ stableID: Identifier, _ isIgnored: Bool) { client.ignore(stableID, isIgnored) }

    /// Reads all that is readable, then advances the time to `now`.
    package func receive(at now: MonotonicTime) -> [ListenerEvent] {
        var events: [ListenerEvent] = []
        for event in client.receive(at: now) {
            switch event {
            case .message(let message): handle(message, &events)
            case .lost(let reason):
                forgetAll(at: now, &events)
                events.append(.trouble(reason))
            case .unavailable(let error):
                let limit = remedy(forLimit: error.errno).map {
                    "no key server can be started: \(error.reason). \($0)"
                }
                events.append(.trouble(limit ?? "\(error)"))
            case .fellBack(let fault):
                forgetAll(at: now, &events)
                events.append(.fellBack(fault))
            case .serviceCame: forgetAll(at: now, &events)
            }
        }
        for device in Array(listened.keys) {
            recognize(device, &events) { $0.advance(to: now, into: &$1) }
        }
        return events
    }

    func handle(_ message: ServerMessage, _ events: inout [ListenerEvent]) {
        switch message {
        case .node(let report): note(report, &events)
        case .nodeGone(let node, let stamp): forget(node, at: stamp, &events)
        case .frame(_, let frame): handle(frame, &events)
        case .resynchronized(let node, let down, let stamp):
            recognize(nodes[node]?.device, &events) {
                $0.resynchronize(node, down: down, at: stamp, into: &$1)
            }
        case .interrupted(let stamp, let reason):
            releaseAll(at: stamp, &events)
            events.append(.trouble(reason.text))
        case .environment(let environment):
            self.environment = environment
            events.append(.inputDevicesChanged)
        case .refused(let reason): events.append(.trouble("counter-keys: \(reason)"))
        }
    }
}

extension Interruption {
    fileprivate var text: String {
        switch self {
        case .unacknowledged: "the volume keys were not intercepted for a moment: counter was stopped or busy"
        case .otherSession:
            "another session is in the foreground: the volume keys are not received here until yours is"
        }
    }
}

// MARK: - Keys of the terminal

extension NodeReport {
    /// The terminal as an input device with one node, for terminals that send volume keys themselves.
    ///
    /// The desktop has not handled such keys, so the system's volume does not change, as with an exclusive node.
    package static let terminal = NodeReport(
        node: NodeID(rawValue: .max), device: InputDeviceID(rawValue: .max), name: "terminal keys",
        stableID: "terminal-volume-keys", path: "", bus: "", keys: CountedKeys([.up, .down]),
        state: .exclusive(alsoTakes: false), plan: .exclusive(alsoTakes: false))
}

extension VolumeListener {
    /// Processes the volume keys that the terminal reports, as one frame at `now`.
    ///
    /// While a device is shared, its presses may also arrive through the terminal. They are counted once, from the device.
    package func receive(terminal changes: [KeyChange], at now: MonotonicTime) -> [ListenerEvent] {
        let heard = changes.filter { !$0.isDown || !isAnyShared }
        if heard.isEmpty { return [] }
        var events: [ListenerEvent] = []
        let terminal = NodeReport.terminal
        if nodes[terminal.node] == nil { note(terminal, &events) }
        recognize(terminal.device, &events) {
            $0.admitsChords = admitsChords(terminal.stableID)
            $0.handle(KeyFrame(node: terminal.node, stamp: now, changes: heard), into: &$1)
        }
        return events
    }

    /// Releases the terminal's keys. Another window has the focus, so their releases do not arrive here.
    package func releaseTerminalKeys(at now: MonotonicTime) -> [ListenerEvent] {
        var events: [ListenerEvent] = []
        recognize(NodeReport.terminal.device, &events) {
            $0.cancel(NodeReport.terminal.node, at: now, into: &$1)
        }
        return events
    }

    private var isAnyShared: Bool {
        nodes.values.contains {
            switch $0.state {
            case .exclusive, .exclusiveUnannounced, .noAccess, .shared(.grabbedElsewhere),
                .shared(.otherSeat), .shared(.yielded):
                false
            case .shared: true
            }
        }
    }
}

// MARK: - Recognisers

extension VolumeListener {
    private func recognize(
        _ device: InputDeviceID?, _ events: inout [ListenerEvent],
        _ body: (inout GestureRecognizer, inout [VolumeEvent]) -> Void
    ) {
        if let device { listened[device]?.recognize(&events, body) }
    }

    /// Each recogniser gets its own range of count numbers, so that they are unique in the life of the process.
    private func note(_ report: NodeReport, _ events: inout [ListenerEvent]) {
        nodes[report.node] = report
        events.append(.inputDevicesChanged)
        guard listened[report.device] == nil else { return }
        startedRecognizers += 1
        let timing = timing(report.name)
        listened[report.device] = ListenedDevice(
            stableID: report.stableID,
            recognizer: GestureRecognizer(
                timing: timing, firstCount: startedRecognizers << 40, heldChord: heldChord),
            knob: KnobDetector(debounce: timing.debounce))
    }

    private func handle(_ frame: KeyFrame, _ events: inout [ListenerEvent]) {
        guard let node = nodes[frame.node] else { return }
        let device = node.device
        recognize(device, &events) {
            $0.admitsChords = admitsChords(node.stableID)
            $0.handle(frame, into: &$1)
            // A press from before `off` can arrive after it. It counts, and is no hold: its release is not reported.
            if client.captureMode == .off { $0.cancel(frame.node, at: frame.stamp, into: &$1) }
        }
        if listened[device]?.knob.recognizes(frame) ?? false { events.append(.knob(device: node.stableID)) }
    }

    private func releaseAll(at stamp: MonotonicTime, _ events: inout [ListenerEvent]) {
        for node in nodes.values {
            recognize(node.device, &events) { $0.cancel(node.node, at: stamp, into: &$1) }
        }
    }

    private func forget(_ node: NodeID, at stamp: MonotonicTime, _ events: inout [ListenerEvent]) {
        guard let report = nodes[node] else { return }
        recognize(report.device, &events) { $0.cancel(node, at: stamp, into: &$1) }
        nodes[node] = nil
        if !nodes.values.contains(where: { $0.device == report.device }) { listened[report.device] = nil }
        events.append(.inputDevicesChanged)
    }

    private func forgetAll(at stamp: MonotonicTime, _ events: inout [ListenerEvent]) {
        for node in Array(nodes.keys) { forget(node, at: stamp, &events) }
        environment = nil
    }
}

private struct ListenedDevice {
    let stableID: Identifier
    var recognizer: GestureRecognizer
    var knob: KnobDetector

    mutating func recognize(
        _ events: inout [ListenerEvent], _ body: (inout GestureRecognizer, inout [VolumeEvent]) -> Void
    ) {
        var gestures: [VolumeEvent] = []
        body(&recognizer, &gestures)
        events += gestures.map { .gesture(device: stableID, $0) }
    }
}
