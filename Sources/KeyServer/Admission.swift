import Glibc
import KeyProtocol
import Linux

/// Authorisation of the service: root, the users of the seats' sessions, and the members of a group.
struct Admission: Hashable {
    enum Standing: Hashable {
        case served
        /// The user has a session at a seat, but none in the foreground: receives no keys until one is.
        case waiting
        case unauthorised
    }

    /// The group whose members may receive keys of every seat; `nil` if there is none.
    let group: gid_t?

    func standing(of peer: SocketPeer, _ seats: Seats) -> Standing {
        if mayListenAnywhere(peer) || seats.foregroundUsers.contains(peer.user) { return .served }
        return seats.users.contains(peer.user) ? .waiting : .unauthorised
    }

    /// The rights of a client to the devices of each seat.
    func rights(of peer: SocketPeer, _ seats: Seats) -> SeatRights {
        SeatRights(user: peer.user, mayListenAnywhere: mayListenAnywhere(peer), seats: seats)
    }

    private func mayListenAnywhere(_ peer: SocketPeer) -> Bool {
        peer.user == 0 || group.map(peer.groups.contains) ?? false
    }
}
