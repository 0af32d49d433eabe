import Glibc
import System
import Testing

@testable import KeyServer

extension Trait where Self == ConditionTrait {
    /// Where a service serves the user who runs the tests.
    static var whereServed: Self {
        .enabled(
            if: isServed, "the service serves only root, the members of its group, and who is at the machine"
        )
    }
}

/// A sanitizer keeps what was freed, and takes memory of its own: no bound on it holds then.
let isSanitized = getenv("ASAN_OPTIONS") != nil

/// Root is served always: not to be is for the tests to find.
private let isServed =
    geteuid() == 0
    || (try? PacketSocket.pair().0.peer).map { own in
        Admission(group: ClientAcceptor.group).standing(of: own, SeatMonitor().seats) == .served
    } ?? false
