import Glibc
import KeyProtocol
import Linux

/// Accepts the clients of the service: authorises each peer, then applies the limits.
final class ClientAcceptor {
    /// The largest number of messages that wait for a client (256 KiB); a client that leaves more unread is
    /// disconnected.
    static let maxUnsent = 512
    /// The largest number of connections accepted in one turn of the loop.
    private static let maxBatch = 16
    /// The group whose members are served in any session; `nil` if there is no such group.
    static var group: gid_t? { getgrnam("counter")?.pointee.gr_gid }

    /// A client that was accepted.
    struct AcceptedClient {
        let socket: PacketSocket
        let peer: SocketPeer
        let isServed: Bool
        let rights: SeatRights
    }

    let admission: Admission
    private let listener: ListeningSocket
    private let seats: SeatMonitor
    private var limit = ConnectionLimit()
    private var pause = AcceptPause()
    private var index: Int?
    /// The file that is touched when a refused client may connect again; removed with the service.
    private let roomFile: String?

    /// - Parameters:
    ///   - listener: where clients connect.
    ///   - seats: the users of the seats' sessions.
    init(_ listener: ListeningSocket, _ seats: SeatMonitor) {
        self.listener = listener
        self.seats = seats
        roomFile = listener.path.map(ServicePaths.roomFile)
        admission = Admission(group: Self.group)
    }

    deinit {
        if let roomFile { unlink(roomFile) }
    }

    /// When connections are accepted again; `nil` while they are accepted.
    var reopening: MonotonicTime? { pause.end }

    /// Adds its descriptors.
    func watch(_ polled: inout PollSet) {
        index = pause.isOver(at: .now) ? polled.add(listener.number) : nil
    }

    /// Whether a connection waits.
    func hasConnections(_ polled: PollSet) -> Bool { index.map { !polled.result(at: $0).isEmpty } ?? false }

    /// Accepts the peers that have connected and are authorised, within the limits. Each other peer is sent the
    /// reason and disconnected.
    ///
    /// - Parameter connected: the user of each connected client, once per client.
    /// - Returns: the new clients.
    func accept(beside connected: [uid_t]) -> [AcceptedClient] {
        let seats = seats.seats
        var accepted: [AcceptedClient] = []
        for _ in 0..<Self.maxBatch {
            guard let socket = nextConnection() else { break }
            if let client = admit(socket, seats, beside: connected + accepted.map(\.peer.user)) {
                accepted.append(client)
            }
        }
        return accepted
    }

    private func nextConnection() -> PacketSocket? {
        do throws(SystemCallError) {
            return try listener.accept()
        } catch {
            pause.begin(at: .now)
            return nil
        }
    }

    /// When a client that was refused may connect again; `nil` while none was refused, or another connection has to
    /// end first.
    func nextOpening(beside connected: [uid_t]) -> MonotonicTime? {
        limit.nextOpening(beside: connected, at: .now)
    }

    /// Touches the file of free room if a client that was refused may connect again.
    func tellOfRoom(beside connected: [uid_t]) {
        guard limit.opens(beside: connected, at: .now), let roomFile else { return }
        let number = open(roomFile, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard number >= 0 else { return }
        // inotify reports a new file by its creation, and one that exists by this change of its time.
        futimens(number, nil)
        close(number)
    }

    private func admit(_ socket: PacketSocket, _ seats: Seats, beside connected: [uid_t]) -> AcceptedClient? {
        guard let peer = SocketPeer(socket.number) else { return nil }
        let standing = admission.standing(of: peer, seats)
        if standing == .unauthorised { return refuse(socket, .unauthorised) }
        guard limit.admits(peer.user, beside: connected, at: .now) else {
            return refuse(socket, .tooManyConnections)
        }
        return AcceptedClient(
            socket: socket, peer: peer, isServed: standing == .served,
            rights: admission.rights(of: peer, seats))
    }

    private func refuse(_ socket: PacketSocket, _ reason: MessageError) -> AcceptedClient? {
        try? socket.send(ServerMessage.refused(reason: "\(reason)").encoded)
        return nil
    }
}
