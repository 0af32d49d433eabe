import Glibc
import KeyProtocol
import System

/// Who the service is for: root, who sits at the machine, and the members of a group.
struct Admission: Hashable {
    enum Standing: Hashable {
        case served
        /// At no seat is the user's session in the foreground: hears nothing until one is.
        case waiting
        case unauthorised
    }

    /// The group whose members may listen at every seat; `nil` where there is none.
    let group: gid_t?

    func standing(of peer: PeerCredentials, _ seats: Seats) -> Standing {
        if mayListenAnywhere(peer) || seats.foregroundUsers.contains(peer.user) { return .served }
        return seats.users.contains(peer.user) ? .waiting : .unauthorised
    }

    /// What a client may have of the devices of each seat.
    func rights(of peer: PeerCredentials, _ seats: Seats) -> SeatRights {
        SeatRights(user: peer.user, mayListenAnywhere: mayListenAnywhere(peer), seats: seats)
    }

    private func mayListenAnywhere(_ peer: PeerCredentials) -> Bool {
        peer.user == 0 || group.map(peer.groups.contains) ?? false
    }
}
