import Glibc
import KeyProtocol
package import Linux

/// The key server, which is all of `counter-keys`: finds the nodes, intercepts them, sends each press and release.
///
/// One thread around one `poll(2)`. It has no terminal and no journal, and reads only the keys that count. It serves
/// the program that started it or, as a service, the clients that `ClientAcceptor` accepts.
package final class KeyServer {
    /// How long a service without clients runs on.
    private static let lingering = Duration.seconds(5)

    private let signals: SignalDescriptor
    private let devices: DeviceWatch
    private let seats = SeatMonitor()
    private let acceptor: ClientAcceptor?
    private var clients: [ServedClient] = []
    private var lastClientEnd = MonotonicTime.now
    private var polled = PollSet()

    /// A server for the one client at the other end of `socket`; it ends with this client.
    package init(serving socket: PacketSocket, until signals: SignalDescriptor) {
        self.signals = signals
        acceptor = nil
        devices = DeviceWatch(isService: false)
        let rights = SeatRights(user: getuid(), mayListenAnywhere: true, seats: seats.seats)
        clients = [ServedClient(socket, of: nil, rights, devices)]
    }

    /// The service for the users of this machine; it ends 5 s after its last client.
    package init(listeningAt listener: ListeningSocket, until signals: SignalDescriptor) {
        self.signals = signals
        acceptor = ClientAcceptor(listener, seats)
        devices = DeviceWatch(isService: true)
        devices.restoreAbandoned()
    }

    /// Serves until there is no client any more or a signal comes. By then all keys have been released.
    package func run() throws(SystemCallError) {
        defer { for client in clients { client.end(nil) } }
        while signals.next() == nil, !isDone { try turn() }
    }

    private var isDone: Bool {
        clients.isEmpty && (acceptor == nil || .now >= lastClientEnd + Self.lingering)
    }

    private var deadline: MonotonicTime? {
        let last = clients.isEmpty ? lastClientEnd + Self.lingering : nil
        return
            ([last, devices.deadline, acceptor?.reopening, acceptor?.nextOpening(beside: connectedUsers)]
            + clients.map(\.deadline))
            .compactMap(\.self).min()
    }

    private func turn() throws(SystemCallError) {
        polled.removeAll()
        polled.add(signals.number)
        devices.watch(&polled)
        seats.watch(&polled)
        acceptor?.watch(&polled)
        for client in clients { client.watch(&polled) }
        try polled.wait(until: deadline)
        // Keys come first: nothing else may delay them.
        forEachClient { client throws(ConnectionEnd) in try client.readKeys(polled) }
        // Then what may release keys.
        if let seats = seats.seatsWhenChanged(polled) {
            forEachClient { client throws(ConnectionEnd) in try serve(client, seats) }
        }
        let changes = try devices.changes(polled)
        forEachClient { client throws(ConnectionEnd) in try client.handle(polled, changes, at: .now) }
        guard let acceptor else { return }
        if acceptor.hasConnections(polled) { clients += acceptor.accept(beside: connectedUsers, devices) }
        acceptor.announceRoom(beside: connectedUsers)
    }

    /// The user of each client, once per client.
    private var connectedUsers: [uid_t] { clients.compactMap { $0.peer?.user } }

    /// Ends the clients for which `body` throws.
    private func forEachClient(_ body: (ServedClient) throws(ConnectionEnd) -> Void) {
        clients.removeAll { client in
            do throws(ConnectionEnd) {
                try body(client)
                return false
            } catch {
                client.end(error)
                lastClientEnd = .now
                return true
            }
        }
    }

    private func serve(_ client: ServedClient, _ seats: Seats) throws(ConnectionEnd) {
        if let peer = client.peer, SeatRights(of: peer, group: ClientAcceptor.group, seats) == nil {
            throw .bad(.unauthorised)
        }
        try client.serve(seats)
    }
}

/// What all clients of a key server share: the watches on `/dev/input`, the registry and udev's database.
///
/// The kernel gives a user few inotify instances (128), so there is one of each for all clients.
final class DeviceWatch {
    struct Changes {
        var nodes: [NodeDirectory.Change] = []
        /// A program has released a node that it intercepted, or a client has taken or given up precedence.
        var isRegistryChanged = false
        var isDatabaseChanged = false
    }

