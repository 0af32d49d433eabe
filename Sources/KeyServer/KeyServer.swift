import Glibc
import KeyProtocol
public import System

/// Finds the nodes, holds them, and tells its clients of each press and release: all that `counter-keys` does.
///
/// One thread around one `poll(2)`. It knows no file, no terminal, and of the keys only those that count. It serves the
/// program that started it, or as a service for the clients that the acceptor accepts.
public final class KeyServer {
    /// How long a service stays when the last client has gone.
    private static let lingering = Duration.seconds(5)
    /// The most messages that wait for the program's own client: thousands of nodes, told of at once.
    private static let maxUnsent = 8192

    private let signals: SignalDescriptor
    private let devices: DeviceWatch
    private let seats = SeatMonitor()
    private let acceptor: ClientAcceptor?
    private var clients: [ServedClient] = []
    /// When the last client went.
    private var deserted = MonotonicTime.now
    private var polled = PollSet()

    /// A server for the client at the other end of `socket`, which ends with it.
    ///
    /// - Parameters:
    ///   - socket: this end of the connection.
    ///   - signals: those that end it.
    public init(serving socket: PacketSocket, until signals: SignalDescriptor) {
        self.signals = signals
        acceptor = nil
        devices = DeviceWatch(isService: false)
        let rights = SeatRights(user: getuid(), mayListenAnywhere: true, seats: seats.seats)
        clients = [
            ServedClient(
                socket, of: nil, isServed: true, rights, maxUnsent: Self.maxUnsent, devices)
        ]
    }

    /// A service for the users of this machine; it ends some seconds after its last client.
    ///
    /// - Parameters:
    ///   - listener: where they connect.
    ///   - signals: those that end it.
    public init(listeningAt listener: ListeningSocket, until signals: SignalDescriptor) {
        self.signals = signals
        acceptor = ClientAcceptor(listener, seats)
        devices = DeviceWatch(isService: true)
        devices.restoreAbandoned()
    }

    /// Serves until there is nobody to serve or a signal comes. All keys have been given back then.
    ///
    /// - Throws: `SystemCallError` where the loop itself cannot go on.
    public func run() throws(SystemCallError) {
        defer { for client in clients { client.end(nil) } }
        while signals.next() == nil, !isDone { try turn() }
    }

    private var isDone: Bool {
        clients.isEmpty && (acceptor == nil || .now >= deserted + Self.lingering)
    }

    private var deadline: MonotonicTime? {
        let last = clients.isEmpty ? deserted + Self.lingering : nil
        return
            ([last, acceptor?.reopening, acceptor?.nextOpening(beside: connectedUsers)]
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
        // Keys first: nothing else may delay them.
        forEachClient { client throws(ConnectionEnd) in try client.readKeys(polled) }
        // Then what gives keys back.
        if let seats = seats.seatsWhenChanged(polled) {
            forEachClient { client throws(ConnectionEnd) in try serve(client, seats) }
        }
        let changes = try devices.changes(polled)
        forEachClient { client throws(ConnectionEnd) in try client.handle(polled, changes, at: .now) }
        accept()
        acceptor?.tellOfRoom(beside: connectedUsers)
    }

    /// Each as often as there are connections of theirs.
    private var connectedUsers: [uid_t] { clients.compactMap { $0.peer?.user } }

    /// Those that it fails for are clients no longer.
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
