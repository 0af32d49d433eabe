public import KeyProtocol
public import System

/// A source as a person knows it: one physical thing with its nodes.
public struct Source: Hashable, Sendable {
    /// Its name for ever.
    public let stableID: String
    /// Its nodes, by what the key server last told.
    public let nodes: [NodeReport]

    /// The name of its first node.
    public var name: String { nodes.first?.name ?? stableID }
}

/// Something that a listener has to say.
public enum ListenerEvent: Hashable, Sendable {
    /// A gesture on a source, by its stable id.
    case gesture(source: String, VolumeEvent)
    /// A source, by its stable id, is a knob, and its debounce keeps detents from being counted. Told once while it is
    /// there.
    case knob(source: String)
    /// A source came, went, or is treated differently now.
    case sourcesChanged
    /// The key server is gone or cannot be started; the text says why.
    case trouble(String)
    /// The system's service does not serve this program, which reads the keys by itself now.
    case fellBack(ServiceFault)
}

/// Listens to all volume keys: the key server's messages in, gestures of each source out.
///
/// It has no loop of its own: the caller polls what it watches, calls `receive` when that is ready and at `deadline`.
public final class VolumeListener {
    private let client: KeyClient
    private let timing: (String) -> GestureTiming
    private var nodes: [NodeID: NodeReport] = [:]
    private var listened: [SourceID: ListenedSource] = [:]
    private var startedRecognizers: UInt64 = 0
    /// `sources`, until one of them changes.
    private var groupedNodes: [Source]?
    /// What can be said of `/dev/input`; `nil` until the server has looked.
    public private(set) var environment: InputEnvironment?

    /// Whether both keys of a source, by its stable id, together reset what it counts into.
    public var admitsChords: (String) -> Bool = { _ in true }

    /// A listener that has not started yet.
    ///
    /// - Parameters:
    ///   - client: the connection to the key server.
    ///   - timing: the settings for a source, by its name; they have passed `GestureTiming.validate()`.
    public init(client: KeyClient, timing: @escaping (String) -> GestureTiming) {
        self.client = client
        self.timing = timing
    }

    /// There is a server.
    var isConnected: Bool { client.isConnected }

    /// Adds what it waits for.
    public func watch(_ polled: inout PollSet) { client.watch(&polled) }

    /// Why the system's service does not serve this program; `nil` while it does.
    public var serviceFault: ServiceFault? { client.serviceFault }

    /// When `receive` is to be called though nothing is readable; `nil` at rest.
    public var deadline: MonotonicTime? {
        (listened.values.map(\.recognizer.deadline) + [client.deadline]).compactMap(\.self).min()
    }

    /// All sources, by their names.
    public var sources: [Source] {
        if let groupedNodes { return groupedNodes }
        let sources = Dictionary(grouping: nodes.values, by: \.source).values
            .map {
                Source(stableID: $0[0].stableID, nodes: $0.sorted { $0.node.rawValue < $1.node.rawValue })
            }
            .sorted { ($0.name, $0.stableID) < ($1.name, $1.stableID) }
        groupedNodes = sources
        return sources
    }

    /// Says what is to happen with the keys. Going away takes all keys as released, after what was pressed until now.
    public func attend(_ attention: Attention, at now: MonotonicTime) -> [ListenerEvent] {
        client.attend(attention, at: now)
        guard attention == .away else { return [] }
        var events = receive(at: now)
        releaseAll(at: now, &events)
        return events
    }

    /// Leaves a source alone, or no longer.
    public func ignore(_ stableID: String, _ isIgnored: Bool) { client.ignore(stableID, isIgnored) }

    /// Takes in everything that can be read, then lets time pass up to `now`.
    public func receive(at now: MonotonicTime) -> [ListenerEvent] {
        var events: [ListenerEvent] = []
        for event in client.receive(at: now) {
            switch event {
            case .message(let message): take(message, &events)
            case .lost(let reason):
                forgetAll(at: now, &events)
                events.append(.trouble(reason))
            case .unavailable(let error): events.append(.trouble("\(error)"))
            case .fellBack(let fault):
                forgetAll(at: now, &events)
                events.append(.fellBack(fault))
            case .serviceCame: forgetAll(at: now, &events)
            }
        }
        for source in Array(listened.keys) {
            recognize(source, &events) { $0.advance(to: now, into: &$1) }
        }
        return events
    }

    func take(_ message: ServerMessage, _ events: inout [ListenerEvent]) {
        switch message {
        case .node(let report): note(report, &events)
        case .nodeGone(let node, let stamp): forget(node, at: stamp, &events)
        case .frame(_, let frame): take(frame, &events)
        case .resynchronized(let node, let down, let stamp):
            recognize(nodes[node]?.source, &events) {
                $0.resynchronize(node, down: down, at: stamp, into: &$1)
            }
        case .interrupted(let stamp, let reason):
            releaseAll(at: stamp, &events)
            events.append(.trouble(reason.text))
        case .environment(let environment):
            self.environment = environment
            events.append(.sourcesChanged)
        case .refused(let reason): events.append(.trouble("counter-keys: \(reason)"))
        }
    }
}

extension Interruption {
    fileprivate var text: String {
        switch self {
        case .unacknowledged: "the volume keys were everybody's for a moment: counter was stopped or busy"
        case .otherSession:
            "another session is in front: the volume keys are not heard here until it is yours"
        }
    }
}