    /// Where interceptions are recorded; `nil` if they cannot be.
    let registry: InterceptionRegistry?
    private let watchdog: Watchdog?
    private let isService: Bool
    /// The directory of the nodes, or why it cannot be watched.
    private let watched: Result<NodeDirectory, SystemCallError>
    private let database = DeviceSeat.watchDatabase()

    init(isService: Bool) {
        self.isService = isService
        registry = InterceptionRegistry.first(isService: isService)
        watchdog = isService ? Watchdog.ofService() : nil
        registry?.watchdog = watchdog
        watched = Result { () throws(SystemCallError) in try NodeDirectory() }
    }

    /// Restores the key maps that crashed programs left changed, from the records of all directories.
    func restoreAbandoned() {
        for directory in InterceptionRegistry.directories(isService: isService) {
            _ = try? InterceptionRegistry.restoreAbandoned(in: directory)
        }
    }

    /// The directory of the nodes; `nil` if it cannot be watched.
    var directory: NodeDirectory? { try? watched.get() }

    var environment: InputEnvironment {
        switch watched {
        case .success(let directory): directory.exists ? .ready : .noDirectory
        case .failure(let error): .unreadable(errno: error.errno)
        }
    }

    var deadline: MonotonicTime? { registry?.restoring }

    func watch(_ polled: inout PollSet) {
        watchdog?.watch(&polled)
        for number in [directory?.number, registry?.number, database?.number] {
            if let number { polled.add(number) }
        }
    }

    /// Reads what the polled descriptors report; throws if the directory can no longer be watched.
    func changes(_ polled: PollSet) throws(SystemCallError) -> Changes {
        var changes = Changes()
        watchdog?.keepAlive(polled)
        if let directory, polled.isReady(directory.number) {
            changes.nodes = try directory.changes()
        }
        if let registry, polled.isReady(registry.number) {
            changes.isRegistryChanged = registry.drain()
        }
        if registry?.isRestoringDue() ?? false {
            restoreAbandoned()
            changes.isRegistryChanged = true
        }
        if let database, polled.isReady(database.number) {
            changes.isDatabaseChanged = database.drain().contains(where: DeviceSeat.concernsInput)
        }
        return changes
    }
}

/// Has systemd kill the service if it hangs while it intercepts keys; its unit's stop hook restores the key maps.
///
/// systemd expects keep-alives only between the first interception and the end of the last (`WATCHDOG_USEC=` in
/// sd_notify(3)); at rest the service does not wake.
final class Watchdog {
    static let interval = Duration.seconds(30)
    /// How long after the last keep-alive systemd kills the service.
    static let timeout = Duration.seconds(90)

    private let service: ServiceManager
    private let interval: Duration
    /// The lease that all interceptions share; `nil` while nothing is intercepted.
    private weak var current: WatchdogLease?

    init(_ service: ServiceManager, every interval: Duration = interval) {
        (self.service, self.interval) = (service, interval)
    }

    /// The watchdog of this process; `nil` unless systemd has started it as a unit that may notify.
    static func ofService() -> Watchdog? { ServiceManager.current.map { Watchdog($0) } }

    /// To be taken before anything is intercepted, and kept until it has been released.
    func lease() -> WatchdogLease {
        let lease = current ?? WatchdogLease(service, interval)
        current = lease
        return lease
    }

    func watch(_ polled: inout PollSet) { if let timer = current?.timer { polled.add(timer.number) } }

    func keepAlive(_ polled: PollSet) {
        guard let timer = current?.timer, polled.isReady(timer.number) else { return }
        timer.acknowledge()
        service.send("WATCHDOG=1")
        try? timer.arm(.now + interval)
    }
}

/// Keeps the watchdog active as long as it exists.
final class WatchdogLease {
    private let service: ServiceManager
    fileprivate let timer = try? TimerDescriptor()

    fileprivate init(_ service: ServiceManager, _ interval: Duration) {
        self.service = service
        service.send("WATCHDOG_USEC=\(Watchdog.timeout.components.seconds * 1_000_000)")
        try? timer?.arm(.now + interval)
    }

    deinit { service.send("WATCHDOG_USEC=0") }
}
