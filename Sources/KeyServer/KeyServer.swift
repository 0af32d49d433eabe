import Glibc
import KeyProtocol
package import Linux

/// The key server, which is all of `counter-keys`: finds the nodes, intercepts them, and sends each press and release
/// to its clients.
///
/// One thread around one `poll(2)`. It has no terminal and no journal, and reads only the keys that count. It serves
/// the program that started it or, as a service, the clients that `ClientAcceptor` accepts.
package final class KeyServer {
    /// How long a service without clients runs on.
    private static let lingering = Duration.seconds(5)
    /// The largest number of messages that wait for the program's own client: thousands of nodes may be reported at
    /// once.
    private static let maxUnsent = 8192

    private let signals: SignalDescriptor
    private let devices: DeviceWatch
    private let seats = SeatMonitor()
    private let acceptor: ClientAcceptor?
    private var clients: [ServedClient] = []
    /// When a client last ended.
    private var deserted = MonotonicTime.now
    private var polled = PollSet()

    /// A server for the one client at the other end of `socket`; it ends with this client.
    ///
    /// - Parameters:
    ///   - socket: this end of the connection.
    ///   - signals: the signals that end the server.
    package init(serving socket: PacketSocket, until signals: SignalDescriptor) {
        self.signals = signals
        acceptor = nil
        devices = DeviceWatch(isService: false)
        let rights = SeatRights(user: getuid(), mayListenAnywhere: true, seats: seats.seats)
        clients = [
            ServedClient(
                socket, of: nil, isServed: true, rights, maxUnsent: Self.maxUnsent, devices)
        ]
    }

    /// The service for the users of this machine; it ends 5 s after its last client.
    ///
    /// - Parameters:
    ///   - listener: the socket to which clients connect.
    ///   - signals: the signals that end the service.
    package init(listeningAt listener: ListeningSocket, until signals: SignalDescriptor) {
        self.signals = signals
        acceptor = ClientAcceptor(listener, seats)
        devices = DeviceWatch(isService: true)
        devices.restoreAbandoned()
    }

    /// Serves until there is no client any more or a signal comes. By then all keys have been released.
    ///
    /// - Throws: `SystemCallError` where the loop itself cannot go on.
    package func run() throws(SystemCallError) {
        defer { for client in clients { client.end(nil) } }
        while signals.next() == nil, !isDone { try turn() }
    }

    private var isDone: Bool {
        clients.isEmpty && (acceptor == nil || .now >= deserted + Self.lingering)
    }

    private var deadline: MonotonicTime? {
        let last = clients.isEmpty ? deserted + Self.lingering : nil
        return
            ([last, devices.deadline, acceptor?.reopening, acceptor?.nextOpening(beside: connectedUsers)]
            + clients.map(\.deadline))
            .compactMap(\.self).min()
    }

    private func turn() throws(SystemCallError) {
        polled.removeAll()
        polled.add(signals.number)
        devices.watch(&polled)
        seats.watch(&polled)
        acceptor?.watch(&polled)
        for client in clients { client.watch(&polled) }
        try polled.wait(until: deadline)
        // Keys come first: nothing else may delay them.
        forEachClient { client throws(ConnectionEnd) in try client.readKeys(polled) }
        // Then what may release keys.
        if let seats = seats.seatsWhenChanged(polled) {
            forEachClient { client throws(ConnectionEnd) in try serve(client, seats) }
        }
        let changes = try devices.changes(polled)
        forEachClient { client throws(ConnectionEnd) in try client.handle(polled, changes, at: .now) }
        accept()
        acceptor?.tellOfRoom(beside: connectedUsers)
    }

    /// The user of each client, once per client.
    private var connectedUsers: [uid_t] { clients.compactMap { $0.peer?.user } }

    /// Ends the clients for which `body` throws.
    private func forEachClient(_ body: (ServedClient) throws(ConnectionEnd) -> Void) {
        clients.removeAll { client in
            do throws(ConnectionEnd) {
                try body(client)
                return false
            } catch {
                client.end(error)
                deserted = .now
                return true
            }
        }
    }

    private func serve(_ client: ServedClient, _ seats: Seats) throws(ConnectionEnd) {
        guard let acceptor, let peer = client.peer else { return try client.serve(true, seats) }
        switch acceptor.admission.standing(of: peer, seats) {
        case .served: try client.serve(true, seats)
        case .waiting: try client.serve(false, seats)
        case .unauthorised: throw .bad(.unauthorised)
        }
    }

    private func accept() {
        guard let acceptor, acceptor.hasConnections(polled) else { return }
        clients += acceptor.accept(beside: connectedUsers).map {
            ServedClient(
                $0.socket, of: $0.peer, isServed: $0.isServed, $0.rights,
                maxUnsent: ClientAcceptor.maxUnsent, devices)
        }
    }
}
