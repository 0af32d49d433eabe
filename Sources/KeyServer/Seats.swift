import CLinux
import Glibc
import KeyProtocol
import Linux

/// The users of the sessions at the machine's seats, as systemd-logind records them.
struct Seats: Hashable {
    /// One seat: a screen and its input devices.
    struct Seat: Hashable {
        /// The user of the session in the foreground; `nil` without one, or where it is a greeter's (the login screen).
        var foreground: uid_t?
        /// The users who have a session there, in the foreground or not.
        var users: Set<uid_t> = []
    }

    /// The seat of devices that are assigned to none.
    static let defaultSeat = "seat0"

    private var seats: [String: Seat] = [:]

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

    var foregroundUsers: Set<uid_t> { Set(seats.values.compactMap(\.foreground)) }

    var users: Set<uid_t> { seats.values.reduce(into: []) { $0.formUnion($1.users) } }
}

extension Seats.Seat {
    init(_ record: LoginRecord, isGreeter: Bool) {
        foreground = isGreeter ? nil : record["ACTIVE_UID"].flatMap(uid_t.init)
        users = Set((record["UIDS"] ?? "").split(separator: " ").compactMap { uid_t($0) })
        if let foreground { users.insert(foreground) }
    }
}

/// The capture modes that a client may have on devices, by the user in the foreground of each seat.
struct SeatRights: Hashable {
    let user: uid_t
    /// Whether it may receive keys of every seat: root, the group's members, and each program with its own server.
    let mayListenAnywhere: Bool
    var seats: Seats

    /// Whether it receives keys now. A user without a session in the foreground waits until one is.
    var isServed: Bool { mayListenAnywhere || seats.foregroundUsers.contains(user) }

    /// Only the user in the foreground may have keys exclusively. While that is another user, a client that may listen
    /// anywhere shares them. At a seat without a user in the foreground, such a client may have them exclusively.
    func limit(at seat: String) -> CaptureMode {
        guard let foreground = seats[seat].foreground else { return mayListenAnywhere ? .exclusive : .off }
        if foreground == user { return .exclusive }
        return mayListenAnywhere ? .shared : .off
    }
}

extension SeatRights {
    /// Those of a client of the service: root, the users of the seats' sessions, and the members of `group`; else `nil`.
    init?(of peer: SocketPeer, group: gid_t?, _ seats: Seats) {
        let mayListenAnywhere = peer.user == 0 || group.map(peer.groups.contains) ?? false
        guard mayListenAnywhere || seats.users.contains(peer.user) else { return nil }
        self.init(user: peer.user, mayListenAnywhere: mayListenAnywhere, seats: seats)
    }
}

/// Follows which users have sessions at the machine's seats, by `inotify(7)` on logind's files.
final class SeatMonitor {
    private let directory: String
    private var seatWatch: DirectoryWatch?

    init(_ directory: String = LoginRecord.directory) {
        self.directory = directory
        seatWatch = LoginRecord.watchSeats(in: directory)
    }

    func watch(_ polled: inout PollSet) {
        if let seatWatch { polled.add(seatWatch.number) }
    }

    /// The users at the seats now. The watch is begun again if there was none: logind may have started later.
    var seats: Seats {
        if seatWatch == nil { seatWatch = LoginRecord.watchSeats(in: directory) }
        return Seats(readingFrom: directory)
    }

    /// The users at the seats now, if that may have changed; else `nil`. The caller must apply it to every client.
    func seatsWhenChanged(_ polled: PollSet) -> Seats? {
        guard let seatWatch, polled.isReady(seatWatch.number) else { return nil }
        // Drained before the files are read: a later change is reported again.
        _ = seatWatch.drain()
        return seats
    }
}

/// The seat that a device belongs to, as udev's database says: `ID_SEAT`, which `loginctl attach` sets.
enum DeviceSeat {
    /// The directory of udev's database. The file of a node is named by its device number.
    static let directory = "/run/udev/data"
    /// The major number of input nodes; see Documentation/admin-guide/devices.txt of the kernel.
    private static let inputMajor: UInt64 = 13

    /// The default seat if the database names none.
    static func name(of path: String, in directory: String = Self.directory) -> String {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return Seats.defaultSeat }
        var numbers: [UInt32] = [0, 0]
        clinux_device_numbers(status.st_rdev, &numbers)
        return LoginRecord("c\(numbers[0]):\(numbers[1])", in: directory)?["E:ID_SEAT"] ?? Seats.defaultSeat
    }

    /// `nil` if there is no database. udev replaces its files by rename(2), so none is read half written.
    static func watchDatabase(_ directory: String = Self.directory) -> DirectoryWatch? {
        try? DirectoryWatch(directory, mask: UInt32(IN_MOVED_TO | IN_DELETE))
    }

    /// Whether a change is of an input node's file.
    static func concernsInput(_ event: DirectoryWatch.Event) -> Bool {
        // Events that were lost have no name.
        event.name.isEmpty || event.name.hasPrefix("c\(inputMajor):")
    }
}
