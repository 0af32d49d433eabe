import Glibc
import System

/// How many connections a user may have, and how fast they may be made: no more than others can bear. Only who may connect at all is
/// counted.
struct ConnectionLimit {
    /// In all: what each of them can make the service remember fits into its memory that often. A user who has none has
    /// room beyond that, so nobody can be kept out by others.
    static let most = 64
    /// Of one user at a time.
    static let maxOfUser = 8
    /// How long a user must wait for each connection, but for the first `maxOfUser`.
    static let pause = Duration.milliseconds(500)

    /// Until when each user has used up connections; forgotten once past.
    private var spent: [uid_t: MonotonicTime] = [:]
    /// Those for whom there was no room.
    private var refused: Set<uid_t> = []

    /// Takes note of a new connection.
    ///
    /// - Parameters:
    ///   - user: whose it is.
    ///   - connected: the users of the connections that there are.
    ///   - now: the time.
    /// - Returns: false where there is no room for it.
    mutating func admits(_ user: uid_t, beside connected: [uid_t], at now: MonotonicTime) -> Bool {
        spent = spent.filter { $0.value > now }
        guard let opening = opening(for: user, beside: connected, at: now), opening <= now else {
            refused.insert(user)
            return false
        }
        spent[user] = max(spent[user] ?? now, now) + Self.pause
        return true
    }

    /// When there is room again for somebody for whom there was none; `nil` while one of the connections has to go first.
    func nextOpening(beside connected: [uid_t], at now: MonotonicTime) -> MonotonicTime? {
        refused.compactMap { opening(for: $0, beside: connected, at: now) }.min()
    }

    /// Forgets those for whom there is room again.
    ///
    /// - Returns: whether there are any.
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
        guard own < Self.maxOfUser, own == 0 || connected.count < Self.most else { return nil }
        let end = max(spent[user] ?? now, now) + Self.pause
        return max(now, end + Self.pause * -Self.maxOfUser)
    }
}
