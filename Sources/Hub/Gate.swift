import Linux
import NIOCore
import NIOHTTP1

package struct HubLimits {
    /// Connections at a time, in all.
    package var connections = 1_500
    /// Of one address; nil for 64 of each but this machine's own, which may have them all.
    package var connectionsPerAddress: Int?
    /// Lines of one token in a second, and how many of them may come at once.
    package var linesPerSecond = 2_000

    package init() {}

    /// The head of a request, in bytes and in fields.
    static let headBytes = 16_384, headFields = 100
    /// How many answers may be unread before no more lines are read, and how far a reader of events may be behind, in bytes.
    static let lowWater = 16_384, highWater = 65_536
    /// From the connection to the end of the first head.
    static let headTime = Duration.seconds(10)
    /// Without a line, or without a byte that its reader has taken.
    static let progressTime = Duration.seconds(30)
    /// Between two requests of a connection.
    static let idleTime = Duration.seconds(60)
    /// What is read of a request that is refused already, in bytes and in time.
    static let refusedBytes = 1 << 20
    static let refusedTime = Duration.seconds(1)
    /// Between two signs of life of a connection that stays open.
    static let heartbeat = Duration.seconds(20)
    /// The most connections that are told of the limit at a time; more are closed without an answer.
    static let refusedConnections = 64
}

/// A connection of a client: what is expected of it, and until when. It is the first handler of its pipeline, counts its bytes, and can
/// cut it off.
final class Connection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let channel: any Channel
    /// Connections of one address count together.
    let address: String
    /// How long the client may take for what is expected of it; nil where only what it has not read yet has a deadline.
    private(set) var limit: Duration? = HubLimits.headTime
    /// When that was expected first, or has last come nearer.
    private var since = MonotonicTime.now
    /// Whether no request has begun since the last one was answered.
    private var isIdle = false
    /// The bytes that came in and were written.
    private(set) var received = 0, written = 0
    /// Of those, the bytes that the kernel had taken at the last look, and when they were more than before.
    private var sent = 0
    private var sentAt = MonotonicTime.now
    /// What the HTTP conversation or the WebSocket on it does when its deadline has passed, and at the end of the server.
    var onTimeout: () -> Void = {}
    var onStop: () -> Void = {}
    /// The token of its last request: when it is revoked, the connection ends.
    var token: Token?
    /// Why all of its requests are refused: there are too many connections; nil where they are not.
    fileprivate(set) var refusal: Problem?
    private let gate: Gate
    private var context: ChannelHandlerContext?

    init(_ channel: any Channel, _ gate: Gate) {
        (self.channel, self.gate) = (channel, gate)
        address = channel.remoteAddress.map(Self.key) ?? ""
    }

    /// The address, of IPv6 its first 64 bits: the rest is the client's own choice.
    private static func key(_ address: SocketAddress) -> String {
        guard case .v6(let six) = address else { return address.ipAddress ?? "" }
        // sin6_addr, whose name only a module of NIO's own knows.
        let groups = withUnsafeBytes(of: six.address) { Array($0[8..<24]) }
        // IPv4 in IPv6, and this machine's ::1.
        if groups.prefix(8).allSatisfy({ $0 == 0 }) { return address.ipAddress ?? "" }
        return groups.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }

    var isLocal: Bool { address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.") }

    /// The bytes that wait for the kernel to take them.
    var unsent: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    /// Something is expected of the client within a time, or nothing is.
    func expect(within limit: Duration?) {
        (self.limit, isIdle) = (limit, false)
        progress()
        if let limit { gate.expect(in: limit) }
    }

    /// The next request is expected.
    func idle() {
        expect(within: HubLimits.idleTime)
        isIdle = true
    }

    /// What was waited for has come nearer.
    func progress() { since = .now }

    /// When it is closed unless something comes; nil where nothing is waited for.
    func deadline(at now: MonotonicTime) -> MonotonicTime? {
        let unsent = unsent
        if written - unsent > sent || unsent == 0 { (sent, sentAt) = (written - unsent, now) }
        let reading = unsent > 0 ? sentAt + HubLimits.progressTime : nil
        return [limit.map { since + $0 }, reading].compactMap(\.self).min()
    }

    /// Closes its output when all that was written is sent, and cuts it off a moment later. Closed at once, it would lose what waits,
    /// where the client has ended its side.
    func closeWhenSent() {
        expect(within: nil)
        guard let context else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            expect(within: HubLimits.refusedTime)
            channel.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
    }

    /// The client has ended its side. Where bytes still wait to be sent to it, `closeWhenSent` closes once they are sent.
    func cutIfSent() { if unsent == 0 { cut() } }

    /// Closes it at once. From the tail of the pipeline, TLS would first wait for the other side.
    func cut() { context?.close(mode: .all, promise: nil) ?? channel.close(promise: nil) }

    // MARK: In the pipeline

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        if isIdle { expect(within: HubLimits.headTime) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        gate.expect(in: HubLimits.progressTime)
        context.write(data, promise: promise)
    }
}

