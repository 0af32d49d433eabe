public import Descriptors
import Glibc

/// Finds the nodes, holds them, and tells one client of each press and release: all that `counter-keys` does.
///
/// One thread around one `poll(2)`. It knows no file, no terminal, and of the keys only those that count.
public final class KeyServer {
    private let client: KeyServerClient
    private let signals: SignalDescriptor
    private var table: NodeTable?
    private var directory: NodeDirectory?
    private let ledger: HoldLedger?
    private var environment: InputEnvironment?
    private var polled = PollSet()

    /// A server for the client at the other end of `socket`.
    ///
    /// - Parameters:
    ///   - socket: this end of the connection.
    ///   - signals: those that end it.
    public init(serving socket: PacketSocket, until signals: SignalDescriptor) {
        client = KeyServerClient(socket)
        self.signals = signals
        ledger = HoldLedger.defaultDirectory.flatMap { try? HoldLedger($0) }
    }

    /// Serves until the client is gone or a signal comes. All keys have been given back then.
    ///
    /// - Throws: `SystemCallError` where the loop itself cannot go on.
    public func run() throws(SystemCallError) {
        defer { table?.apply(.away) }
        do throws(ConnectionEnd) {
            while signals.next() == nil {
                polled.removeAll()
                polled.add(signals.number)
                let control = polled.add(client.number)
                let watch = directory.map { polled.add($0.number) }
                let givenBack = ledger.map { polled.add($0.number) }
                let nodes = (table?.records ?? []).map { watchNode($0) }
                do throws(SystemCallError) { try polled.wait(until: client.deadline) } catch {
                    throw .failed(error)
                }
                // Keys first: nothing else may delay them.
                try readKeys(nodes)
                if let watch, !polled.result(at: watch).isEmpty { try followDirectory() }
                if let givenBack, !polled.result(at: givenBack).isEmpty { retryHolding() }
                if !polled.result(at: control).isEmpty { try readClient() }
                client.checkAcknowledgement(at: .now)
                applyAttention()
                try tellNews()
            }
        } catch {
            if case .failed(let cause) = error { throw cause }
            client.refuse(error)
        }
    }
}

// MARK: - Nodes

extension KeyServer {
    private struct WatchedNode {
        let record: NodeRecord
        let place: Int?
        let waitingPlace: Int?
    }

    private func watchNode(_ record: NodeRecord) -> WatchedNode {
        WatchedNode(
            record: record, place: record.input.map { polled.add($0.node.number) },
            waitingPlace: record.waitingDescriptor.map { polled.add($0) })
    }

    /// Reads every node that has something, and passes it on in the order of the stamps.
    private func readKeys(_ nodes: [WatchedNode]) throws(ConnectionEnd) {
        var events: [NodeEvent] = []
        for node in nodes {
            if let place = node.place, !polled.result(at: place).isEmpty { read(node.record, into: &events) }
            if let place = node.waitingPlace, !polled.result(at: place).isEmpty {
                table?.apply(client.attention, to: node.record)
            }
        }
        if events.count > 1 { events.sort { $0.stamp < $1.stamp } }
        for event in events { try client.tell(event) }
    }

    private func read(_ record: NodeRecord, into events: inout [NodeEvent]) {
        do throws(SystemCallError) {
            try record.input?.read(into: &events)
        } catch {
            // Unplugged or revoked. Its descriptor would report that for ever: it leaves the table at once.
            table?.remove(record)
        }
    }

    private func retryHolding() {
        ledger?.drain()
        table?.retry(client.attention)
    }

    private func applyAttention() {
        guard client.takeAttentionChange() else { return }
        table?.apply(client.attention)
    }

    private func tellNews() throws(ConnectionEnd) {
        for message in table?.takeNews() ?? [] { try client.send(message) }
        if let environment = takeEnvironmentChange() { try client.send(.environment(environment)) }
    }
}

// MARK: - The directory

extension KeyServer {
    private func followDirectory() throws(ConnectionEnd) {
        guard let directory else { return }
        do throws(SystemCallError) {
            table?.follow(try directory.changes(), client.attention)
        } catch { throw .failed(error) }
    }

    /// Opens what is there; the first `attend` of the client starts it.
    private func start() {
        do throws(SystemCallError) {
            let directory = try NodeDirectory()
            // What a crash left swapped looks like a device without volume keys.
            ledger?.restoreAbandoned()
            let table = NodeTable(
                directory: directory, ledger: ledger, meanings: client.meanings, only: client.onlyPaths,
                ignoring: client.ignoredSources)
            table.scan(client.attention)
            self.directory = directory
            self.table = table
        } catch {
            environment = .unreadable(errno: error.errno)
            _ = try? client.send(.environment(.unreadable(errno: error.errno)))
        }
    }

    private func takeEnvironmentChange() -> InputEnvironment? {
        guard let directory else { return nil }
        let present: InputEnvironment = directory.exists ? .ready : .noDirectory
        if present == environment { return nil }
        environment = present
        return present
    }
}

// MARK: - The client

extension KeyServer {
    private func readClient() throws(ConnectionEnd) {
        while let message = try client.receive() {
            switch message {
            case .ignore(let stableID, let isIgnored): table?.ignore(stableID, isIgnored, client.attention)
            case .attend: if environment == nil && table == nil { start() }
            case .configure, .only, .acknowledge: break
            }
        }
    }
}
