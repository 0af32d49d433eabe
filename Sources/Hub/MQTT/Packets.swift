import Adapters
import NIOCore

/// What a broker sends, by MQTT 3.1.1 (docs.oasis-open.org/mqtt/mqtt/v3.1.1): the packets that a client gets which asks for QoS 0 and 1.
enum BrokerPacket: Equatable {
    /// CONNACK with the return code 0.
    case accepted(hasSession: Bool)
    /// CONNACK with another return code (table 3.1).
    case refused(UInt8)
    case publish(Publication)
    /// PUBACK
    case acknowledged(UInt16)
    /// SUBACK: the granted QoS of each filter, 0x80 where it is refused.
    case subscribed([UInt8])
    /// UNSUBACK
    case unsubscribed
    case pong

    struct Publication: Equatable {
        let topic: String
        /// nil where it was too long to be taken.
        var payload: [UInt8]?
        /// To be acknowledged, of QoS 1.
        let packet: UInt16?
        var isRetained = false
        var isRedelivered = false
    }
}

/// What is no MQTT, or none that a client is sent.
struct MQTTError: Error, Equatable {
    let why: String
}

/// Cuts packets out of bytes. A packet that is too long is passed on without its payload, which is not kept.
struct BrokerPacketDecoder: ByteToMessageDecoder {
    typealias InboundOut = BrokerPacket

    /// Of what stands before a payload.
    private static let longestHead = 1 << 16 + 8
    /// The bytes of a payload that are still to be thrown away.
    private var skipping = 0

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let packet = try next(&buffer) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(packet))
        return .continue
    }

    /// The next packet; nil where it has not come as a whole.
    mutating func next(_ buffer: inout ByteBuffer) throws(MQTTError) -> BrokerPacket? {
        let skipped = min(skipping, buffer.readableBytes)
        buffer.moveReaderIndex(forwardBy: skipped)
        skipping -= skipped
        if skipping > 0 { return nil }
        guard let (first, length, head) = try Self.fixedHeader(buffer) else { return nil }
        if length > Message.longest + Self.longestHead { return try beginLong(&buffer, first, length, head) }
        guard buffer.readableBytes >= head + length else { return nil }
        buffer.moveReaderIndex(forwardBy: head)
        guard var body = buffer.readSlice(length: length) else { return nil }
        let packet = try Self.packet(first, &body)
        guard body.readableBytes == 0 else { throw MQTTError(why: "a packet is longer than it should be") }
        return packet
    }

    /// The first byte, the remaining length, and how many bytes both take; nil where they have not come.
    private static func fixedHeader(_ buffer: ByteBuffer) throws(MQTTError) -> (UInt8, Int, Int)? {
        let bytes = buffer.readableBytesView.prefix(5)
        guard let first = bytes.first else { return nil }
        var (length, shift) = (0, 0)
        for byte in bytes.dropFirst() {
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return (first, length, 2 + shift / 7) }
            shift += 7
        }
        guard bytes.count < 5 else { throw MQTTError(why: "a length has more than four bytes") }
        return nil
    }

    /// Reads what stands before a payload that is too long.
    private mutating func beginLong(_ buffer: inout ByteBuffer, _ first: UInt8, _ length: Int, _ head: Int)
        throws(MQTTError) -> BrokerPacket?
    {
        guard first >> 4 == 3 else { throw MQTTError(why: "a packet has \(length) bytes") }
        guard buffer.readableBytes >= head + Self.longestHead else { return nil }
        buffer.moveReaderIndex(forwardBy: head)
        let start = buffer.readerIndex
        var publication = try Self.publication(first, &buffer)
        publication.payload = nil
        skipping = length - (buffer.readerIndex - start)
        return .publish(publication)
    }

    private static func packet(_ first: UInt8, _ body: inout ByteBuffer) throws(MQTTError) -> BrokerPacket {
        switch first {
        case 0x20:
            let (flags, code): (UInt8, UInt8) = (try number(&body), try number(&body))
            return code == 0 ? .accepted(hasSession: flags & 1 == 1) : .refused(code)
        case 0x30..<0x40:
            var publication = try publication(first, &body)
            publication.payload = body.readBytes(length: body.readableBytes) ?? []
            return .publish(publication)
        case 0x40: return .acknowledged(try number(&body))
        case 0x90:
            let _: UInt16 = try number(&body)
            return .subscribed(body.readBytes(length: body.readableBytes) ?? [])
        case 0xB0:
            let _: UInt16 = try number(&body)
            return .unsubscribed
        case 0xD0: return .pong
        default: throw MQTTError(why: "a packet begins with \(first)")
        }
    }

    /// PUBLISH, up to its payload.
    private static func publication(_ first: UInt8, _ body: inout ByteBuffer) throws(MQTTError)
        -> BrokerPacket.Publication
    {
        let length: UInt16 = try number(&body)
        guard let bytes = body.readBytes(length: Int(length)),
            let topic = String(validating: bytes, as: UTF8.self), !topic.contains("\0")
        else { throw MQTTError(why: "a topic is no text in UTF-8") }
        let quality = first >> 1 & 3
        guard quality < 2 else { throw MQTTError(why: "a message has QoS \(quality)") }
        return BrokerPacket.Publication(
            topic: topic, packet: quality == 1 ? try number(&body) : nil, isRetained: first & 1 == 1,
            isRedelivered: first & 8 == 8)
    }

    private static func number<Number: FixedWidthInteger>(
        _ body: inout ByteBuffer
    ) throws(MQTTError) -> Number {
        guard let number: Number = body.readInteger() else { throw MQTTError(why: "a packet ends too early") }
        return number
    }
}

/// What a client sends.
struct ClientPacket {
    let bytes: [UInt8]

    private init(_ first: UInt8, _ body: [UInt8] = []) {
        var (length, rest) = ([UInt8](), body.count)
        repeat {
            length.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        bytes = [first] + length + body
    }

    /// How long the broker waits for a sign of life at most, in seconds: 1.5 times so long.
    static let keepAlive = 1_200

    static func connect(
        client: String, user: String?, password: String?, will: (topic: String, payload: String)?
    ) -> ClientPacket {
        // The session is kept; a will is retained.
        let flags: UInt8 =
            (user == nil ? 0 : 0x80) | (password == nil ? 0 : 0x40) | (will == nil ? 0 : 0x24)
        let texts = [client, will?.topic, will?.payload, user, password].compactMap(\.self)
        return ClientPacket(
            0x10, text("MQTT") + [4, flags] + number(UInt16(keepAlive)) + texts.flatMap(text))
    }
    static func subscribe(_ filters: [String]) -> ClientPacket {
        ClientPacket(0x82, number(1) + filters.flatMap { text($0) + [1] })
    }
    static func unsubscribe(_ filters: [String]) -> ClientPacket {
        ClientPacket(0xA2, number(2) + filters.flatMap(text))
    }
    static func acknowledge(_ packet: UInt16) -> ClientPacket { ClientPacket(0x40, number(packet)) }
    /// Retained, of QoS 0.
    static func publish(topic: String, payload: String) -> ClientPacket {
        ClientPacket(0x31, text(topic) + Array(payload.utf8))
    }
    static let ping = ClientPacket(0xC0), disconnect = ClientPacket(0xE0)

    private static func number(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(0xFFFF))
        return number(UInt16(bytes.count)) + bytes
    }
}