/// The connections of the server, with the limits for their numbers.
final class Gate {
    private let limits: HubLimits
    private let metrics: Metrics
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// The number of those that are told that there are too many.
    private var refused = 0
    private var ofAddress: [String: Int] = [:]
    private let timer: DeadlineTimer
    /// Called when the last connection has ended.
    var onEmpty: () -> Void = {}

    init(_ loop: any EventLoop, _ limits: HubLimits, _ metrics: Metrics) {
        (self.limits, self.metrics) = (limits, metrics)
        timer = DeadlineTimer(loop)
        timer.onTime = { [unowned self] in closeOverdue() }
    }

    var all: [Connection] { Array(connections.values) }
    /// Those that are served.
    var count: Int { connections.count - refused }
    var isEmpty: Bool { connections.isEmpty }

    /// Takes in a connection, which leaves by itself when it ends. False where there are so many that it is closed at once.
    func admit(_ connection: Connection) -> Bool {
        let perAddress = limits.connectionsPerAddress ?? (connection.isLocal ? limits.connections : 64)
        if count >= limits.connections {
            connection.refusal = .busy(
                .serviceUnavailable, why: "it has \(limits.connections) connections, as many as it serves",
                remedy: "Send it again later. The hub's --connections allows more.")
        } else if ofAddress[connection.address, default: 0] >= perAddress {
            connection.refusal = .busy(
                .tooManyRequests, why: "\(perAddress) connections of this address are open",
                remedy: "Close those that are not used. The hub's --connections-per-address allows more.")
        }
        expect(in: HubLimits.headTime)
        if connection.refusal == nil {
            metrics.connections += 1
            ofAddress[connection.address, default: 0] += 1
        } else {
            metrics.refusedConnections += 1
            guard refused < HubLimits.refusedConnections else { return false }
            refused += 1
        }
        connections[ObjectIdentifier(connection)] = connection
        return true
    }

    func leave(_ connection: Connection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if connection.refusal != nil {
            refused -= 1
        } else {
            let left = (ofAddress[connection.address] ?? 1) - 1
            ofAddress[connection.address] = left > 0 ? left : nil
        }
        if !connections.isEmpty { return }
        timer.cancel()
        onEmpty()
    }

    /// A connection may have a deadline after that time.
    func expect(in time: Duration) { timer.expect(.now + time) }

    private func closeOverdue() -> MonotonicTime? {
        let now = MonotonicTime.now
        var next: MonotonicTime?
        for connection in all {
            guard let deadline = connection.deadline(at: now) else { continue }
            if deadline <= now {
                metrics.timeouts += 1
                connection.onTimeout()
            } else {
                next = min(next ?? deadline, deadline)
            }
        }
        return next
    }
}

/// One timer for the nearest of several deadlines. Later ones are found when it fires; where there is none, nothing wakes the server.
final class DeadlineTimer {
    private let loop: any EventLoop
    private var timer: (at: MonotonicTime, task: Scheduled<Void>)?
    /// Does what is due. Returns the next deadline; nil where there is none.
    var onTime: () -> MonotonicTime? = { nil }

    init(_ loop: any EventLoop) { self.loop = loop }

    func expect(_ deadline: MonotonicTime) {
        if let timer, timer.at <= deadline { return }
        cancel()
        let task = loop.later(deadline - .now) { [self] in
            timer = nil
            if let next = onTime() { expect(next) }
        }
        timer = (deadline, task)
    }

    func cancel() {
        timer?.task.cancel()
        timer = nil
    }
}