// MARK: - Keys of the terminal

extension NodeReport {
    /// The terminal, where it delivers volume keys itself: a node and a source that are no device.
    ///
    /// Only what no desktop takes comes this way, so the system's volume stands still as with a node that is held.
    public static let terminal = NodeReport(
        node: NodeID(rawValue: .max), source: SourceID(rawValue: .max), name: "terminal keys",
        stableID: "terminal-volume-keys", path: "", bus: "", keys: [CountedKeys(.up), CountedKeys(.down)],
        state: .held(alsoTakes: false), plan: .held(alsoTakes: false))
}

extension VolumeListener {
    /// Takes in what the terminal tells of its volume keys, as one frame at `now`.
    ///
    /// While a device is shared its presses may reach the terminal too. They are counted once, from the device.
    public func receive(terminal changes: KeyChanges, at now: MonotonicTime) -> [ListenerEvent] {
        let heard = KeyChanges(changes.filter { !$0.isDown || !isAnyShared })
        if heard.isEmpty { return [] }
        var events: [ListenerEvent] = []
        let terminal = NodeReport.terminal
        if nodes[terminal.node] == nil { note(terminal, &events) }
        recognize(terminal.source, &events) {
            $0.admitsChords = admitsChords(terminal.stableID)
            $0.handle(KeyFrame(node: terminal.node, stamp: now, changes: heard), into: &$1)
        }
        return events
    }

    /// Takes the terminal's keys as released: another window has the focus, which hears their releases.
    public func releaseTerminalKeys(at now: MonotonicTime) -> [ListenerEvent] {
        var events: [ListenerEvent] = []
        recognize(NodeReport.terminal.source, &events) {
            $0.cancel(NodeReport.terminal.node, at: now, into: &$1)
        }
        return events
    }

    private var isAnyShared: Bool {
        nodes.values.contains {
            switch $0.state {
            case .held, .heldUnannounced, .noAccess, .shared(.heldElsewhere), .shared(.otherSeat): false
            case .shared: true
            }
        }
    }
}

// MARK: - Recognisers

extension VolumeListener {
    private func recognize(
        _ source: SourceID?, _ events: inout [ListenerEvent],
        _ body: (inout GestureRecognizer, inout [VolumeEvent]) -> Void
    ) {
        if let source { listened[source]?.recognize(&events, body) }
    }

    /// Count numbers are unique in the life of the program: each recogniser has a range of its own.
    private func note(_ report: NodeReport, _ events: inout [ListenerEvent]) {
        nodes[report.node] = report
        groupedNodes = nil
        events.append(.sourcesChanged)
        guard listened[report.source] == nil else { return }
        startedRecognizers += 1
        let timing = timing(report.name)
        listened[report.source] = ListenedSource(
            stableID: report.stableID,
            recognizer: GestureRecognizer(timing: timing, firstCount: startedRecognizers << 40),
            knob: KnobDetector(debounce: timing.debounce))
    }

    private func take(_ frame: KeyFrame, _ events: inout [ListenerEvent]) {
        guard let node = nodes[frame.node] else { return }
        let source = node.source
        recognize(source, &events) {
            $0.admitsChords = admitsChords(node.stableID)
            $0.handle(frame, into: &$1)
            // What was pressed just before the keys became everybody's arrives after that was asked for. It counts, but
            // its release will not be told: it must not become a hold.
            if client.attention == .away { $0.cancel(frame.node, at: frame.stamp, into: &$1) }
        }
        if let stableID = listened[source]?.recognizesKnob(frame) { events.append(.knob(source: stableID)) }
    }

    private func releaseAll(at stamp: MonotonicTime, _ events: inout [ListenerEvent]) {
        for node in nodes.values {
            recognize(node.source, &events) { $0.cancel(node.node, at: stamp, into: &$1) }
        }
    }

    private func forget(_ node: NodeID, at stamp: MonotonicTime, _ events: inout [ListenerEvent]) {
        guard let report = nodes[node] else { return }
        recognize(report.source, &events) { $0.cancel(node, at: stamp, into: &$1) }
        nodes[node] = nil
        groupedNodes = nil
        if !nodes.values.contains(where: { $0.source == report.source }) { listened[report.source] = nil }
        events.append(.sourcesChanged)
    }

    private func forgetAll(at stamp: MonotonicTime, _ events: inout [ListenerEvent]) {
        for node in Array(nodes.keys) { forget(node, at: stamp, &events) }
        environment = nil
    }
}

/// What is kept of a source while it is there.
private struct ListenedSource {
    let stableID: String
    var recognizer: GestureRecognizer
    var knob: KnobDetector

    /// - Returns: its stable id, once, where it turns out to be a knob.
    mutating func recognizesKnob(_ frame: KeyFrame) -> String? {
        knob.recognizes(frame) ? stableID : nil
    }

    mutating func recognize(
        _ events: inout [ListenerEvent], _ body: (inout GestureRecognizer, inout [VolumeEvent]) -> Void
    ) {
        var gestures: [VolumeEvent] = []
        body(&recognizer, &gestures)
        events += gestures.map { .gesture(source: stableID, $0) }
    }
}
