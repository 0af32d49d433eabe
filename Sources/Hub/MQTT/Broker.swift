import Adapters
import CNIOBoringSSL
import CounterModel
import CounterStore
import Glibc
package import Linux
import NIOCore
import NIOPosix
import NIOSSL
import Reports
import Transfer

/// A broker, and who the hub is to it.
package struct BrokerOptions {
    let host: String
    let port: Int
    let user: String?
    private let usesTLS: Bool
    /// Its first line is the password.
    package var passwordFile: String?
    /// The certificates that are trusted, in PEM; nil for those of the system.
    package var trusted: String?
    /// Whether the counts are published, as Home Assistant finds them.
    package var publishes = false

    /// `url`: `mqtt://[USER@]HOST[:1883]`, or `mqtts://[USER@]HOST[:8883]` with TLS.
    package init(url: String) throws(ProgramError) {
        let wrong = ProgramError(
            "--mqtt: '\(url.split(separator: "@").last ?? "")' is no address of a broker",
            remedy: "Such as mqtt://localhost, or mqtts://counter@broker.example:8883.", status: EX_USAGE)
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, ["mqtt:", "mqtts:"].contains(parts[0]), parts[1].isEmpty,
            parts.dropFirst(3).allSatisfy(\.isEmpty)
        else { throw wrong }
        usesTLS = parts[0] == "mqtts:"
        var place = parts[2]
        if let at = place.lastIndex(of: "@") {
            guard !place[..<at].contains(":") else {
                throw ProgramError(
                    "--mqtt: a password in the address is seen by all users of this machine",
                    remedy: "Write it into a file: --mqtt-password-file FILE", status: EX_USAGE)
            }
            user = String(place[..<at])
            place = place[place.index(after: at)...]
        } else {
            user = nil
        }
        var port = usesTLS ? 8883 : 1883
        if let colon = place.lastIndex(of: ":"), place.last != "]" {
            guard let number = Int(place[place.index(after: colon)...]), 1...65_535 ~= number else {
                throw wrong
            }
            port = number
            place = place[..<colon]
        }
        self.port = port
        host = place.filter { $0 != "[" && $0 != "]" }
        guard !host.isEmpty else { throw wrong }
    }

    /// For people.
    var place: String { "\(usesTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    func password() throws(ProgramError) -> String? {
        guard let passwordFile else { return nil }
        return try TextFile(path: passwordFile, name: passwordFile).text
            .split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
    }

    func tls() throws -> NIOSSLContext? {
        guard usesTLS else { return nil }
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let trusted {
            _ = try TextFile(path: trusted, name: trusted)
            configuration.trustRoots = .file(trusted)
        }
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The hub as a client of an MQTT broker: it gets what devices send, and acknowledges what is stored.
///
/// The session is kept at the broker, so that messages wait there while the hub is away. Nothing is read while messages wait for their commit: what
/// waits here is what one read of 4 KiB has brought, and the broker stops sending at its limit of messages that are not acknowledged.
final class Broker: ChannelInboundHandler {
    typealias InboundIn = BrokerPacket

    /// A connection that has lasted so long was a good one: the next is tried soon.
    private static let lasting = Duration.seconds(60)
    /// How long a broker may take to accept a connection.
    private static let patience = Duration.seconds(10)
    /// From one attempt to store messages to the next.
    private static let retryPause = Duration.milliseconds(500)

    private unowned let server: HubServer
    private let loop: any EventLoop
    private let options: BrokerOptions
    /// Its id at the broker: the session belongs to the journal, wherever that is.
    private let client: String
    private var session: BrokerSession
    private let password: String?
    private let tls: NIOSSLContext?
    private var context: ChannelHandlerContext?
    private var backoff = Backoff()
    private var deadline: Scheduled<Void>?
    /// Messages that are not stored yet.
    private var waiting: [BrokerPacket.Publication] = []
    /// Whether messages are in the journal, and not yet where they are to be before they are acknowledged.
    private var isStoring = false
    /// Why messages cannot be stored; nil where they can.
    private var storageFailure: String?
    /// Why the last connection ended, until one is accepted.
    private var lastComplaint: String?
    var isConnected: Bool { acceptedAt != nil }
    private var hasBeenConnected = false
    private var acceptedAt: MonotonicTime?
    private var homeAssistant: HomeAssistant?
    /// What of the journal was published, by the changes of this connection and those of others to it.
    private var published: [Int] = []
    private var publication: Scheduled<Void>?
    private var stale: StaleDevices
    /// When devices become stale.
    private var staleTimer: Scheduled<Void>?
    /// From one publication to the next, at least.
    private static let publicationPause = Duration.seconds(1)

    init(_ options: BrokerOptions, _ server: HubServer, _ loop: any EventLoop) throws {
        (self.options, self.server, self.loop) = (options, server, loop)
        client = "counter-hub-\(try server.journal.id().prefix(10))"
        session = try BrokerSession(directory: server.options.directory)
        if options.publishes { homeAssistant = HomeAssistant(client: client) }
        (password, tls) = (try options.password(), try options.tls())
        stale = StaleDevices(in: server.journal, after: server.options.staleAfter)
    }

    func connect() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(Self.patience))
            .channelOption(.autoRead, value: false)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // The kernel notices a broker that is gone, without a wake-up here.
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: 60)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 10)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 3)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.serve(channel) }
            }
            .connect(host: options.host, port: options.port)
            .assumeIsolated().whenFailure { [self] error in ended(because: reason(of: error)) }
    }

    private func serve(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            let name = options.host.isIPAddress ? nil : options.host
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        try pipeline.addHandler(ByteToMessageHandler(BrokerPacketDecoder()))
        try pipeline.addHandler(self)
    }

    private func reason(of error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first else { return "there is no machine of this name" }
            return reason(of: first.error)
        case let error as IOError where error.errnoCode == ECONNRESET && !hasBeenConnected:
            return "\(errorText(ECONNRESET)): does it have TLS at this port?"
        case let error as IOError: return errorText(error.errnoCode)
        case let error as MQTTError: return "it is no broker of MQTT 3.1.1 without TLS: \(error.why)"
        case is ChannelError: return "it does not answer"
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            return "TLS: \(error). Where its certificate is of one's own: --mqtt-ca FILE"
        default: return "\(error)"
        }
    }

    /// The code of a CONNACK; see MQTT 3.1.1, table 3.1.
    private static func reason(ofCode code: UInt8) -> String {
        switch code {
        case 1: "it does not know MQTT 3.1.1"
        case 2: "it refuses the client's id"
        case 3: "it is not available"
        case 4, 5: "it refuses the user or the password: --mqtt mqtt://USER@…, --mqtt-password-file FILE"
        default: "it refuses with code \(code)"
        }
    }

    // MARK: The connection

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        let will = homeAssistant.map { (topic: $0.availability, payload: "offline") }
        send([.connect(client: client, user: options.user, password: password, will: will)])
        deadline = loop.later(Self.patience) { [self] in end(because: "it does not answer") }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .accepted(let hasSession): accepted(hasSession)
        case .refused(let code): end(because: Self.reason(ofCode: code))
        case .publish(let publication): waiting.append(publication)
        case .unsubscribed: session.filters = server.readings.filters
        case .subscribed(let codes):
            for (filter, code) in zip(server.readings.filters, codes) where code == 0x80 {
                tell("it refuses the topic \(filter): allow the hub's user to read it")
            }
        case .pong:
            deadline?.cancel()
            schedulePing()
        case .acknowledged: break
        }
    }

    private func accepted(_ hasSession: Bool) {
        deadline?.cancel()
        if !hasSession { session.begin() }
        (hasBeenConnected, acceptedAt, lastComplaint) = (true, .now, nil)
        tell("connected")
        subscribe()
        schedulePing()
        guard let homeAssistant else { return }
        send([.publish(topic: homeAssistant.availability, payload: "online")])
        // The broker may have lost what it had.
        self.homeAssistant = HomeAssistant(client: client)
        published = []
        countsMayHaveChanged()
    }

    func subscribe() {
        guard isConnected else { return }
        let filters = server.readings.filters
        let former = session.filters.filter { !filters.contains($0) }
        // Until the broker has confirmed it, the former ones may still be there.
        session.filters = filters + former
        if !former.isEmpty { send([.unsubscribe(former)]) }
        if filters.isEmpty {
            if homeAssistant != nil { return }
            return tell(
                "no adapter with a topic is in use: name those that are wanted in \(DeviceReadings.fileName), such as use = [\"tasmota\"]"
            )
        }
        send([.subscribe(filters)])
    }

    private func schedulePing() {
        deadline = loop.later(.seconds(ClientPacket.keepAlive)) { [self] in
            send([.ping])
            deadline = loop.later(Self.patience) { [self] in end(because: "it does not answer") }
        }
    }

    private func send(_ packets: [ClientPacket]) {
        guard let context, !packets.isEmpty else { return }
        context.writeAndFlush(
            NIOAny(context.channel.allocator.buffer(bytes: packets.flatMap(\.bytes))), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { store() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(because: reason(of: error)) }

    private func end(because why: String) {
        complain(why)
        context?.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { ended(because: "the connection has ended") }

    /// The connection has ended, or there was none. It is tried again, each time after a longer pause.
    private func ended(because why: String) {
        context = nil
        deadline?.cancel()
        // What is not acknowledged comes again.
        waiting.removeAll()
        storageFailure = nil
        if server.isStopping { return }
        complain(why)
        // Another hub with the same journal would end each new connection at once.
        if let acceptedAt, .now - acceptedAt >= Self.lasting { backoff = Backoff() }
        acceptedAt = nil
        deadline = loop.later(backoff.next(jitter: 1)) { [self] in connect() }
    }

    private func complain(_ why: String) {
        if lastComplaint != nil { return }
        lastComplaint = why
        tell("\(why). It is tried again")
    }

    private func tell(_ words: String) {
        Output.tell("\(options.place): \(words)")
    }

    func stop() {
        deadline?.cancel()
        if isConnected, let homeAssistant {
            send([.publish(topic: homeAssistant.availability, payload: "offline")])
        }
        send([.disconnect])
        context?.close(promise: nil)
    }

    // MARK: Counts

    /// Publishes what has changed, not more often than once a second.
    func countsMayHaveChanged() {
        let journal = server.journal
        guard isConnected, homeAssistant != nil, publication == nil,
            let now = try? [journal.ownChanges(), journal.dataVersion()],
            now != published || homeAssistant?.hasMore ?? false
        else { return }
        if let statuses = try? server.locationStatuses(), let changes = homeAssistant?.changes(to: statuses) {
            published = now
            send(changes.map { .publish(topic: $0.topic, payload: $0.payload) })
            armStaleTimer(statuses.filter { $0.status != nil }.map(\.location))
        }
        publication = loop.later(Self.publicationPause) { [self] in
            publication = nil
            countsMayHaveChanged()
        }
    }

    /// A device that says nothing any more changes no row.
    private func armStaleTimer(_ locations: [Location]) {
        staleTimer?.cancel()
        let now = HubServer.now
        guard (try? stale.read(of: locations, at: now)) != nil, let next = stale.nextChange else { return }
        staleTimer = loop.later(next - now + .microseconds(1)) { [self] in
            published = []
            countsMayHaveChanged()
        }
    }

    // MARK: Messages

    private func tellStorageFailure() {
        guard let storageFailure else { return }
        tell("messages wait, as they cannot be stored: \(storageFailure)")
    }

    /// What has come in a turn is one transaction, and is then acknowledged.
    private func store() {
        if isStoring { return }
        if !waiting.isEmpty {
            do {
                try server.requireLog()
                try server.readings.take(publications: waiting, session.number)
            } catch {
                server.metrics.failedDeliveries += 1
                // Another program has locked it, mostly: that passes.
                if storageFailure == nil { loop.later(Self.patience) { [self] in tellStorageFailure() } }
                storageFailure = (error as? Problem)?.why ?? ProgramError(hub: error).message
                loop.later(Self.retryPause) { [self] in store() }
                return
            }
            storageFailure = nil
            let packets = waiting.compactMap(\.packet)
            waiting.removeAll()
            acknowledge(packets)
            server.committed()
        }
        if !isStoring { context?.read() }
    }

    /// Acknowledges messages once they may be; until then nothing is read.
    private func acknowledge(_ packets: [UInt16]) {
        let connection = context
        isStoring = true
        server.whenStored { [self] in
            isStoring = false
            // What comes on a new connection has other ids.
            guard let connection, connection === context else { return store() }
            send(packets.map(ClientPacket.acknowledge))
            if server.log != nil { store() }
        }
    }
}

/// The session that the broker keeps, in a file beside the journal: when it began, in seconds since 1970, and a line for each of its filters.
private struct BrokerSession {
    private let path: String
    /// What tells the ids of packets apart that the broker has given in different sessions: one that it has lost begins again with the same ids.
    private(set) var number: Int
    /// The topics to which the broker may think that the hub has subscribed.
    var filters: [String] { didSet { if filters != oldValue { save() } } }

    init(directory: String) throws(ProgramError) {
        path = "\(directory)/hub-broker-session"
        let lines = try (TextFile.text(ifAny: path) ?? "").split(separator: "\n").map(String.init)
        (number, filters) = (lines.first.flatMap { Int($0) } ?? 0, Array(lines.dropFirst()))
    }

    mutating func begin() {
        number = max(number + 1, HubServer.now.seconds)
        filters = []
        save()
    }

    private func save() {
        let text = (["\(number)"] + filters).map { $0 + "\n" }.joined()
        do throws(SystemCallError) { try TextFile.replace(path, by: text) } catch {
            Output.complain(ProgramError("\(path): \(error.reason)", status: EX_IOERR))
        }
    }
}

extension DeviceReadings {
    /// Takes what a broker has delivered. What no adapter is for is left out.
    fileprivate func take(publications: [BrokerPacket.Publication], _ session: Int) throws {
        let now = HubServer.now
        let messages = publications.compactMap { publication -> Message? in
            guard let payload = publication.payload else {
                tellOnce(
                    "\(publication.topic): a message is longer than \(Message.longest >> 20) MiB",
                    about: publication.topic)
                return nil
            }
            var message = Message(
                payload, at: publication.topic, receivedAt: now, isRetained: publication.isRetained)
            (message.packet, message.isRedelivered) = (
                publication.packet.map { session << 16 | Int($0) }, publication.isRedelivered
            )
            return message
        }
        try take(messages)
    }
}
