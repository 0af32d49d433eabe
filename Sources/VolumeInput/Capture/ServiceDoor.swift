import Glibc
import System

/// Where the clients of the service come in: who they are, and whether they are served.
final class ServiceDoor {
    /// The most messages that wait for a client before it is dropped: a quarter of a MiB.
    static let mostUnsent = 512
    /// How many are answered before others have their turn.
    private static let mostAtOnce = 16
    /// How long nobody is let in when there was no room: the kernel does not tell when there is again.
    private static let pause = Duration.seconds(1)
    /// Whose members are served wherever they are; `nil` where there is no such group.
    static var group: gid_t? { getgrnam("counter")?.pointee.gr_gid }

    /// Somebody who has come in.
    struct Guest {
        let socket: PacketSocket
        let peer: PeerCredentials
        let isServed: Bool
    }

    let admission: Admission
    private let listener: ListeningSocket
    private let loginDirectory: String
    private var seats: SeatWatch?
    private var limit = ConnectionLimit()
    /// When somebody can be let in again; `nil` while anybody can.
    private(set) var reopening: MonotonicTime?
    private var place: Int?
    private var seatsPlace: Int?

    /// - Parameters:
    ///   - listener: where clients connect.
    ///   - loginDirectory: where logind keeps its files.
    init(_ listener: ListeningSocket, loginDirectory: String = LoginRecord.directory) {
        self.listener = listener
        self.loginDirectory = loginDirectory
        seats = SeatWatch(in: loginDirectory)
        admission = Admission(group: Self.group)
    }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) {
        if let moment = reopening, moment <= .now { reopening = nil }
        place = reopening == nil ? polled.add(listener.number) : nil
        seatsPlace = seats.map { polled.add($0.number) }
    }

    /// Somebody has connected.
    func isKnockedAt(_ polled: PollSet) -> Bool { place.map { !polled.result(at: $0).isEmpty } ?? false }

    /// Who is at the machine's seats now, where that may have changed.
    func usersWhenChanged(_ polled: PollSet) -> SeatUsers? {
        guard let seats, let seatsPlace, !polled.result(at: seatsPlace).isEmpty else { return nil }
        // Before reading: what changes later is told again.
        seats.drain()
        return seats.users
    }

    /// Lets in who has connected; all others are told why not.
    ///
    /// - Parameter connected: the users of the clients that there are, each as often as there are clients of theirs.
    /// - Returns: those who are clients now.
    func letIn(beside connected: [uid_t]) -> [Guest] {
        // logind may have been started after us.
        if seats == nil { seats = SeatWatch(in: loginDirectory) }
        let users = seats?.users ?? SeatUsers()
        var guests: [Guest] = []
        for _ in 0..<Self.mostAtOnce {
            guard let socket = nextConnection() else { break }
            if let guest = admit(socket, users, beside: connected + guests.map(\.peer.user)) {
                guests.append(guest)
            }
        }
        return guests
    }

    /// Where there is no room for one it would be asked for again and again, for as long as it waits.
    private func nextConnection() -> PacketSocket? {
        do throws(SystemCallError) {
            return try listener.accept()
        } catch {
            reopening = .now + Self.pause
            return nil
        }
    }

    private func admit(_ socket: PacketSocket, _ users: SeatUsers, beside connected: [uid_t]) -> Guest? {
        guard let peer = socket.peer else { return nil }
        let standing = admission.standing(of: peer, users)
        if standing == .stranger { return refuse(socket, .stranger) }
        guard limit.admits(peer.user, beside: connected, at: .now) else { return refuse(socket, .crowd) }
        return Guest(socket: socket, peer: peer, isServed: standing == .served)
    }

    private func refuse(_ socket: PacketSocket, _ reason: MessageError) -> Guest? {
        try? socket.send(ServerMessage.refused(reason: "\(reason)").encoded)
        return nil
    }
}

/// The machine's seats, as logind keeps them.
private struct SeatWatch {
    private let watch: DirectoryWatch
    private let directory: String

    /// - Returns: `nil` where there is no logind.
    init?(in directory: String) {
        guard let watch = LoginRecord.watchSeats(in: directory) else { return nil }
        self.watch = watch
        self.directory = directory
    }

    var number: CInt { watch.number }

    /// Takes note of the changes so far. Only for who tells every client of them: who is not told goes on hearing keys.
    func drain() { _ = watch.drain() }

    var users: SeatUsers { SeatUsers(LoginRecord.seats(in: directory)) }
}
