import Glibc
import KeyProtocol
import Linux

/// Accepts the clients of the service: authorises each peer, then applies the limits.
final class ClientAcceptor {
    /// The largest number of messages that wait (256 KiB); a client that leaves more unread is disconnected.
    static let maxUnsent = 512
    /// The largest number of connections accepted in one turn of the loop.
    private static let maxBatch = 16
    /// The group whose members are served in any session; `nil` if there is no such group.
    static let group: gid_t? = getgrnam("counter")?.pointee.gr_gid

    private let listener: ListeningSocket
    private let seats: SeatMonitor
    private var limit = ConnectionLimit()
    private var pause = AcceptPause()
    /// The file that is touched when a refused client may connect again; removed with the service.
    private let roomFile: String?

    init(_ listener: ListeningSocket, _ seats: SeatMonitor) {
        self.listener = listener
        self.seats = seats
        roomFile = listener.path.map(KeyProtocol.roomFile)
    }

    deinit {
        if let roomFile { unlink(roomFile) }
    }

    var reopening: MonotonicTime? { pause.end }

    func watch(_ polled: inout PollSet) {
        if pause.isOver(at: .now) { polled.add(listener.number) }
    }

    func hasConnections(_ polled: PollSet) -> Bool { polled.isReady(listener.number) }

    /// Accepts the peers that have connected and are authorised, within the limits. Each other peer is sent the reason
    /// and disconnected. `connected` has the user of each connected client, once per client.
    func accept(beside connected: [uid_t], _ devices: DeviceWatch) -> [ServedClient] {
        let seats = seats.seats
        var (accepted, users) = ([ServedClient](), connected)
        for _ in 0..<Self.maxBatch {
            guard let socket = nextConnection() else { break }
            guard let peer = SocketPeer(socket.number) else { continue }
            do throws(MessageError) {
                let rights = try admit(peer, seats, users)
                users.append(peer.user)
                accepted.append(ServedClient(socket, of: peer, rights, devices))
            } catch { try? socket.send(ServerMessage.refused(reason: "\(error)").encoded) }
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

    /// When a refused client may connect again; `nil` while none was refused, or another connection has to end first.
    func nextOpening(beside connected: [uid_t]) -> MonotonicTime? {
        limit.nextOpening(beside: connected, at: .now)
    }

    /// Touches the file of free room if a client that was refused may connect again.
    func announceRoom(beside connected: [uid_t]) {
        guard limit.opens(beside: connected, at: .now), let roomFile else { return }
        let number = open(roomFile, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard number >= 0 else { return }
        // inotify reports a new file by its creation, and one that exists by this change of its time.
        futimens(number, nil)
        close(number)
    }

    private func admit(
        _ peer: SocketPeer, _ seats: Seats, _ connected: [uid_t]
    ) throws(MessageError) -> SeatRights {
        guard let rights = SeatRights(of: peer, group: Self.group, seats) else { throw .unauthorised }
        guard limit.admits(peer.user, beside: connected, at: .now) else { throw .tooManyConnections }
        return rights
    }
}

/// How many connections a user may have at a time, and how fast they may be made. Only authorised peers are counted.
struct ConnectionLimit {
    /// For all users together: that many clients fit into the service's memory limit. A user without a connection
    /// gets one beyond it, so that no user can keep another out.
    static let maxConnections = 64
    static let maxOfUser = 8
    /// The time that each connection of a user uses up; the first `maxOfUser` need not wait for it.
    static let pause = Duration.milliseconds(500)

    /// Until when each user's connections have used up time; removed once past.
    private var spent: [uid_t: MonotonicTime] = [:]
    /// Users that were refused since the last call of `opens`.
    private var refused: Set<uid_t> = []

    /// Notes a new connection; false if a limit is reached. `connected` as for `ClientAcceptor.accept`.
    mutating func admits(_ user: uid_t, beside connected: [uid_t], at now: MonotonicTime) -> Bool {
        spent = spent.filter { $0.value > now }
        guard let opening = opening(for: user, beside: connected, at: now), opening <= now else {
            refused.insert(user)
            return false
        }
        spent[user] = max(spent[user] ?? now, now) + Self.pause
        return true
    }

    /// When a refused user may connect again; `nil` while none was refused, or another connection has to end first.
    func nextOpening(beside connected: [uid_t], at now: MonotonicTime) -> MonotonicTime? {
        refused.compactMap { opening(for: $0, beside: connected, at: now) }.min()
    }

    /// Forgets the refused users that may connect again. Returns whether there were any.
    mutating func opens(beside connected: [uid_t], at now: MonotonicTime) -> Bool {
        let welcome = refused.filter { user in
            opening(for: user, beside: connected, at: now).map { $0 <= now } ?? false
        }
        refused.subtract(welcome)
        return !welcome.isEmpty
    }

    private func opening(for user: uid_t, beside connected: [uid_t], at now: MonotonicTime) -> MonotonicTime?
    {
        let own = connected.count { $0 == user }
        guard own < Self.maxOfUser, own == 0 || connected.count < Self.maxConnections else { return nil }
        let end = max(spent[user] ?? now, now) + Self.pause
        return max(now, end + Self.pause * -Self.maxOfUser)
    }
}
