import Glibc
public import KeyProtocol
public import System

/// What the client learns of keys and nodes.
public enum KeyClientEvent: Hashable, Sendable {
    /// Something that the server told.
    case message(ServerMessage)
    /// The server is gone, and why; all its nodes are gone with it. It is started again after a moment.
    case lost(reason: String)
    /// The server cannot be started; it is tried again after a moment, or once its executable is there.
    case unavailable(SystemCallError)
    /// The service does not serve this client, which has started a server of its own instead.
    case fellBack(ServiceFault)
    /// The service has come, and this client asks it from now on; the nodes of its own server are gone.
    case serviceCame
}

/// The connection to a key server: the system's where there is one, else one of its own, which it starts.
///
/// One that is gone is looked for and started again, once a second at most. The service may come later, too, and so may
/// an executable that is missing: `inotify(7)` tells.
public final class KeyClient {
    private static let restartPause = Duration.seconds(1)
    /// How soon the service answers, on the slowest machine: systemd has to start it first.
    private static let answerPatience = Duration.seconds(3)
    /// How many key messages are acknowledged together at most: the server's patience may end amid a flood of them.
    private static let mostUnacknowledged: UInt64 = 64

    /// Until a service is asked again that has too many waiting; each time twice as long.
    private static let shortestBusyPause = Duration.milliseconds(100)

    private let executable: String
    private let service: String?
    private var settings: KeyClientSettings
    /// What was last said to be wanted.
    private(set) var attention = Attention.away
    private var pace = AttentionPace()
    /// The server, where it is one of its own.
    private var process: KeyServerProcess?
    private var connection: MessageConnection<ClientMessage, ServerMessage>? {
        didSet { if connection == nil { pace.end() } }
    }
    private var hasAnswered = false
    /// The service has served before: it is started again by itself, however long that takes.
    private var isServiceKnown = false
    /// Why the service does not serve this client; `nil` while it does, and before it was asked.
    public private(set) var serviceFault: ServiceFault?
    /// Tells when the service comes; `nil` while there is no need to.
    private var serviceArrival: ServiceArrival?
    /// Tells when the executable comes; `nil` unless it is missing.
    private var executableWatch: ArrivalWatch?
    private var busyPause = shortestBusyPause
    private var lastStart = MonotonicTime(microseconds: .min / 2)

    /// A client that has not started its server yet.
    ///
    /// - Parameters:
    ///   - executable: the path of `counter-keys`.
    ///   - service: where the system's service listens; `nil` where it is not to be asked.
    ///   - settings: what is asked of the server.
    public init(executable: String, service: String? = nil, settings: KeyClientSettings) {
        self.executable = executable
        self.service = service
        self.settings = settings
    }

    /// There is a server.
    var isConnected: Bool { connection != nil }

    /// The system's service is the server.
    var isServedByService: Bool { isConnected && process == nil }

    /// Adds what it waits for: the server, and what is missing.
    public func watch(_ polled: inout PollSet) {
        if let connection { polled.add(connection.number, connection.interest) }
        if !isServedByService { serviceArrival?.watch(&polled) }
        if let executableWatch { polled.add(executableWatch.number) }
    }

    /// When the server is to be started again, told what is wanted, must have answered, or is to be left; `nil` while it runs,
    /// and while there is none to be started.
    public var deadline: MonotonicTime? { [connectionDeadline, pace.due].compactMap(\.self).min() }

    private var connectionDeadline: MonotonicTime? {
        if connection == nil {
            return executableWatch == nil ? lastStart + Self.restartPause : serviceArrival?.due
        }
        if process != nil { return serviceArrival?.due }
        return hasAnswered || isServiceKnown ? nil : lastStart + Self.answerPatience
    }

    /// Says what is to happen with the keys from now on. The server learns of that at once where they are given back, else soon.
    public func attend(_ attention: Attention, at now: MonotonicTime = .now) {
        self.attention = attention
        if let attention = pace.want(attention, at: now) { send(.attend(attention)) }
    }

    /// Leaves a source alone, or no longer.
    public func ignore(_ stableID: String, _ isIgnored: Bool) {
        let wasIgnored = settings.ignoredSources.contains(stableID)
        if isIgnored == wasIgnored { return }
        if isIgnored {
            settings.ignoredSources.insert(stableID)
        } else {
            settings.ignoredSources.remove(stableID)
        }
        send(.ignore(stableID: stableID, isIgnored))
    }

    /// Starts the server where it is due, and reads everything that it has told. Key messages are acknowledged.
    public func receive(at now: MonotonicTime) -> [KeyClientEvent] {
        var events: [KeyClientEvent] = []
        noteArrivals(at: now)
        if connection == nil, let due = connectionDeadline, now >= due { start(at: now, &events) }
        if let attention = pace.next(at: now) { send(.attend(attention)) }
        if process != nil, let due = serviceArrival?.due, now >= due { leaveOwn(at: now, &events) }
        do throws(ConnectionEnd) {
            try read(&events)
            if let due = connectionDeadline, connection != nil, now >= due { throw .stalled }
        } catch {
            lose(error, at: now, &events)
        }
        return events
    }

