import Glibc
import Linux
import Testing

@testable import KeyServer

extension Trait where Self == ConditionTrait {
    /// Runs a test only if the service serves the user who runs the tests.
    static var whereServed: Self {
        .enabled(
            if: isServed, "the service serves only root, the members of its group, and who is at the machine"
        )
    }
}

/// A sanitizer keeps freed memory and needs memory of its own: no bound on memory holds then.
let isSanitized = getenv("ASAN_OPTIONS") != nil

/// Root is always served: if it is not, the tests must fail.
private let isServed =
    geteuid() == 0
    || (try? PacketSocket.pair()).flatMap { ends in withExtendedLifetime(ends) { SocketPeer(ends.0.number) } }
        .map { own in
            Admission(group: ClientAcceptor.group).standing(of: own, SeatMonitor().seats) == .served
        } ?? false
