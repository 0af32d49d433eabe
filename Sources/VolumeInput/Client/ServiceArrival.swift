import KeyProtocol
import Linux

/// Reports when a client that the service does not serve should connect again: when the service's socket appears, when the
/// service has room again, or when it answers after the timeout.
struct ServiceArrival {
    typealias Connection = MessageConnection<ClientMessage, ServerMessage>

    /// How long after its file appears the socket may refuse connections, on the slowest machine: `bind(2)` comes before
    /// `listen(2)`.
    private static let listenPause = Duration.milliseconds(100)

    private let socket: ArrivalWatch?
    private let room: ArrivalWatch?
    private var isRoomAwaited = false
    private var silent: Connection?
    /// When to connect again; `nil` until there is a reason to.
    private(set) var due: MonotonicTime?
    /// The service has answered after the timeout, so it works, but slowly.
    private(set) var hasAnswered = false

    /// - Parameter service: the path of the service's socket.
    init(_ service: String) {
        socket = ArrivalWatch(service)
        room = ArrivalWatch(ServicePaths.roomFile(of: service))
    }

    /// Adds its descriptors.
    func watch(_ polled: inout PollSet) {
        if let socket { polled.add(socket.number) }
        if isRoomAwaited, let room { polled.add(room.number) }
        if let silent { polled.add(silent.number) }
    }

    /// The service has rejected this client for lack of room.
    mutating func awaitRoom() { isRoomAwaited = true }

    /// The service's queue of connections was full.
    mutating func askAgain(at moment: MonotonicTime) { due = moment }

    /// Keeps the connection to a service that has not answered within the timeout. If it answers later, it must not intercept
    /// keys.
    mutating func giveUp(_ connection: Connection) {
        try? connection.send(.capture(.off))
        silent = connection
    }

    /// Processes the events that have arrived.
    mutating func receive(at now: MonotonicTime) {
        if socket?.hasCome() ?? false { due = now + Self.listenPause }
        if isRoomAwaited, room?.hasCome() ?? false { due = now }
        guard let silent else { return }
        do throws(ConnectionEnd) {
            guard let message = try silent.receive() else { return }
            self.silent = nil
            if case .refused = message { return }
            hasAnswered = true
            due = now
        } catch { self.silent = nil }
    }
}
