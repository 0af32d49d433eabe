import Glibc
import KeyProtocol
import System

/// Who is at the machine's seats, as systemd-logind tells.
struct Seats: Hashable {
    /// One seat: a screen with what belongs to it.
    struct Seat: Hashable {
        /// Whose session is in the foreground; `nil` where none is, or a greeter's, which asks who comes next.
        var foreground: uid_t?
        /// Those who have a session there, in the foreground or not.
        var users: Set<uid_t> = []
    }

    /// The seat of devices that were given to none.
    static let defaultSeat = "seat0"

    private var seats: [String: Seat] = [:]

    /// No seat, or none that is known.
    init() {}

    /// Reads logind's files; there are no seats where there is no logind.
    init(readingFrom directory: String) {
        for (name, record) in LoginRecord.seats(in: directory) {
            let session = record["ACTIVE"].flatMap { LoginRecord("sessions/\($0)", in: directory) }
            self[name] = Seat(record, isGreeter: session?["CLASS"] == "greeter")
        }
    }

    /// The seat of that name; nobody is at one that is not known.
    subscript(name: String) -> Seat {
        get { seats[name] ?? Seat() }
        set { seats[name] = newValue }
    }

    /// Those whose session is in the foreground of any seat.
    var foregroundUsers: Set<uid_t> { Set(seats.values.compactMap(\.foreground)) }

    /// Those who have a session at any seat.
    var users: Set<uid_t> { seats.values.reduce(into: []) { $0.formUnion($1.users) } }
}

extension Seats.Seat {
    /// - Parameters:
    ///   - record: logind's file of the seat.
    ///   - isGreeter: the session in the foreground belongs to nobody yet.
    init(_ record: LoginRecord, isGreeter: Bool) {
        foreground = isGreeter ? nil : record["ACTIVE_UID"].flatMap(uid_t.init)
        users = Set((record["UIDS"] ?? "").split(separator: " ").compactMap { uid_t($0) })
        if let foreground { users.insert(foreground) }
    }
}

/// What a client may have of devices: that depends on who is in the foreground of their seat.
struct SeatRights: Hashable {
    /// Whose program the client is.
    let user: uid_t
    /// It may listen at every seat: root, the group's members, and every program with a server of its own.
    let mayListenAnywhere: Bool
    /// Who is at the seats.
    var seats: Seats

    /// The most that the client may have of the devices of a seat.
    ///
    /// Exclusively counts only the user in the foreground. While another user is there, whoever else may listen shares; an
    /// empty seat is nobody's, and its devices may be had by who may listen anywhere.
    func limit(at seat: String) -> CaptureMode {
        guard let foreground = seats[seat].foreground else { return mayListenAnywhere ? .exclusive : .off }
        if foreground == user { return .exclusive }
        return mayListenAnywhere ? .shared : .off
    }
}
