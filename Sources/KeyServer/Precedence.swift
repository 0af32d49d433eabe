import Glibc

/// The precedence of a user's clients on each device: while one that takes precedence captures a device's keys, the
/// user's other clients yield them, whichever server they use.
///
/// The registry's files tell all servers that use its directory; a file without a lock is left from a crash and means
/// nothing. Clients of other users are not concerned: for them the seat decides.
final class Precedence {
    private let registry: InterceptionRegistry?
    private let user: uid_t
    private let isTaken: Bool
    private var claims: [String: InterceptionClaim] = [:]

    /// - Parameters:
    ///   - registry: where precedence is recorded; without a registry there is none.
    ///   - user: the client's user.
    ///   - isTaken: whether the client takes precedence.
    init(in registry: InterceptionRegistry?, of user: uid_t, isTaken: Bool) {
        self.registry = registry
        self.user = user
        self.isTaken = isTaken
    }

    /// Takes precedence on a node's device, if this client does so.
    func take(on record: NodeRecord) {
        guard isTaken, let input = record.kernelName, claims[input] == nil else { return }
        claims[input] = registry?.claimPrecedence(of: user, on: input)
    }

    /// Gives up precedence on a node's device; called after the node has been released.
    func giveUp(on record: NodeRecord) {
        guard let input = record.kernelName else { return }
        claims[input] = nil
    }

    /// Whether another client has precedence on a node's device, and this one does not take precedence itself.
    func isTakenElsewhere(on record: NodeRecord) -> Bool {
        guard !isTaken, let registry, let input = record.kernelName else { return false }
        return registry.hasPrecedence(user, on: input)
    }
}
