public import Descriptors

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
    /// A source came, went, or is treated differently now.
    case sourcesChanged
    /// The key server is gone or cannot be started; the text says why.
    case trouble(String)
}

/// Listens to all volume keys: the key server's messages in, gestures of each source out.
///
/// It has no loop of its own: the caller polls `number`, calls `receive` when it is readable and at `deadline`.
public final class VolumeListener {
    private let client: KeyClient
    private let timing: (String) -> GestureTiming
    private var nodes: [NodeID: NodeReport] = [:]
    private var recognizers: [SourceID: GestureRecognizer] = [:]
    private var startedRecognizers: UInt64 = 0
    /// What can be said of `/dev/input`; `nil` until the server has looked.
    public private(set) var environment: InputEnvironment?

    /// A listener that has not started yet.
    ///
    /// - Parameters:
    ///   - client: the connection to the key server.
    ///   - timing: the settings for a source, by its name; they have passed `GestureTiming.validate()`.
    public init(client: KeyClient, timing: @escaping (String) -> GestureTiming) {
        self.client = client
        self.timing = timing
    }

    /// The descriptor to poll; `nil` while there is no server.
    public var number: CInt? { client.number }

    /// When `receive` is to be called though nothing is readable; `nil` at rest.
    public var deadline: MonotonicTime? {
        (recognizers.values.map(\.deadline) + [client.deadline]).compactMap(\.self).min()
    }

    /// All sources, by their names.
    public var sources: [Source] {
        Dictionary(grouping: nodes.values, by: \.source).values
            .map {
                Source(stableID: $0[0].stableID, nodes: $0.sorted { $0.node.rawValue < $1.node.rawValue })
            }
            .sorted { ($0.name, $0.stableID) < ($1.name, $1.stableID) }
    }

    /// Says what is to happen with the keys. Going away takes all keys as released.
    public func attend(_ attention: Attention, at now: MonotonicTime) -> [ListenerEvent] {
        client.attend(attention)
        var events: [ListenerEvent] = []
        if attention == .away { releaseAll(at: now, &events) }
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
            }
        }
        for source in Array(recognizers.keys) {
            recognize(source, &events) { $0.advance(to: now, into: &$1) }
        }
        return events
    }

    private func take(_ message: ServerMessage, _ events: inout [ListenerEvent]) {
        switch message {
        case .node(let report):
            nodes[report.node] = report
            events.append(.sourcesChanged)
        case .nodeGone(let node, let stamp): forget(node, at: stamp, &events)
        case .frame(_, let frame):
            recognize(nodes[frame.node]?.source, &events) { $0.handle(frame, into: &$1) }
        case .resynchronized(let node, let down, let stamp):
            recognize(nodes[node]?.source, &events) {
                $0.resynchronize(node, down: down, at: stamp, into: &$1)
            }
        case .interrupted(let stamp):
            releaseAll(at: stamp, &events)
            events.append(
                .trouble("the volume keys were everybody's for a moment: counter was stopped or busy"))
        case .environment(let environment):
            self.environment = environment
            events.append(.sourcesChanged)
        case .refused(let reason): events.append(.trouble("counter-keys: \(reason)"))
        }
    }
}

// MARK: - Recognisers

extension VolumeListener {
    private func recognize(
        _ source: SourceID?, _ events: inout [ListenerEvent],
        _ body: (inout GestureRecognizer, inout [VolumeEvent]) -> Void
    ) {
        guard let source, let node = nodes.values.first(where: { $0.source == source }) else { return }
        var gestures: [VolumeEvent] = []
        body(&recognizers[source, default: makeRecognizer(for: node)], &gestures)
        events += gestures.map { .gesture(source: node.stableID, $0) }
    }

    /// Count numbers are unique in the life of the program: each recogniser has a range of its own.
    private func makeRecognizer(for node: NodeReport) -> GestureRecognizer {
        startedRecognizers += 1
        return GestureRecognizer(timing: timing(node.name), firstCount: startedRecognizers << 40)
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
        if !nodes.values.contains(where: { $0.source == report.source }) { recognizers[report.source] = nil }
        events.append(.sourcesChanged)
    }

    private func forgetAll(at stamp: MonotonicTime, _ events: inout [ListenerEvent]) {
        for node in Array(nodes.keys) { forget(node, at: stamp, &events) }
        environment = nil
        recognizers = [:]
    }
}
