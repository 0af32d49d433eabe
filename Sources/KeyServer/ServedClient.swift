import KeyProtocol
import Linux

/// One client with its own open nodes: what it receives of them, and what is intercepted for it.
///
/// Each client has descriptors of its own, because each may count other keys. Clients of one server compete for a
/// node as separate programs do: the first intercepts it.
final class ServedClient {
    /// How long a client may be connected without asking to capture keys.
    private static let introductionTimeout = Duration.seconds(5)
    /// How many cheap messages are received before other clients have their turn.
    private static let maxMessages = 64

    /// The process at the other end; `nil` if it is the program that started this server.
    let peer: SocketPeer?
    private let connection: ClientConnection
    private let devices: DeviceWatch
    private let connected = MonotonicTime.now
    private var rights: SeatRights
    private var hasStarted = false
    private var table: NodeTable?
    private var environment: InputEnvironment?
    private var nodes: [WatchedNode] = []
    private var control = 0

    init(
        _ socket: PacketSocket, of peer: SocketPeer?, _ rights: SeatRights, _ devices: DeviceWatch
    ) {
        (self.peer, self.rights, self.devices) = (peer, rights, devices)
        connection = ClientConnection(
            peer == nil
                ? MessageConnection(socket) : MessageConnection(socket, maxUnsent: ClientAcceptor.maxUnsent))
    }

    /// While the client's user may not receive keys, the mode that it asks for waits.
    private var captureMode: CaptureMode { rights.isServed ? connection.captureMode : .off }

    var deadline: MonotonicTime? {
        [connection.deadline, hasStarted ? nil : connected + Self.introductionTimeout].compactMap(\.self)
            .min()
    }

    func watch(_ polled: inout PollSet) {
        control = polled.add(connection.number, connection.interest)
        nodes = (table?.records ?? []).map { WatchedNode($0, &polled) }
    }

    /// Handles all that was polled, except for keys.
    func handle(_ polled: PollSet, _ changes: DeviceWatch.Changes, at now: MonotonicTime)
        throws(ConnectionEnd)
    {
        // The rest of its messages is dropped: no client waits for the result, and other clients would be delayed.
        if polled.result(at: control).isGone { throw .closed }
        if !changes.nodes.isEmpty { table?.follow(changes.nodes) }
        if changes.isDatabaseChanged { table?.update() }
        if changes.isRegistryChanged { table?.retry() }
        // An acknowledgement may have come while keys were read, so messages are read first.
        if !polled.result(at: control).isEmpty || connection.isOverdue(at: now) {
            if try readMessages() { connection.checkAcknowledgement(at: .now) }
        }
        table?.apply(captureMode)
        // Keys that were captured before a node was yielded precede the news of it.
        if table?.hasYielded ?? false { try readKeys { _ in true } }
        try sendNews()
        if !hasStarted, now >= connected + Self.introductionTimeout { throw .stalled }
    }

    /// If the client may no longer receive keys, it learns of that after all keys that were intercepted for it.
    func serve(_ seats: Seats) throws(ConnectionEnd) {
        let wasServed = rights.isServed
        rights.seats = seats
        table?.serve(rights, captureMode)
        if rights.isServed || !wasServed || !hasStarted { return }
        try readKeys { _ in true }
        try connection.send(.interrupted(at: .now, .otherSession))
    }

    /// Releases its nodes, and sends the reason why the connection ends.
    func end(_ reason: ConnectionEnd?) {
        table?.apply(.off)
        if let reason { connection.refuse(reason) }
    }

    // MARK: Messages

    /// Whether all waiting messages were received.
    private func readMessages() throws(ConnectionEnd) -> Bool {
        try connection.flush()
        for _ in 0..<Self.maxMessages {
            guard let message = try connection.receive() else { return true }
            if peer != nil, let objection = ServiceRules.objection(to: message) { throw .bad(objection) }
            handle(message)
            // Applied before the next message, which may end at once the mode with which nodes were opened.
            table?.apply(captureMode)
            // The message had nodes looked at, which takes time: other clients have their turn before the next one.
            if case .acknowledge = message { continue }
            if hasStarted { return false }
        }
        return false
    }

    private func handle(_ message: ClientMessage) {
        switch message {
        case .ignore(let stableID, let isIgnored): table?.ignore(stableID, isIgnored)
        case .capture: start()
        case .configure, .takePrecedence, .only, .acknowledge: break
        }
    }

    /// Opens the nodes that exist; called at the client's first `capture`.
    private func start() {
        if hasStarted { return }
        hasStarted = true
        defer { releaseProgramPages() }
        guard let directory = devices.directory else { return }
        // A device that a crash left changed seems to have no volume keys.
        devices.restoreAbandoned()
        table = NodeTable(
            directory: directory, registry: devices.registry, connection.settings, rights, captureMode)
    }

    private func sendNews() throws(ConnectionEnd) {
        guard hasStarted else { return }
        for message in table?.takeNews() ?? [] { try connection.send(message) }
        if devices.environment == environment { return }
        environment = devices.environment
        try connection.send(.environment(devices.environment))
    }
}

// MARK: - Keys

extension ServedClient {
    private struct WatchedNode {
        let record: NodeRecord
        let index: Int?
        let waitingIndices: [Int]

        init(_ record: NodeRecord, _ polled: inout PollSet) {
            self.record = record
            index = record.input.map { polled.add($0.node.number) }
            waitingIndices = record.waitingDescriptors.map { polled.add($0) }
        }
    }

    /// Reads every node that has events, and sends these in the order of their stamps.
    func readKeys(_ polled: PollSet) throws(ConnectionEnd) { try readKeys { !polled.result(at: $0).isEmpty } }

    private func readKeys(_ isReady: (Int) -> Bool) throws(ConnectionEnd) {
        var received: [(NodeEvent, from: NodeRecord)] = []
        for node in nodes {
            var events: [NodeEvent] = []
            if let index = node.index, isReady(index) { read(node.record, into: &events) }
            // A key received from a node that waits shows that the other program's grab has ended.
            let isDue = !events.isEmpty || node.waitingIndices.contains(where: isReady)
            received += events.map { ($0, node.record) }
            if isDue && !node.waitingIndices.isEmpty { table?.apply(to: node.record) }
        }
        if received.count > 1 { received.sort { $0.0.stamp < $1.0.stamp } }
        for (event, record) in received {
            try connection.send(event, during: record.captureMode(at: event.stamp))
        }
    }

    private func read(_ record: NodeRecord, into events: inout [NodeEvent]) {
        do throws(SystemCallError) {
            try record.input?.read(into: &events)
        } catch {
            // Unplugged or revoked. Removed at once, because poll(2) would report its descriptor without end.
            table?.remove(record)
        }
    }
}
