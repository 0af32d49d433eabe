import KeyProtocol
import System

/// Tells when the system's service is to be asked again that does not serve this client: when its socket comes, when it has room
/// again, and when one that was given up answers after all.
struct ServiceArrival {
    typealias Connection = MessageConnection<ClientMessage, ServerMessage>

    /// How long after its name the service's socket can be connected to, on the slowest machine: bind(2), then listen(2).
    private static let listenPause = Duration.milliseconds(100)

    private let socket: ArrivalWatch?
    private let room: ArrivalWatch?
    private var isRoomAwaited = false
    private var silent: Connection?
    /// When to ask; `nil` while nothing tells of it.
    private(set) var due: MonotonicTime?
    /// One that was given up has answered: it serves, if slowly.
    private(set) var hasAnswered = false

    /// - Parameter service: the path of its socket.
    init(_ service: String) {
        socket = ArrivalWatch(service)
        room = ArrivalWatch(ServicePaths.roomFile(of: service))
    }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) {
        if let socket { polled.add(socket.number) }
        if isRoomAwaited, let room { polled.add(room.number) }
        if let silent { polled.add(silent.number) }
    }

    /// The service had no room for this client.
    mutating func awaitRoom() { isRoomAwaited = true }

    /// The service was too busy to be connected to.
    mutating func askAgain(at moment: MonotonicTime) { due = moment }

    /// Listens to a service that has not answered in time. It is to leave the keys alone when it does.
    mutating func giveUp(_ connection: Connection) {
        try? connection.send(.attend(.away))
        silent = connection
    }

    /// Takes in what came.
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
