import CounterModel
import Linux
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Transfer

/// `GET /v1/ws`: the request that makes a connection a WebSocket (RFC 6455).
final class WebSocketOpening: Exchange {
    private let call: Route.Call
    private let terms: SenderTerms
    private var conversation: Conversation { call.conversation }

    init(_ call: Route.Call) throws {
        self.call = call
        let headers = call.request.head.headers
        func names(_ field: String) -> [String] { headers[canonicalForm: field].map { $0.lowercased() } }
        guard call.request.head.method == .GET, names("upgrade").contains("websocket"),
            names("connection").contains("upgrade")
        else {
            throw Problem(
                .upgradeRequired, why: "this path is for WebSockets",
                remedy: "Without one, send events to /v1/events.",
                fields: [("Upgrade", "websocket"), ("Connection", "Upgrade")])
        }
        guard headers["sec-websocket-version"] == ["13"] else {
            throw Problem(
                .upgradeRequired, why: "the version is 13", fields: [("Sec-WebSocket-Version", "13")])
        }
        let keys = headers["sec-websocket-key"]
        guard keys.count == 1, Base64.decode(keys[0])?.count == 16 else {
            throw Problem(.badRequest, why: "Sec-WebSocket-Key is no key of 16 bytes")
        }
        try Request.checkOrigin(headers)
        terms = call.token.terms(location: try call.location()?.id)
    }

    func receivedAll() {
        let channel = conversation.connection.channel
        // It computes Sec-WebSocket-Accept.
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        upgrader.buildUpgradeResponse(
            channel: channel, upgradeRequest: call.request.head, initialResponseHeaders: [:]
        ).assumeIsolated().whenComplete { [self] result in
            do { try upgrade(try result.get()) } catch { conversation.connection.cut() }
        }
    }

    private func upgrade(_ headers: HTTPHeaders) throws {
        var head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        for accept in headers["sec-websocket-accept"] { head += "Sec-WebSocket-Accept: \(accept)\r\n" }
        conversation.write((head + "\r\n").utf8)
        conversation.flush()
        let socket = WebSocketConversation(call, terms)
        conversation.upgrade()
        let pipeline = conversation.connection.channel.pipeline.syncOperations
        try pipeline.addHandlers([
            WebSocketFrameEncoder(),
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketConversation.maxMessage)),
            FrameCheck(),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024,
                maxAccumulatedFrameSize: WebSocketConversation.maxMessage),
            socket,
        ])
        pipeline.removeHandler(conversation, promise: nil)
        // What it has read already goes on to the frame decoder.
        pipeline.removeHandler(name: HubServer.decoder, promise: nil)
    }

    func inputEnded() { conversation.connection.cut() }
}

/// Refuses frames that the decoder lets pass, and the aggregator would hide: unmasked ones, unknown ones, reserved bits.
private final class FrameCheck: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    struct Refusal: Error {}

    private static let known: [WebSocketOpcode] = [
        .continuation, .text, .binary, .connectionClose, .ping, .pong,
    ]

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let isKnown = Self.known.contains(frame.opcode)
        guard isKnown, frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return context.fireErrorCaught(Refusal())
        }
        context.fireChannelRead(data)
    }
}

private let lineEnd = UInt8(ascii: "\n")

/// A WebSocket: each message is one line or several, as `POST /v1/events` takes them, and each answer is a message.
final class WebSocketConversation: ChannelDuplexHandler, LineSender {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// In bytes.
    static let maxMessage = 65_536
    /// After how many signs of life without one from the client it is gone.
    private static let maxSilent = 3

    let producer: Producer
    let share: LineShare
    private let server: HubServer
    private let connection: Connection
    private var context: ChannelHandlerContext?
    private var isReadHeld = false
    private var isClosing = false
    /// The code with which it closes once all lines are answered.
    private var lastCode: WebSocketErrorCode?
    /// What had come at the last sign of life, and how many have passed since more has.
    private var heard = (bytes: 0, silent: 0)

