import Glibc
import KeyProtocol
package import Linux

/// Why the system's key service does not serve this client.
package enum ServiceFault: Error, Hashable, Sendable {
    case absent
    /// No process listens on its socket, or this user may not connect.
    case unreachable(SystemCallError)
    case refused(String)
    /// It ended before its first answer, or the timeout for that answer has expired.
    case silent

    /// The service runs, but this user has neither a session on a seat of this machine nor membership in the service's group.
    package var isForUnauthorisedPeers: Bool { self == .refused("\(MessageError.unauthorised)") }

    /// The service runs, but does not serve the keys that the configuration names.
    package var isForOtherKeys: Bool { self == .refused("\(MessageError.unservedKey)") }

    /// The service runs, but has its maximum number of connections. It signals when it has room.
    var isForLackOfRoom: Bool { self == .refused("\(MessageError.tooManyConnections)") }

    /// Whether the service may serve other programs of this user at the same time. What those receive and what this
    /// program receives by its own server exclude each other no further than the kernel does: the two servers keep
    /// their records in different directories.
    package var mayServeOthers: Bool { isForLackOfRoom || isForOtherKeys || self == .silent }
}

/// Reports when a client that the service does not serve should connect again: when the service's socket appears, when the
/// service has room again, or when it answers after the timeout.
struct ServiceArrival {
    typealias Connection = MessageConnection<ClientMessage, ServerMessage>

    /// How long a new socket may refuse connections, on the slowest machine: `bind(2)` comes before `listen(2)`.
    private static let listenPause = Duration.milliseconds(100)

    private let socket: ArrivalWatch?
    private let room: ArrivalWatch?
    /// The service has rejected this client for lack of room.
    var isRoomAwaited = false
    private var silent: Connection?
    /// When to connect again; `nil` until there is a reason to.
    var due: MonotonicTime?
    /// The service has answered after the timeout, so it works, but slowly.
    private(set) var hasAnswered = false

    init(_ service: String) {
        socket = ArrivalWatch(service)
        room = ArrivalWatch(roomFile(ofService: service))
    }

    func watch(_ polled: inout PollSet) {
        if let socket { polled.add(socket.number) }
        if isRoomAwaited, let room { polled.add(room.number) }
        if let silent { polled.add(silent.number) }
    }

    /// Keeps the connection to a service that has not answered in time. If it answers later, it must not intercept keys.
    mutating func giveUp(_ connection: Connection) {
        try? connection.send(.capture(.off))
        silent = connection
    }

    mutating func receive(at now: MonotonicTime) {
        if socket?.hasCome() ?? false { due = now + Self.listenPause }
        if isRoomAwaited, room?.hasCome() ?? false { due = now }
        guard let silent else { return }
        do throws(ConnectionEnd) {
            guard let message = try silent.receive() else { return }
            self.silent = nil
            if case .refused = message { return }
            hasAnswered = true
            due = now
        } catch { self.silent = nil }
    }
}

/// Reports when a missing file appears, such as the socket of the system's key service.
///
/// Watches the file's directory or, where that is missing, its nearest existing parent, with `inotify(7)`.
final class ArrivalWatch {
    private static let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

    private let path: String
    private var nearest: Nearest

    /// The nearest existing directory of the path, and the name of the path's next component in it.
    private typealias Nearest = (watch: DirectoryWatch, awaited: String)

    /// `nil` where no directory of the path can be watched.
    init?(_ path: String) {
        guard let nearest = Self.nearest(to: path) else { return nil }
        self.path = path
        self.nearest = nearest
    }

    /// The descriptor to poll. It changes when a directory of the path is created or removed.
    var number: CInt { nearest.watch.number }

    /// Handles new events. Returns whether the file has appeared, or its permissions have changed.
    func hasCome() -> Bool {
        guard nearest.watch.drain().contains(where: isOnTheWay) else { return false }
        if let nearest = Self.nearest(to: path) { self.nearest = nearest }
        return access(path, F_OK) == 0
    }

    private func isOnTheWay(_ event: DirectoryWatch.Event) -> Bool {
        // Events of the directory itself, and the event that reports lost events, have no name.
        event.name == nearest.awaited || event.name.isEmpty
    }

    private static func nearest(to path: String) -> Nearest? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        let directory = parentDirectory(path)
        let name = String(path[slash...].dropFirst())
        let found = { (try? DirectoryWatch(directory, mask: mask)).map { ($0, name) } }
        // The file may have appeared before the parent directory was watched.
        return found() ?? nearest(to: directory).map { above in found() ?? above }
    }
}
