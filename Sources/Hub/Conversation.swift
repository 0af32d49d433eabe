import NIOCore
import NIOHTTP1

/// The HTTP of one connection: one request after the other, each answered before the next is looked at.
///
/// It follows the decoder in the pipeline. Answers are bytes, written without an encoder. While a request waits for its commit or its
/// reader, nothing is read, so what a client can make the server keep is bounded by one read.
final class Conversation: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// A head is to come.
        case idle
        /// A request is received, and may be answered meanwhile.
        case receiving(any Exchange)
        /// The body has come, the answer is not complete.
        case answering(any Exchange)
        /// What comes is thrown away, until the connection closes.
        case refusing(from: Int)
        /// What comes now is no HTTP.
        case upgraded

        var exchange: (any Exchange)? {
            switch self {
            case .receiving(let exchange), .answering(let exchange): exchange
            case .idle, .refusing, .upgraded: nil
            }
        }
    }

    let server: HubServer
    let connection: Connection
    private var state = State.idle
    private var parts = CircularBuffer<HTTPServerRequestPart>()
    private var context: ChannelHandlerContext?
    private var isReadHeld = false
    private var isFlushNeeded = false
    private var hasInputEnded = false
    /// What had come when the present head began.
    private var headStart = 0
    /// How the present answer goes.
    private var request: (method: HTTPMethod, isOld: Bool, keepsAlive: Bool) = (.GET, false, true)
    private var isChunked = false
    private(set) var hasAnswerBegun = false

    init(_ server: HubServer, _ connection: Connection) {
        (self.server, self.connection) = (server, connection)
        connection.onTimeout = { [unowned self] in timedOut() }
        connection.onStop = { [unowned self] in stopped() }
    }

    // MARK: Reading

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .upgraded = state { return }
        parts.append(unwrapInboundIn(data))
        takeParts()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .idle where connection.received - headStart > HubLimits.headBytes: refuse(.tooLongHead)
        case .refusing(let start) where connection.received - start > HubLimits.refusedBytes: connection.cut()
        default: break
        }
        flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isHolding { isReadHeld = true } else { context.read() }
    }

    private var isHolding: Bool {
        state.exchange.map { !isWritable || $0.isHolding || !parts.isEmpty } ?? false
    }

    private func takeParts() {
        while !parts.isEmpty {
            switch state {
            case .receiving where !isWritable, .answering: return
            case .idle, .receiving, .refusing, .upgraded: take(parts.removeFirst())
            }
        }
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch (state, part) {
        case (.idle, .head(let head)): begin(head)
        case (.receiving(let exchange), .body(let bytes)): exchange.receive(bytes)
        case (.receiving(let exchange), .end):
            connection.expect(within: nil)
            state = .answering(exchange)
            exchange.receivedAll()
        // Of a request that was refused.
        default: break
        }
    }

    /// Goes on with what has waited: after a commit, when the connection is writable again, and when an answer is complete.
    func proceed() {
        takeParts()
        flush()
        guard isReadHeld, !isHolding else { return }
        isReadHeld = false
        context?.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            state.exchange?.becameWritable()
            proceed()
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Requests

    private func begin(_ head: HTTPRequestHead) {
        request = (head.method, head.version.minor == 0, head.isKeepAlive && !hasInputEnded)
        hasAnswerBegun = false
        do throws(Problem) {
            // After CONNECT and what asks for another protocol the decoder reads no more.
            if head.method == .CONNECT || head.headers.contains(name: "upgrade") {
                request.keepsAlive = false
            }
            if let refusal = connection.refusal { throw refusal }
            if server.isStopping { throw .stopping }
            let request = try Request(head)
            let exchange = try server.exchange(for: request, in: self)
            state = .receiving(exchange)
            if head.announcesBody {
                connection.expect(within: HubLimits.progressTime)
                if head.headers.contains(name: "expect") { write("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
            } else {
                connection.expect(within: nil)
            }
            exchange.begun()
        } catch {
            if head.announcesBody { return refuse(error) }
            // Who sends nonsense may send more of it.
            if [.badRequest, .lengthRequired, .notImplemented, .expectationFailed, .uriTooLong].contains(
                error.status)
            {
                request.keepsAlive = false
            }
            connection.expect(within: nil)
            state = .receiving(PlainExchange(self, error.answer))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (state, error) {
        case (.refusing, _), (.upgraded, _): break
        case (.answering, is HTTPParserError):
            // What follows a request that is answered.
            request.keepsAlive = false
        case (_, let error as HTTPParserError):
            refuse(
                error == .headerOverflow
                    ? .tooLongHead
                    : Problem(.badRequest, why: "it is no HTTP: \(error)"))
            flush()
        default: connection.cut()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            hasInputEnded = true
            request.keepsAlive = false
            switch state {
            case .idle: close()
            case .refusing: connection.cutIfSent()
            case .receiving, .answering, .upgraded: state.exchange?.inputEnded()
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        state.exchange?.ended()
        state = .refusing(from: 0)
        context.fireChannelInactive()
    }

    private func timedOut() {
        switch state {
        case .idle where connection.received > headStart: refuse(.tooSlow(HubLimits.headTime))
        case .receiving where connection.limit != nil: refuse(.tooSlow(HubLimits.progressTime))
        // Nothing of a request has come, or its answer is not read.
        case .idle, .receiving, .answering, .refusing, .upgraded: connection.cut()
        }
        flush()
    }

    private func stopped() {
        switch state {
        case .idle: connection.cut()
        case .receiving(let exchange), .answering(let exchange):
            request.keepsAlive = false
            if let problem = exchange.stopped() { refuse(problem) }
        case .refusing, .upgraded: break
        }
        flush()
    }
}

// MARK: - Answers

extension Conversation {
    var isWritable: Bool { context?.channel.isWritable ?? false }

    func answer(_ answer: Answer) {
        write(answer)
        finish()
    }

    private func write(_ answer: Answer) {
        begin(answer.status, answer.type, fields: answer.fields, length: answer.body.utf8.count)
        if request.method != .HEAD { write(answer.body.utf8) }
    }

    /// Begins an answer; `length` is nil where it is not known yet.
    func begin(
        _ status: Status, _ type: ContentType, fields: [(name: String, value: String)] = [],
        length: Int? = nil
    ) {
        server.metrics.note(status)
        hasAnswerBegun = true
        isChunked = length == nil && !request.isOld
        // In HTTP/1.0 the end of the connection is that of such an answer.
        if length == nil, request.isOld { request.keepsAlive = false }
        var lines = ["HTTP/1.1 \(status.code) \(status.reasonPhrase)", "Date: \(Answer.date)"]
        lines.append("Content-Type: \(type.rawValue)")
        if let length { lines.append("Content-Length: \(length)") }
        if isChunked { lines.append("Transfer-Encoding: chunked") }
        lines += ["Cache-Control: no-store", "X-Content-Type-Options: nosniff"]
        lines += fields.map { "\($0.name): \($0.value)" }
        if !request.keepsAlive { lines.append("Connection: close") }
        write((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// A part of an answer that has begun.
    func send(_ bytes: some Collection<UInt8>) {
        if bytes.isEmpty { return }
        guard isChunked else { return write(bytes) }
        write((String(bytes.count, radix: 16) + "\r\n").utf8)
        write(bytes)
        write("\r\n".utf8)
    }

    func finish() {
        if isChunked, request.method != .HEAD { write("0\r\n\r\n".utf8) }
        guard case .answering = state, request.keepsAlive else { return close() }
        state = .idle
        headStart = connection.received
        connection.idle()
    }

    /// Answers that the request is refused, and closes the connection: what follows is the rest of the request.
    func refuse(_ problem: Problem) {
        if hasAnswerBegun { return connection.cut() }
        state.exchange?.ended()
        request.keepsAlive = false
        write(problem.answer)
        close()
    }

    /// Sends what waits and closes. A client that still sends would lose the answer to a reset, so its bytes are read for a moment.
    private func close() {
        hasAnswerBegun = false
        parts.removeAll()
        state = .refusing(from: connection.received)
        flush()
        connection.closeWhenSent()
    }

    /// From here on the bytes are those of another protocol.
    func upgrade() { state = .upgraded }

    func write(_ bytes: some Collection<UInt8>) {
        guard let context else { return }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
        isFlushNeeded = true
    }

    func flush() {
        guard isFlushNeeded else { return }
        isFlushNeeded = false
        context?.flush()
    }
}

extension Problem {
    static let tooLongHead = Problem(
        .requestHeaderFieldsTooLarge,
        why: "its head has more than \(HubLimits.headBytes) bytes or \(HubLimits.headFields) fields")
    static func tooSlow(_ limit: Duration) -> Problem {
        Problem(.requestTimeout, why: "what it needs did not come within \(limit.components.seconds) s")
    }
    static let stopping = busy(
        .serviceUnavailable, why: "the server is stopping", remedy: "Send it again later.")
}