    init(_ call: Route.Call, _ terms: SenderTerms) {
        (server, connection) = (call.server, call.conversation.connection)
        producer = Producer(terms)
        share = server.tokens.share(of: call.token)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        server.add(self)
        server.sockets += 1
        server.startHeartbeat()
        connection.onTimeout = { [unowned self] in connection.cut() }
        connection.onStop = { [unowned self] in close(.goingAway) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.sockets -= 1
        server.remove(self)
        self.context = nil
        context.fireChannelInactive()
    }

    // MARK: Reading

    private var isHolding: Bool { isBusy || !(context?.channel.isWritable ?? false) }

    func read(context: ChannelHandlerContext) {
        if isHolding { isReadHeld = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isClosing || lastCode != nil { return }
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary: receive(frame.unmaskedData, isText: frame.opcode == .text)
        case .ping: send(.pong, frame.unmaskedData)
        case .connectionClose: closed(frame.unmaskedData)
        default: break
        }
    }

    private func receive(_ message: ByteBuffer, isText: Bool) {
        let isValid =
            !isText || message.withUnsafeReadableBytes { String(validating: $0, as: UTF8.self) != nil }
        guard isValid else { return finish(.dataInconsistentWithMessage) }
        message.withUnsafeReadableBytes { bytes in
            producer.append(bytes)
            // Its end is the end of a line.
            if bytes.last != lineEnd { [lineEnd].withUnsafeBytes { producer.append($0) } }
        }
        if producer.isReady { server.linesWait() }
    }

    /// Answers a close by the same code, or by an error where it is none that may be sent.
    private func closed(_ data: ByteBuffer) {
        var data = data
        let code = data.readInteger(as: UInt16.self)
        let isValid = code.map { 1000...1003 ~= $0 || 1007...1014 ~= $0 || 3000...4999 ~= $0 } ?? true
        let hasText = data.withUnsafeReadableBytes { String(validating: $0, as: UTF8.self) != nil }
        let isWhole = code != nil || data.readableBytes == 0
        finish(
            isValid && hasText && isWhole ? WebSocketErrorCode(codeNumber: Int(code ?? 1000)) : .protocolError
        )
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            if producer.isReady { server.linesWait() }
            proceed()
        }
        context.fireChannelWritabilityChanged()
    }

    private func proceed() {
        guard isReadHeld, !isHolding else { return }
        isReadHeld = false
        context?.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength,
            NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketFrameAggregator.Error.tooManyFragments:
            finish(.messageTooLarge)
        case is FrameCheck.Refusal, is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error:
            finish(.protocolError)
        default: connection.cut()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            if isClosing { connection.cutIfSent() } else { finish(.goingAway) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Writing

    func answered() {
        if producer.isAbandoned { return close(.unexpectedServerError) }
        var answers = producer.takeAnswers()
        while let end = answers.firstIndex(of: lineEnd) {
            send(.text, ByteBuffer(bytes: answers[..<end]), flushes: false)
            answers = answers[(end + 1)...]
        }
        context?.flush()
        if let lastCode, !isBusy, !producer.hasAnswers { return close(lastCode) }
        proceed()
    }

    func unconfirmed() { connection.cut() }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, flushes: Bool = true) {
        guard let context else { return }
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
        if flushes { context.flush() }
    }

    /// A sign of life; ends a connection whose client has given none for long.
    func beat() {
        heard = connection.received > heard.bytes ? (connection.received, 0) : (heard.bytes, heard.silent + 1)
        if heard.silent >= Self.maxSilent { return connection.cut() }
        if !isClosing, context?.channel.isWritable == true { send(.ping, ByteBuffer()) }
    }

    /// Closes, once the lines that came before are answered. What comes later is passed over.
    private func finish(_ code: WebSocketErrorCode) {
        if isClosing || lastCode != nil { return }
        if isBusy || producer.hasAnswers { lastCode = code } else { close(code) }
    }

    private func close(_ code: WebSocketErrorCode) {
        if isClosing { return }
        isClosing = true
        server.remove(self)
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        send(.connectionClose, data)
        connection.closeWhenSent()
    }
}
