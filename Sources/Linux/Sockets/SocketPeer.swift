import CLinux
import Glibc

/// The program at the other end of a Unix socket, as the kernel recorded it when the connection was made.
package struct SocketPeer: Hashable, Sendable {
    /// The process id, a `pid_t`; 0 for a process of another namespace.
    package let process: Int32
    /// The effective user id, a `uid_t`.
    package let user: UInt32
    /// The effective and supplementary group ids, each a `gid_t`.
    package let groups: Set<UInt32>

    package init(process: Int32 = 0, user: UInt32, groups: Set<UInt32>) {
        (self.process, self.user, self.groups) = (process, user, groups)
    }

    /// `getsockopt(2)` with SO_PEERCRED and SO_PEERGROUPS; `nil` where the kernel does not tell.
    package init?(_ socket: CInt) {
        var peer = clinux_credentials()
        guard clinux_peer(socket, &peer) == 0 else { return nil }
        let maxGroups = 65_536  // NGROUPS_MAX
        let groups = [gid_t](unsafeUninitializedCapacity: maxGroups) { buffer, count in
            count = max(0, Int(clinux_peer_groups(socket, buffer.baseAddress, UInt32(maxGroups))))
        }
        self.init(process: peer.process, user: peer.user, groups: Set(groups).union([peer.group]))
    }

    package var isOwn: Bool { user == geteuid() || user == 0 }
}

/// How much a peer may send: a burst, and less than that over time. One that sends more is disconnected.
package struct FloodLimit: Sendable {
    /// For peers that send short lines: no program that presses keys, and no server that answers it, comes near.
    package static let lines = FloodLimit(burst: 65_536, pause: .microseconds(100))

    private let burst: Int
    private let pause: Duration
    /// Until when what has come has used up time.
    private var spent = MonotonicTime(microseconds: .min)

    /// `burst` units, such as bytes, may come at once; each uses up `pause`.
    package init(burst: Int, pause: Duration) { (self.burst, self.pause) = (burst, pause) }

    /// False if that is too much.
    package mutating func admits(_ count: Int, at now: MonotonicTime) -> Bool {
        spent = max(spent, now) + pause * count
        return spent - now <= pause * burst
    }
}

/// A pause in accepting connections after no descriptor was left: the connection stays in the queue, poll(2) would report it
/// again at once, and the kernel does not report that a descriptor is free again.
package struct AcceptPause {
    /// When connections are accepted again; `nil` while they are accepted.
    package private(set) var end: MonotonicTime?

    package init() {}

    package mutating func begin(at now: MonotonicTime) { end = now + .seconds(1) }

    package mutating func cancel() { end = nil }

    package mutating func isOver(at now: MonotonicTime) -> Bool {
        if let end, now >= end { cancel() }
        return end == nil
    }
}
