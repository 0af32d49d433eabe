import CLinux
package import CounterModel
import CounterStore
import Glibc
import Linux
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Transfer

/// The hub: one journal, one event loop on the main thread, and the doors that listen.
package final class HubServer {
    /// How long a commit may wait for another program's, in seconds: nobody is served meanwhile.
    private static let busyTimeout = 0.1
    /// How long clients have at the end to read what waits for them.
    private static let stopTime = Duration.seconds(2)

    let options: HubOptions
    let journal: SQLiteJournal
    let session: IngestSession
    let metrics = Metrics()
    let live: LiveReaders
    let syncs: SyncConnections
    let readings: DeviceReadings
    private(set) var broker: Broker?
    private(set) var log: HubLog?
    let gate: Gate
    let loop: any EventLoop
    private let follower: JournalFollower
    private let tokenFile: TokenFile
    let tokens: Guard
    private let routes = Route.all
    private let service = ServiceManager.current
    private var listeners: [any Channel] = []
    private var tls: NIOSSLContext?
    var senders: [ObjectIdentifier: any LineSender] = [:]
    var isCommitScheduled = false
    /// How many commits of lines are on their way into the log, where there is one: before they are there, their answers are held back.
    var unconfirmedCommits = 0
    private var journalTimer: Scheduled<Void>?
    var shareTimer: Scheduled<Void>?
    private var heartbeat: Scheduled<Void>?
    private var wallTimer: WallClockTimer?
    var failingSince: MonotonicTime?
    var patienceTimer: Scheduled<Void>?
    private(set) var isStopping = false
    private var isEnding = false
    private var failure: (any Error)?
    /// The bytes of bodies that have come in part.
    var bodyBytes = 0
    /// The number of open WebSockets.
    var sockets = 0

    package static var now: Timestamp { Timestamp(microseconds: Clock.realtime.microseconds) }

    /// Serves until SIGTERM or SIGINT.
    package static func run(_ options: HubOptions) throws {
        let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        let addresses = try options.addresses.map(options.socketAddress)
        options.raiseDescriptorLimit()
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
            do { try HubServer(options, loop).start(addresses, signals) } catch { end(with: error) }
        }
    }

    /// Ends the process, as the loop never does by itself, and says why.
    package static func end(with error: any Error) -> Never {
        let failure = ProgramError(hub: error)
        Output.complain(failure)
        exit(failure.status)
    }

    private init(_ options: HubOptions, _ loop: any EventLoop) throws {
        (self.options, self.loop) = (options, loop)
        journal = try SQLiteJournal(
            directory: options.directory, timezone: ZoneDatabase().localZone,
            allowsNetwork: options.allowsNetworkFileSystem, busyTimeout: Self.busyTimeout)
        follower = try JournalFollower(journal)
        session = try IngestSession(
            journal, location: try journal.countedLocation(named: options.location).id, follower: follower,
            now: { Self.now })
        live = LiveReaders(journal)
        syncs = SyncConnections(journal, loop)
        readings = try DeviceReadings(journal, session, loop, directory: options.directory)
        gate = Gate(loop, options.limits, metrics)
        tokenFile = TokenFile(directory: options.directory)
        tokens = Guard(linesPerSecond: options.limits.linesPerSecond)
    }
}

// MARK: - The journal and the tokens

extension HubServer {
    /// Something has changed in the journal's directory, or is due.
    private func followJournal() {
        session.advance(at: .now)
        committed()
    }

    func armJournalTimers() {
        journalTimer?.cancel()
        journalTimer = session.deadline.map { deadline in
            loop.later(deadline - .now) { [self] in followJournal() }
        }
        try? wallTimer?.arm(session.wallDeadline?.microseconds)
    }

    /// What answers a request; see `Route.all`.
    func exchange(for request: Request, in conversation: Conversation) throws(Problem) -> any Exchange {
        let route = try Route.route(of: request, among: routes)
        do { return try route.begin(request, conversation) } catch { throw Problem(error) }
    }

