import Linux
import TestSupport
import Testing

@testable import KeyProtocol

/// The messages of both directions.
@Suite struct MessageTests {
    @Test(arguments: Messages.client)
    func `A client's message comes out as it went in, and nothing else comes in`(message: ClientMessage) {
        expectOneForm(message, notOf: ServerMessage.self)
    }

    @Test(arguments: Messages.server)
    func `A server's message comes out as it went in, and nothing else comes in`(message: ServerMessage) {
        expectOneForm(message, notOf: ClientMessage.self)
    }

    private func expectOneForm<Kind: Message & Hashable, Other: Message>(_ message: Kind, notOf: Other.Type) {
        #expect(Messages.faults(of: message) == [])
        #expect(throws: MessageError.malformed, "the other direction") {
            try Other(decoding: message.encoded)
        }
        var bytes = message.encoded
        for (place, version) in [(4, 2), (5, 0x302)] as [(Int, UInt16)] {
            bytes[place] = UInt8(place == 4 ? 2 : 3)
            #expect(throws: MessageError.version(version)) { try Kind(decoding: bytes) }
        }
    }

    /// The server asks the kernel for exactly these keys. Which meanings are invalid: in KeyMeaningsTests.
    @Test func `Meanings that make no sense are refused`() {
        let bytes = ClientMessage.configure(KeyMeanings(up: [115], down: [115], reset: [])).encoded
        #expect(throws: MessageError.malformed) { _ = try ClientMessage(decoding: bytes) }
    }

    /// A key message, which is sent for every frame, has at most 64 bytes.
    @Test func `Key messages are short`() {
        let message = ServerMessage.frame(
            number: 1, Messages.frame([KeyChange(.up, isDown: true)]))
        #expect(message.encoded.count == 64)
    }

    @Test func `A frame without a change is refused`() {
        let empty = ServerMessage.frame(number: 1, Messages.frame([]))
        #expect(throws: MessageError.malformed) { _ = try ServerMessage(decoding: empty.encoded) }
    }

    /// Only stamps to which the recogniser can add its settings without overflow are valid.
    @Test(arguments: [-1, Int64.min, Int64.max, Int64.max / 4 + 1])
    func `Stamps that no clock shows are refused`(microseconds: Int64) {
        let stamp = MonotonicTime(microseconds: microseconds)
        let node = NodeID(rawValue: 1)
        var frame = Messages.frame([KeyChange(.up, isDown: true)])
        frame.stamp = stamp
        let messages: [ServerMessage] = [
            .frame(number: 1, frame), .nodeGone(node, at: stamp), .interrupted(at: stamp, .otherSession),
            .resynchronized(node, down: [], at: stamp),
        ]
        for message in messages {
            #expect(throws: MessageError.malformed) { _ = try ServerMessage(decoding: message.encoded) }
        }
    }

    @Test func `Long texts are cut at the end of a character`() throws {
        let name = String(repeating: "ä", count: 63) + "xyz"
        let report = Messages.report(
            name: name, state: .exclusive(alsoTakes: false), plan: .exclusive(alsoTakes: false))
        guard case .node(let read) = try ServerMessage(decoding: ServerMessage.node(report).encoded) else {
            Issue.record("another kind")
            return
        }
        #expect(read.name == String(repeating: "ä", count: 63) + "xy")
        let families = String(repeating: "👨‍👩‍👧", count: 30)
        let refused = ServerMessage.refused(reason: families)
        #expect(
            try ServerMessage(decoding: refused.encoded)
                == .refused(reason: String(repeating: "👨‍👩‍👧", count: 400 / "👨‍👩‍👧".utf8.count)))
    }
}

/// Many messages that are almost valid, for both ends of the key socket.
@Suite struct ChangedMessagesTests {
    private static let cases = Volume.of(sample: 20_000, full: 1_000_000)

    @Test func `What a client says is of one form or refused`() {
        tryAll(Messages.client, kinds: 100..<107, seed: 21)
    }

    @Test func `What a server says is of one form or refused`() {
        tryAll(Messages.server, kinds: 0..<8, seed: 22)
    }

    private func tryAll<Kind: Message & Hashable>(_ messages: [Kind], kinds: Range<UInt16>, seed: UInt64) {
        let valid = messages.map(\.encoded)
        var random = SplitMix64(seed: seed)
        var taken = 0
        for number in 0..<Self.cases {
            let bytes =
                number.isMultiple(of: 4)
                ? ChangedMessages.random(of: kinds, &random) : ChangedMessages.next(of: valid, &random)
            guard let message = try? Kind(decoding: bytes) else { continue }
            taken += 1
            // An `#expect` per message would take longer than all the rest.
            if message.encoded != bytes { Issue.record("\(bytes) is taken as \(message)") }
        }
        #expect(taken > Self.cases / 100, "some are right still: \(taken)")
    }
}

@Suite struct ByteCodingTests {
    @Test func `Numbers are little-endian`() throws {
        var writer = ByteWriter()
        writer.put(UInt16(0x0102))
        writer.put(Int64(-2))
        writer.put(UInt64.max)
        #expect(writer.bytes.prefix(3) == [0x02, 0x01, 0xFE])
        var reader = ByteReader(writer.bytes[...])
        #expect(try reader.number(UInt16.self) == 0x0102)
        #expect(try reader.number(Int64.self) == -2)
        #expect(try reader.number(UInt64.self) == .max)
        try reader.finish()
        #expect(throws: MessageError.malformed) { _ = try reader.number(UInt8.self) }
    }

    /// (text, width, what is left of it)
    @Test(
        arguments: [
            ("", 4, ""), ("abcd", 4, "abcd"), ("abcde", 4, "abcd"), ("aä", 2, "a"), ("aä", 3, "aä"),
            ("👨‍👩‍👧", 17, ""), ("e\u{301}", 2, ""), ("\u{0}x", 4, ""),
        ] as [(String, Int, String)])
    func `Texts fill their width`(text: String, width: Int, rest: String) throws {
        var writer = ByteWriter()
        writer.put(text, width: width)
        #expect(writer.bytes.count == width)
        if text.utf8.contains(0) { return }
        var reader = ByteReader(writer.bytes[...])
        #expect(try reader.text(width: width) == rest)
    }

    @Test(
        arguments: [[0x61, 0, 0x61, 0], [0xFF, 0, 0, 0], [0xC3, 0, 0, 0], [0xED, 0xA0, 0x80, 0]] as [[UInt8]])
    func `What is no text is refused`(bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        #expect(throws: MessageError.malformed) { _ = try reader.text(width: 4) }
    }
}
