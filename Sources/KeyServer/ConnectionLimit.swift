import Glibc
import Linux

/// How many connections a user may have at a time, and how fast they may be made. Only authorised peers are counted.
struct ConnectionLimit {
    /// For all users together: that many clients fit into the service's memory limit. A user without a connection
    /// gets one beyond it, so that no user can keep another out.
    static let most = 64
    /// For one user.
    static let maxOfUser = 8
    /// The time that each connection of a user uses up; the first `maxOfUser` need not wait for it.
    static let pause = Duration.milliseconds(500)

    /// Until when each user's connections have used up time; removed once past.
    private var spent: [uid_t: MonotonicTime] = [:]
    /// Users that were refused since the last call of `opens`.
    private var refused: Set<uid_t> = []

    /// Notes a new connection.
    ///
    /// - Parameters:
    ///   - user: the user of the connection.
    ///   - connected: the user of each connection, once per connection.
    ///   - now: the present time.
    /// - Returns: false if a limit is reached.
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

    /// Forgets the refused users that may connect again.
    ///
    /// - Returns: whether there were any.
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
