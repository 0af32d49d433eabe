import Glibc
package import KeyProtocol
package import Linux

package enum KeyClientEvent: Hashable, Sendable {
    case message(ServerMessage)
    /// The connection has ended, with the reason. All its nodes are gone. The client starts the server again after a pause.
    case lost(reason: String)
    /// The server cannot be started. The client tries again after a pause, or when the missing executable appears.
    case unavailable(SystemCallError)
    /// The service does not serve this client, which has started its own server instead.
    case fellBack(ServiceFault)
    /// The service has become available and serves this client from now on; the nodes of its own server are gone.
    case serviceCame
}

/// The connection to a key server: the system's service where it serves this client, otherwise one that it starts.
///
/// After a connection has ended, the client connects or starts a server again, at most once a second. `inotify(7)` reports
/// when the service's socket or a missing executable appears later.
package final class KeyClient {
    private static let restartPause = Duration.seconds(1)
    /// The timeout for the service's first answer: on the slowest machine systemd has to start the service first.
    private static let answerTimeout = Duration.seconds(3)
    /// How many key messages are read at most before one acknowledgement: a flood must not exceed the server's timeout.
    private static let maxUnacknowledged: UInt64 = 64

    private let executable: String
    private let service: String?
    private var settings: KeyClientSettings
    private(set) var captureMode = CaptureMode.off
    private var pace = CapturePacing()
    /// The server process that this client started; `nil` while the service is the server.
    private var process: KeyServerProcess?
    private var connection: MessageConnection<ClientMessage, ServerMessage>? {
        didSet { if connection == nil { pace.end() } }
    }
    private var hasAnswered = false
    /// The service has served this client before. systemd starts it again when the client connects, and after a crash
    /// (Restart= in the unit), so the client waits for it without a limit.
    private var isServiceKnown = false
    /// Why the service does not serve this client; `nil` while it does, and before the first connection.
    package private(set) var serviceFault: ServiceFault?
    /// Reports when to connect to the service again; `nil` where that is not needed.
    private var serviceArrival: ServiceArrival?
    /// Reports when the executable appears; `nil` unless it is missing.
    private var executableWatch: ArrivalWatch?
    /// The pauses before connecting again to a service whose queue is full.
    private var backoff = Backoff(from: .milliseconds(100), to: .seconds(30))
    private var lastStart = MonotonicTime(microseconds: .min / 2)

    /// The first `receive` starts the server. Without `service`, the path of a socket, only an own server is used.
    package init(executable: String, service: String? = nil, settings: KeyClientSettings) {
        (self.executable, self.service, self.settings) = (executable, service, settings)
    }

    var isConnected: Bool { connection != nil }

    var isServedByService: Bool { isConnected && process == nil }

    package func watch(_ polled: inout PollSet) {
        if let connection { polled.add(connection.number, connection.interest) }
        if !isServedByService { serviceArrival?.watch(&polled) }
        if let executableWatch { polled.add(executableWatch.number) }
    }

    /// When to call `receive` next; `nil` where nothing is due.
    package var deadline: MonotonicTime? { [connectionDeadline, pace.due].compactMap(\.self).min() }

    private var connectionDeadline: MonotonicTime? {
        if connection == nil {
            return executableWatch == nil ? lastStart + Self.restartPause : serviceArrival?.due
        }
        if process != nil { return serviceArrival?.due }
        return hasAnswered || isServiceKnown ? nil : lastStart + Self.answerTimeout
    }

    /// `off` is sent at once, any other mode after a short pause.
    package func capture(_ captureMode: CaptureMode, at now: MonotonicTime = .now) {
        self.captureMode = captureMode
        if let captureMode = pace.want(captureMode, at: now) { send(.capture(captureMode)) }
    }

    /// Whether the server leaves an input device untouched.
    package func ignore(_ stableID: Identifier, _ isIgnored: Bool) {
        if settings.ignore(stableID, isIgnored) { send(.ignore(stableID: stableID, isIgnored)) }
    }

    /// Starts the server if that is due, and reads all its messages. Key messages are acknowledged.
    package func receive(at now: MonotonicTime) -> [KeyClientEvent] {
        var events: [KeyClientEvent] = []
        if executableWatch?.hasCome() ?? false { executableWatch = nil }
        if !isServedByService { serviceArrival?.receive(at: now) }
        if connection == nil, let due = connectionDeadline, now >= due { start(at: now, &events) }
        if let captureMode = pace.next(at: now) { send(.capture(captureMode)) }
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
        // Reading reports a failure to send, with its reason.
        try? connection.flush()
        while let message = try connection.receive() {
            // The service's refusal is no event of its own: the client falls back to its own server.
            if process == nil, case .refused(let reason) = message {
                serviceFault = .refused(reason)
                continue
            }
            hasAnswered = true
            isServiceKnown = isServiceKnown || process == nil
            events.append(.message(message))
            guard case .frame(let number, _) = message else { continue }
            last = number
            if number % Self.maxUnacknowledged == 0 { send(.acknowledge(number: number)) }
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
            // The file is waited for: a removed package does not return by itself.
            if error.errno == ENOENT { executableWatch = ArrivalWatch(executable) }
            // The file may have appeared before the watch began.
            if access(executable, F_OK) == 0 { executableWatch = nil }
            events.append(.unavailable(error))
        }
    }

    /// Stops the own server and connects to the service, if the service has room now.
    private func leaveOwn(at now: MonotonicTime, _ events: inout [KeyClientEvent]) {
        guard let service else { return }
        let hasAnswered = serviceArrival?.hasAnswered ?? false
        guard let socket = try? connect(to: service, at: now) else { return }
        _ = process?.end()
        // Presses that the own server has sent until now count.
        try? read(&events)
        process = nil
        connection = nil
        events.append(.serviceCame)
        (lastStart, serviceFault) = (now, nil)
        isServiceKnown = isServiceKnown || hasAnswered
        introduce(to: socket, at: now)
    }

    /// Throws `EAGAIN` where the service's queue of connections is full; the client tries again later. Watching for the
    /// service begins before, so that it cannot appear unnoticed in between.
    private func connect(to service: String, at now: MonotonicTime) throws(SystemCallError) -> PacketSocket {
        serviceArrival = ServiceArrival(service)
        serviceArrival?.isRoomAwaited = serviceFault?.isForLackOfRoom ?? false
        do throws(SystemCallError) {
            let socket = try PacketSocket(connectingTo: service)
            backoff.reset()
            return socket
        } catch {
            if error.errno == EAGAIN { serviceArrival?.due = now + backoff.next() }
            throw error
        }
    }

    /// Connects again to a service that has served this client before; otherwise starts its own server.
    private func lose(_ end: ConnectionEnd, at now: MonotonicTime, _ events: inout [KeyClientEvent]) {
        if process == nil, end == .stalled, let connection { serviceArrival?.giveUp(connection) }
        connection = nil
        if process == nil, serviceFault != nil || !isServiceKnown {
            let fault = serviceFault ?? .silent
            serviceFault = fault
            if fault.isForLackOfRoom { serviceArrival?.isRoomAwaited = true }
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
        if settings.takesPrecedence { send(.takePrecedence) }
        for path in settings.onlyPaths { send(.only(path: path)) }
        for device in settings.ignoredDevices { send(.ignore(stableID: device, true)) }
        send(.capture(pace.begin(at: now)))
    }

    /// Sends a message. Reading reports a failure to send, with its reason.
    private func send(_ message: ClientMessage) { try? connection?.send(message) }

    private static func reason(_ end: ConnectionEnd, _ fate: String) -> String {
        switch end {
        case .closed, .stalled: return "counter-keys \(fate)"
        case .failed(let error): return "counter-keys: \(error)"
        case .bad(let error): return "counter-keys: \(error)"
        }
    }
}

/// Limits how often a change of the capture mode is sent to the server.
///
/// An autorepeating key on a screen can change the mode 30 times a second. Each change can make the server check all nodes,
/// and the server limits such work. `off` is sent at once. Any other mode waits until `pause` after the last message, and is
/// not sent if the mode has changed back by then. This allows at most 20 messages a second.
struct CapturePacing {
    /// The minimum time between a message and the next one that is not `off`.
    static let pause = Duration.milliseconds(100)

    private var wanted = CaptureMode.off
    private var sent: CaptureMode?
    private var lastSent = MonotonicTime(microseconds: .min / 2)

    /// When to call `next`; `nil` where nothing is to be sent.
    var due: MonotonicTime? { sent == nil || sent == wanted ? nil : lastSent + Self.pause }

    /// A new server has started. The mode is part of the first messages, without a delay.
    mutating func begin(at now: MonotonicTime) -> CaptureMode {
        (sent, lastSent) = (wanted, now)
        return wanted
    }

    mutating func end() { sent = nil }

    /// Returns the mode to send now, if any.
    mutating func want(_ captureMode: CaptureMode, at now: MonotonicTime) -> CaptureMode? {
        wanted = captureMode
        return next(at: now)
    }

    mutating func next(at now: MonotonicTime) -> CaptureMode? {
        guard let due, wanted == .off || now >= due else { return nil }
        return begin(at: now)
    }
}

/// A `counter-keys` process that this program started, and the socket connected to it.
final class KeyServerProcess {
    let socket: PacketSocket
    private let executable: String
    private let process: DetachedProcess
    private var hasEnded = false

    /// Throws `ENOENT` where the executable does not exist.
    init(executable: String) throws(SystemCallError) {
        let (ours, theirs) = try PacketSocket.pair()
        socket = ours
        self.executable = executable
        process = try DetachedProcess(
            [executable, String(DetachedProcess.passedDescriptor)], passing: theirs.number)
    }

    deinit { if !hasEnded { _ = end() } }

    var id: Int32 { process.id }

    /// Ends the process, which has a second to release keys, and returns how: `exited with 70`, `was killed by signal 9`.
    func end() -> String {
        let status = process.end(within: .seconds(1))
        hasEnded = true
        // No later server may start to restore the key maps that a killed process left remapped.
        if status != 0 { repair() }
        let signal = status & 0x7F
        return signal == 0 ? "exited with \(status >> 8 & 0xFF)" : "was killed by signal \(signal)"
    }

    /// Starts a process that restores the key maps left remapped by a killed one, and waits 2 s at most, which suffices
    /// on a slow machine. The next server that starts restores any that remain.
    private func repair() {
        guard let helper = try? DetachedProcess([executable, "repair"]) else { return }
        _ = helper.ends(within: .seconds(2))
        helper.end(within: .seconds(1))
    }
}
