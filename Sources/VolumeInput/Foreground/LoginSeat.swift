import Glibc
import Linux

/// Whose session is active at the machine's seat, as reported by systemd-logind. Fast user switching hides a desktop, but
/// its terminals get no report that they lost the focus.
///
/// Without logind, over SSH and in a system service there is no seat, and nothing is known.
package final class LoginSeat {
    /// Whose session is active.
    enum Front {
        /// The program's own.
        case own
        /// Another session of the same user, or none.
        case other
        /// Another user's session: its user owns the machine's keys now.
        case otherUser
    }

    private let session: String
    private let user: String
    private let path: String
    private let watch: DirectoryWatch

    /// Opens the seat of the program's session. That is the session of XDG_SESSION_ID; for terminals that the user's
    /// service manager started, it is the session that logind names as the user's display.
    ///
    /// - Returns: `nil` where there is no such session, or the session has no seat.
    package init?() {
        let display = LoginRecord("users/\(getuid())")?["DISPLAY"]
        for case let id? in [environmentVariable("XDG_SESSION_ID"), display]
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

    /// The descriptor to poll; readable when the state of a seat has changed.
    var number: CInt { watch.number }

    /// Whose session is active now; `.other` where the seat cannot be read or no session is active.
    func front() -> Front {
        _ = watch.drain()
        guard let seat = LoginRecord(path) else { return .other }
        if seat["ACTIVE"] == session { return .own }
        return seat["ACTIVE_UID"].map { $0 == user } ?? true ? .other : .otherUser
    }
}
