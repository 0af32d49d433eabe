import Glibc
import System

/// Whose session is in front at the machine's seat, by systemd-logind: fast user switching hides a desktop without its
/// terminals being told that they lost the focus.
///
/// Where there is no logind (and over SSH, or in a system service) there is no seat, and nothing is known.
final class LoginSeat {
    /// Whose session is in front.
    enum Front {
        /// The program's own.
        case own
        /// Another one of the same user, or none.
        case other
        /// Another user's: the machine and its keys are theirs now.
        case otherUser
    }

    private let session: String
    private let user: String
    private let path: String
    private let watch: DirectoryWatch

    /// The seat of the program's session: that of XDG_SESSION_ID, else, as for terminals that the user's service
    /// manager has started, the one that logind names as the user's display.
    ///
    /// - Returns: `nil` where there is no such session, or it has no seat.
    init?() {
        let display = LoginRecord("users/\(getuid())")?["DISPLAY"]
        for case let id? in [Paths.environment("XDG_SESSION_ID"), display]
        where !id.contains(where: { $0 == "/" }) {
            guard let record = LoginRecord("sessions/\(id)"), let seat = record["SEAT"],
                let user = record["UID"],
                let watch = LoginRecord.watchSeats()
            else { continue }
            (session, self.user, path, self.watch) = (id, user, "seats/\(seat)", watch)
            return
        }
        return nil
    }

    /// The descriptor to poll; readable when a seat has changed.
    var number: CInt { watch.number }

    /// Whose session is in front now. Where that cannot be read, or nobody's is, no other user's is.
    func front() -> Front {
        _ = watch.drain()
        guard let seat = LoginRecord(path) else { return .other }
        if seat["ACTIVE"] == session { return .own }
        return seat["ACTIVE_UID"].map { $0 == user } ?? true ? .other : .otherUser
    }
}