    private func readTokens() throws {
        tokens.all = try tokenFile.tokens()
        for connection in gate.all {
            if let token = connection.token, !tokens.isValid(token) { connection.cut() }
        }
    }
}

// MARK: - Start and end

extension HubServer {
    private func start(_ addresses: [SocketAddress], _ signals: SignalDescriptor) throws {
        if let files = options.certificate { tls = try files.context() }
        try readTokens()
        try watch(signals.number) { [self] bytes in
            // The number of the signal is the first member of `struct signalfd_siginfo`.
            for start in stride(from: 0, to: bytes.readableBytes, by: MemoryLayout<signalfd_siginfo>.size) {
                let place = bytes.readerIndex + start
                handle(CInt(bytes.getInteger(at: place, endianness: .host, as: UInt32.self) ?? 0))
            }
            _ = signals
        }
        try watch(follower.number) { [self] _ in
            follower.wasRead()
            followJournal()
        }
        try watchTokens()
        try watchClock()
        for address in addresses { try listen(at: address) }
        log = try options.log.map { try HubLog($0, self, loop) }
        log?.connect()
        try readings.resume()
        broker = try options.broker.map { try Broker($0, self, loop) }
        broker?.connect()
        armJournalTimers()
    }

    private func watchTokens() throws {
        // IN_CLOSE_WRITE: an editor may write the file in place.
        let mask = UInt32(IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE)
        let directory = try DirectoryWatch(options.directory, mask: mask)
        try watch(directory.number) { [self] bytes in
            let events = bytes.withUnsafeReadableBytes { DirectoryWatch.events(in: $0) }
            _ = directory
            let isOfTokens = events.contains {
                $0.name == TokenFile.name || $0.mask & UInt32(IN_Q_OVERFLOW) != 0
            }
            if !isOfTokens { return }
            do { try readTokens() } catch { Output.complain(ProgramError(hub: error)) }
        }
    }

    /// Follows the wall clock, for ends of days. Its timer ends with an error when the clock is set.
    private func watchClock() throws {
        let timer = try WallClockTimer()
        wallTimer = timer
        try watch(timer.number) { [self] _ in
            _ = timer.take()
            followJournal()
        } onEnd: { [self] in
            if isStopping { return }
            session.clockWasSet()
            try? watchClock()
            armJournalTimers()
        }
    }

