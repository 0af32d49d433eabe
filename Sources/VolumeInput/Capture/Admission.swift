import Glibc
import System

/// Who is at the machine's seats.
struct SeatUsers: Hashable {
    /// Those whose session is in front.
    var inFront: Set<uid_t> = []
    /// Those who have a session, in front or not.
    var present: Set<uid_t> = []

    /// Nobody.
    init() {}

    /// By the records of all seats.
    init(_ seats: [LoginRecord]) {
        for seat in seats {
            if let user = seat["ACTIVE_UID"].flatMap(uid_t.init) { inFront.insert(user) }
            present.formUnion((seat["UIDS"] ?? "").split(separator: " ").compactMap { uid_t($0) })
        }
        present.formUnion(inFront)
    }
}

/// Who the service is for: root, who sits at the machine, and the members of a group.
struct Admission: Hashable {
    enum Standing: Hashable {
        case served
        /// Another user's session is in front: hears nothing until theirs is.
        case waiting
        case stranger
    }

    /// The group whose members are served always; `nil` where there is none.
    let group: gid_t?

    func standing(of peer: PeerCredentials, _ users: SeatUsers) -> Standing {
        if peer.user == 0 || group.map(peer.groups.contains) ?? false { return .served }
        if users.inFront.contains(peer.user) { return .served }
        return users.present.contains(peer.user) ? .waiting : .stranger
    }
}

/// How many connections there may be, and how fast a user may make them: no more than others can bear.
struct ConnectionLimit {
    /// In all: what each of them can make the service remember fits into its memory that often.
    static let most = 64
    /// Of one user at a time.
    static let mostOfUser = 8
    /// How long a user must wait for each connection, but for the first `mostOfUser`.
    static let pause = Duration.milliseconds(500)

    /// Until when each user has used up connections; forgotten once past.
    private var spent: [uid_t: MonotonicTime] = [:]

    mutating func admits(_ user: uid_t, beside connected: [uid_t], at now: MonotonicTime) -> Bool {
        guard connected.count < Self.most, connected.count(where: { $0 == user }) < Self.mostOfUser else {
            return false
        }
        spent = spent.filter { $0.value > now }
        let end = max(spent[user] ?? now, now) + Self.pause
        guard end - now <= Self.pause * Self.mostOfUser else { return false }
        spent[user] = end
        return true
    }
}
