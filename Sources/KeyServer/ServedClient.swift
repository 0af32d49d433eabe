import KeyProtocol
import System

/// One client with the nodes that are open for it: what it hears of them, and what it has held.
///
/// Each client has descriptors of its own, for each may count other keys. To the kernel and to the registry the clients of
/// one server are strangers to one another, as programs are: of two that want a node the first holds it.
final class ServedClient {
    /// How long a client may be connected without wanting anything.
    private static let introductionPatience = Duration.seconds(5)
    /// How many messages that cost nothing are taken in before others have their turn.
    private static let maxMessages = 64

    /// Who is at the other end; `nil` where the server belongs to the program that started it.
    let peer: PeerCredentials?
    private let client: KeyServerClient
    private let devices: DeviceWatch
    private let connected = MonotonicTime.now
    private var rights: SeatRights
    private var hasStarted = false
    private var table: NodeTable?
    private var environment: InputEnvironment?
    private var nodes: [WatchedNode] = []
    private var control = 0

    /// - Parameters:
    ///   - socket: this end of the connection.
    ///   - peer: who is at the other one.
    ///   - isServed: whether it hears keys from the start.
    ///   - rights: what it may have of the devices of each seat.
    ///   - maxUnsent: how many messages may wait for it.
    ///   - devices: what is known of devices.
    init(
        _ socket: PacketSocket, of peer: PeerCredentials?, isServed: Bool, _ rights: SeatRights,
        maxUnsent: Int, _ devices: DeviceWatch
    ) {
        self.peer = peer
        self.rights = rights
        self.devices = devices
        client = KeyServerClient(socket, maxUnsent: maxUnsent)
        client.isServed = isServed
    }

    /// When it is to be looked at though nothing came from it.
    var deadline: MonotonicTime? {
        [client.deadline, hasStarted ? nil : connected + Self.introductionPatience].compactMap(\.self).min()
    }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) {
        control = polled.add(client.number, client.interest)
        nodes = (table?.records ?? []).map { WatchedNode($0, &polled) }
    }

    /// Takes in what came, but for keys.
    ///
    /// - Throws: `ConnectionEnd` where it is served no longer.
    func handle(_ polled: PollSet, _ changes: DeviceWatch.Changes, at now: MonotonicTime)
        throws(ConnectionEnd)
    {
        // Whatever it still asked for: nobody waits for that any more, but others would.
        if polled.result(at: control).isGone { throw .closed }
        if !changes.nodes.isEmpty { table?.follow(changes.nodes, client.captureMode) }
        if changes.isDatabaseChanged { table?.update(client.captureMode) }
        if changes.isGivenBack { table?.retry(client.captureMode) }
        // An acknowledgement may have come while keys were read: late is only who is late after a look.
        if !polled.result(at: control).isEmpty || client.isOverdue(at: now) {
            if try readMessages() { client.checkAcknowledgement(at: .now) }
        }
        client.applyAttention { table?.apply($0) }
        try tellNews()
        if !hasStarted, now >= connected + Self.introductionPatience { throw .stalled }
    }

    /// Says whether it is the one to hear keys. If no longer, they are given back, and it learns of that after
    /// everything that it had held.
    func serve(_ isServed: Bool, _ seats: Seats) throws(ConnectionEnd) {
        rights.seats = seats
        table?.rights = rights
        let wasServed = client.isServed
        client.isServed = isServed
        client.applyAttention { _ in }
        table?.apply(client.captureMode)
        if isServed || !wasServed || !hasStarted { return }
        try readKeys { _ in true }
        try client.send(.interrupted(at: .now, .otherSession))
    }

    /// Gives back what is held, and says why the connection ends.
    func end(_ reason: ConnectionEnd?) {
        table?.apply(.off)
        if let reason { client.refuse(reason) }
    }

    // MARK: Messages

    /// - Returns: whether all that waited was taken in.
    private func readMessages() throws(ConnectionEnd) -> Bool {
        try client.flush()
        for _ in 0..<Self.maxMessages {
            guard let message = try client.receive() else { return true }
            if peer != nil, let objection = ServiceRules.objection(to: message) { throw .bad(objection) }
            take(message)
            // Before the next message: that may take back at once what nodes have been opened with.
            client.applyAttention { table?.apply($0) }
            // Nodes were looked at, which takes its time: others have their turn before the next message does so.
            if hasStarted, !message.isAcknowledgement { return false }
        }
        return false
    }

    private func take(_ message: ClientMessage) {
        switch message {
        case .ignore(let stableID, let isIgnored): table?.ignore(stableID, isIgnored, client.captureMode)
        case .capture: start()
        case .configure, .only, .acknowledge: break
        }
    }

    /// Opens what is there; the first `capture` of the client starts it.
    private func start() {
        if hasStarted { return }
        hasStarted = true
        guard let directory = devices.directory else { return }
        // What a crash left swapped looks like a device without volume keys.
        devices.restoreAbandoned()
        let table = NodeTable(
            directory: directory, registry: devices.registry, meanings: client.meanings,
            only: client.onlyPaths,
            ignoring: client.ignoredSources, rights)
        table.scan(client.captureMode)
        self.table = table
    }

    private func tellNews() throws(ConnectionEnd) {
        guard hasStarted else { return }
        for message in table?.takeNews() ?? [] { try client.send(message) }
        if devices.environment == environment { return }
        environment = devices.environment
        try client.send(.environment(devices.environment))
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

    /// Reads every node that has something, and passes it on in the order of the stamps.
    func readKeys(_ polled: PollSet) throws(ConnectionEnd) {
        try readKeys { !polled.result(at: $0).isEmpty }
    }

    private func readKeys(_ isReady: (Int) -> Bool) throws(ConnectionEnd) {
        var heard: [(NodeEvent, from: NodeRecord)] = []
        for node in nodes {
            var events: [NodeEvent] = []
            if let index = node.index, isReady(index) { read(node.record, into: &events) }
            // What is heard from it is kept from nobody: whoever had grabbed it has let go.
            let isDue = !events.isEmpty || node.waitingIndices.contains(where: isReady)
            heard += events.map { ($0, node.record) }
            if isDue && !node.waitingIndices.isEmpty { table?.apply(client.captureMode, to: node.record) }
        }
        if heard.count > 1 { heard.sort { $0.0.stamp < $1.0.stamp } }
        for (event, record) in heard { try client.tell(event, during: record.captureMode(at: event.stamp)) }
    }

    private func read(_ record: NodeRecord, into events: inout [NodeEvent]) {
        do throws(SystemCallError) {
            try record.input?.read(into: &events)
        } catch {
            // Unplugged or revoked. Its descriptor would report that for ever: it leaves the table at once.
            table?.remove(record)
        }
    }
}