    /// Calls back on the loop with what can be read from a descriptor that is no socket.
    private func watch(
        _ number: CInt, _ body: @escaping (ByteBuffer) -> Void, onEnd: @escaping () -> Void = {}
    ) throws {
        let own = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw SystemCallError(call: "fcntl", errno: errno) }
        let handler = NIOLoopBound(DescriptorHandler(body, onEnd: onEnd), eventLoop: loop)
        NIOPipeBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: own)
            .assumeIsolated().whenFailure { [self] error in fail(error) }
    }

    private func listen(at address: SocketAddress) throws {
        let server = NIOLoopBound(self, eventLoop: loop)
        ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: HubLimits.lowWater, high: HubLimits.highWater)
            )
            // The kernel would take megabytes for a reader that is slow.
            .childChannelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(HubLimits.highWater))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try server.value.serve(channel) }
            }
            .bind(to: address)
            .assumeIsolated().whenComplete { [self] result in
                switch result {
                case .success(let channel): isListening(channel)
                case .failure(let error): fail(ProgramError(listeningAt: address, error))
                }
            }
    }

    private func isListening(_ channel: any Channel) {
        listeners.append(channel)
        let scheme = tls == nil ? "http" : "https"
        let address = channel.localAddress.map { address in
            let host = address.ipAddress ?? ""
            return "\(host.contains(":") ? "[\(host)]" : host):\(address.port ?? 0)"
        }
        Output.tell("listening at \(scheme)://\(address ?? "")")
        if tokens.all.isEmpty {
            Output.tell(
                "there is no token yet",
                remedy:
                    "To make one: \(options.command("token", "add", "door-1", "--device", "--location", "Hall"))"
            )
        }
        guard listeners.count == options.addresses.count else { return }
        service?.send("READY=1")
        keepAlive()
    }

    /// Tells the service manager that the loop runs, twice in the time that it asks for; see WATCHDOG_USEC in sd_notify(3).
    private func keepAlive() {
        guard let service, let time = environmentVariable("WATCHDOG_USEC").flatMap({ Int64($0) }), time > 0
        else { return }
        service.send("WATCHDOG=1")
        loop.later(.microseconds(time / 2)) { [self] in keepAlive() }
    }

    private func serve(_ channel: any Channel) throws {
        let connection = Connection(channel, gate)
        guard gate.admit(connection) else { return channel.close(promise: nil) }
        channel.closeFuture.assumeIsolated().whenComplete { [gate] _ in gate.leave(connection) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = HubLimits.headBytes
        limits.maxHeaderListSize = HubLimits.headBytes
        limits.maxHeaderFieldCount = HubLimits.headFields
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(connection)
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)),
            name: Self.decoder)
        try pipeline.addHandler(Conversation(self, connection))
    }

    /// The name of the HTTP decoder in a pipeline.
    static let decoder = "decoder"

    /// A connection stays open: both sides see from time to time that the other one is there.
    func startHeartbeat() {
        guard heartbeat == nil else { return }
        heartbeat = loop.later(HubLimits.heartbeat) { [self] in
            heartbeat = nil
            live.beat()
            for sender in Array(senders.values) { (sender as? WebSocketConversation)?.beat() }
            if live.count + sockets > 0 { startHeartbeat() }
        }
    }

    private func handle(_ signal: CInt) {
        guard signal == SIGHUP else { return stop() }
        do {
            try readTokens()
            try readings.reload()
            broker?.subscribe()
            if let files = options.certificate { tls = try files.context() }
            Output.tell("tokens, adapters and certificate are read again")
        } catch { Output.complain(ProgramError(hub: error)) }
    }

    /// Answers what is committed, refuses the rest, and ends.
    private func stop() {
        if isStopping { return }
        isStopping = true
        service?.send("STOPPING=1")
        for listener in listeners { listener.close(promise: nil) }
        broker?.stop()
        storeLines()
        if log?.isReady ?? true { whenStored(endConnections) } else { endConnections() }
        // A log that hangs is not known as away yet.
        loop.later(Self.stopTime / 2) { [self] in endConnections() }
        loop.later(Self.stopTime) { [self] in end() }
    }

    private func endConnections() {
        if isEnding { return }
        isEnding = true
        for sender in Array(senders.values) { sender.answered() }
        // What is refused is not to be in the journal.
        session.abandon()
        for connection in gate.all { connection.onStop() }
        gate.onEmpty = { [self] in end() }
        if gate.isEmpty { end() }
    }

    func fail(_ error: any Error) {
        failure = failure ?? error
        stop()
    }

    private func end() {
        gate.onEmpty = {}
        for sender in senders.values { session.leave(sender.producer) }
        // Where the connections have waited for the log until now.
        session.abandon()
        log?.stop()
        do { try session.finish() } catch { failure = failure ?? error }
        if let failure { Self.end(with: failure) }
        exit(EX_OK)
    }
}

extension EventLoop {
    /// Calls back after a time. It is called on the loop itself.
    @discardableResult
    func later(_ time: Duration, _ body: @escaping () -> Void) -> Scheduled<Void> {
        assumeIsolated().scheduleTask(in: TimeAmount(max(.zero, time))) { body() }
    }
}

/// Passes on what is read from a descriptor.
private final class DescriptorHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onRead: (ByteBuffer) -> Void
    private let onEnd: () -> Void

    init(_ onRead: @escaping (ByteBuffer) -> Void, onEnd: @escaping () -> Void) {
        (self.onRead, self.onEnd) = (onRead, onEnd)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { onRead(unwrapInboundIn(data)) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    func channelInactive(context: ChannelHandlerContext) { onEnd() }
}