    private func read(_ events: inout [KeyClientEvent]) throws(ConnectionEnd) {
        guard let connection else { return }
        var last: UInt64?
        // That it cannot be sent reading tells too, and with the reason.
        try? connection.flush()
        while let message = try connection.receive() {
            // What the service has against this client is no reason to trouble anybody.
            if process == nil, case .refused(let reason) = message {
                serviceFault = .refused(reason)
                continue
            }
            hasAnswered = true
            isServiceKnown = isServiceKnown || process == nil
            events.append(.message(message))
            guard case .frame(let number, _) = message else { continue }
            last = number
            if number % Self.mostUnacknowledged == 0 { send(.acknowledge(number: number)) }
        }
        if let last { send(.acknowledge(number: last)) }
    }

    // MARK: Servers

    private func start(at now: MonotonicTime, _ events: inout [KeyClientEvent]) {
        lastStart = now
        serviceFault = nil
        isServiceKnown = isServiceKnown || serviceArrival?.hasAnswered ?? false
        executableWatch = nil
        if let service {
            // Watched before it is asked: it cannot come unnoticed in between.
            serviceArrival = ServiceArrival(service)
            do throws(SystemCallError) {
                return introduce(to: try connect(to: service, at: now), at: now)
            } catch {
                serviceFault = error.errno == ENOENT ? .absent : .unreachable(error)
            }
        } else {
            serviceFault = .absent
        }
        startOwn(&events)
    }

    private func startOwn(_ events: inout [KeyClientEvent]) {
        do throws(SystemCallError) {
            let process = try KeyServerProcess(executable: executable)
            self.process = process
            introduce(to: process.socket, at: lastStart)
        } catch {
            if error.errno == ENOENT { awaitExecutable() }
            events.append(.unavailable(error))
        }
    }

    /// It is not looked for each second: a package that was removed stays so.
    private func awaitExecutable() {
        executableWatch = ArrivalWatch(executable)
        // It may have come before it was watched.
        if access(executable, F_OK) == 0 { executableWatch = nil }
    }

    private func noteArrivals(at now: MonotonicTime) {
        if executableWatch?.hasCome() ?? false { executableWatch = nil }
        if !isServedByService { serviceArrival?.receive(at: now) }
    }

    /// Leaves its own server for the service, where that has room by now.
    private func leaveOwn(at now: MonotonicTime, _ events: inout [KeyClientEvent]) {
        guard let service else { return }
        let hasAnswered = serviceArrival?.hasAnswered ?? false
        // Watched before it is asked: it cannot come unnoticed in between.
        serviceArrival = ServiceArrival(service)
        if serviceFault?.isForLackOfRoom ?? false { serviceArrival?.awaitRoom() }
        guard let socket = try? connect(to: service, at: now) else { return }
        _ = process?.end()
        // What was pressed until then counts.
        try? read(&events)
        process = nil
        connection = nil
        events.append(.serviceCame)
        (lastStart, serviceFault) = (now, nil)
        isServiceKnown = isServiceKnown || hasAnswered
        introduce(to: socket, at: now)
    }

    /// - Throws: `SystemCallError`: `EAGAIN` where too many wait to be accepted; the service is asked again later.
    private func connect(to service: String, at now: MonotonicTime) throws(SystemCallError) -> PacketSocket {
        do throws(SystemCallError) {
            let socket = try PacketSocket(connectingTo: service)
            busyPause = Self.shortestBusyPause
            return socket
        } catch {
            if error.errno == EAGAIN {
                serviceArrival?.askAgain(at: now + busyPause)
                busyPause = busyPause * 2
            }
            throw error
        }
    }

    /// A service that has served is waited for, for it is started again by itself; one that has not is no help.
    private func lose(_ end: ConnectionEnd, at now: MonotonicTime, _ events: inout [KeyClientEvent]) {
        if process == nil, end == .stalled, let connection { serviceArrival?.giveUp(connection) }
        connection = nil
        if process == nil, serviceFault != nil || !isServiceKnown {
            let fault = serviceFault ?? .silent
            serviceFault = fault
            if fault.isForLackOfRoom { serviceArrival?.awaitRoom() }
            events.append(.fellBack(fault))
            lastStart = now
            return startOwn(&events)
        }
        let fate = process?.end() ?? "(the system service) has ended"
        process = nil
        events.append(.lost(reason: Self.reason(end, fate)))
    }

    private func introduce(to socket: PacketSocket, at now: MonotonicTime) {
        connection = MessageConnection(socket)
        hasAnswered = false
        send(.configure(settings.meanings))
        for path in settings.onlyPaths { send(.only(path: path)) }
        for source in settings.ignoredSources { send(.ignore(stableID: source, true)) }
        send(.attend(pace.begin(at: now)))
    }

    /// A failure to send is a connection that is gone, which reading tells with its reason.
    private func send(_ message: ClientMessage) { try? connection?.send(message) }

    private static func reason(_ end: ConnectionEnd, _ fate: String) -> String {
        switch end {
        case .closed, .stalled: return "counter-keys \(fate)"
        case .failed(let error): return "counter-keys: \(error)"
        case .bad(let error): return "counter-keys: \(error)"
        }
    }
}
