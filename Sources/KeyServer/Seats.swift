import Glibc
import KeyProtocol
import Linux

/// The users of the sessions at the machine's seats, as systemd-logind records them.
struct Seats: Hashable {
    /// One seat: a screen and its input devices.
    struct Seat: Hashable {
        /// The user of the session in the foreground; `nil` if there is none, or it is a greeter's (the login
        /// screen).
        var foreground: uid_t?
        /// The users who have a session there, in the foreground or not.
        var users: Set<uid_t> = []
    }

    /// The seat of devices that are assigned to none.
    static let defaultSeat = "seat0"

    private var seats: [String: Seat] = [:]

    /// No seats.
    init() {}

    /// Reads logind's files; without logind there are no seats.
    init(readingFrom directory: String) {
        for (name, record) in LoginRecord.seats(in: directory) {
            let session = record["ACTIVE"].flatMap { LoginRecord("sessions/\($0)", in: directory) }
            self[name] = Seat(record, isGreeter: session?["CLASS"] == "greeter")
        }
    }

    /// The seat of that name; one without users if it is unknown.
    subscript(name: String) -> Seat {
        get { seats[name] ?? Seat() }
        set { seats[name] = newValue }
    }

    /// The users whose session is in the foreground of any seat.
    var foregroundUsers: Set<uid_t> { Set(seats.values.compactMap(\.foreground)) }

    /// The users who have a session at any seat.
    var users: Set<uid_t> { seats.values.reduce(into: []) { $0.formUnion($1.users) } }
}

extension Seats.Seat {
    /// - Parameters:
    ///   - record: logind's file of the seat.
    ///   - isGreeter: whether the session in the foreground is a greeter's.
    init(_ record: LoginRecord, isGreeter: Bool) {
        foreground = isGreeter ? nil : record["ACTIVE_UID"].flatMap(uid_t.init)
        users = Set((record["UIDS"] ?? "").split(separator: " ").compactMap { uid_t($0) })
        if let foreground { users.insert(foreground) }
    }
}

/// The capture modes that a client may have on devices, by the user in the foreground of each seat.
struct SeatRights: Hashable {
    /// The user of the client.
    let user: uid_t
    /// Whether it may receive keys of every seat: clients of root and of the group's members, and each program with a
    /// server of its own.
    let mayListenAnywhere: Bool
    /// The users at the seats.
    var seats: Seats

    /// The highest capture mode that the client may have on the devices of a seat.
    ///
    /// Only the user in the foreground may have keys exclusively. While that is another user, a client that may
    /// listen anywhere shares them. At a seat without a user in the foreground, such a client may have them
    /// exclusively.
    func limit(at seat: String) -> CaptureMode {
        guard let foreground = seats[seat].foreground else { return mayListenAnywhere ? .exclusive : .off }
        if foreground == user { return .exclusive }
        return mayListenAnywhere ? .shared : .off
    }
}
