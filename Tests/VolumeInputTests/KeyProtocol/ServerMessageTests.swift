import Linux
import TestSupport
import Testing

@testable import KeyProtocol

@Suite struct ServerMessageTests {
    @Test(arguments: Messages.server)
    func everyKindComesOutAsItWentInAndNothingElseComesIn(message: ServerMessage) {
        #expect(Messages.faults(of: message) == [])
    }

    /// A key message, which is sent for every frame, has at most 64 bytes.
    @Test func keyMessagesAreShort() {
        let message = ServerMessage.frame(
            number: 1, Messages.frame(KeyChanges([KeyChange(.up, isDown: true)])))
        #expect(message.encoded.count == 64)
    }

    @Test func anotherVersionIsNamed() {
        for message in Messages.server {
            var bytes = message.encoded
            bytes[4] = 2
            #expect(throws: MessageError.version(2)) { _ = try ServerMessage(decoding: bytes) }
        }
        let words = "the other program speaks version 2 of the key messages, this one 1"
        #expect("\(MessageError.version(2))" == words)
    }

    @Test func aClientsMessageIsNone() {
        for message in Messages.client {
            #expect(throws: MessageError.malformed) { _ = try ServerMessage(decoding: message.encoded) }
        }
    }

    /// Only stamps to which the recogniser can add its settings without overflow are valid.
    @Test(arguments: [-1, Int64.min, Int64.max, Int64.max / 4 + 1])
    func stampsThatNoClockShowsAreRefused(microseconds: Int64) {
        let stamp = MonotonicTime(microseconds: microseconds)
        let node = NodeID(rawValue: 1)
        var frame = Messages.frame(KeyChanges([KeyChange(.up, isDown: true)]))
        frame.stamp = stamp
        let messages: [ServerMessage] = [
            .frame(number: 1, frame), .nodeGone(node, at: stamp), .interrupted(at: stamp, .otherSession),
            .resynchronized(node, down: [], at: stamp),
        ]
        for message in messages {
            #expect(throws: MessageError.malformed) { _ = try ServerMessage(decoding: message.encoded) }
        }
    }

    @Test func aFrameWithoutAChangeIsRefused() {
        let empty = ServerMessage.frame(number: 1, Messages.frame(KeyChanges()))
        #expect(throws: MessageError.malformed) { _ = try ServerMessage(decoding: empty.encoded) }
    }

    @Test func longTextsAreCutAtTheEndOfACharacter() throws {
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

    @Test func randomBytesAreNoMessage() {
        var random = SplitMix64(seed: 1)
        for number in 0..<4000 {
            var bytes = (0..<[0, 8, 63, 64, 512].randomElement(using: &random).unsafelyUnwrapped).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
            // Half of them have a valid header.
            if number.isMultiple(of: 2), bytes.count >= 8 {
                let header = MessageHeader.begin(kind: UInt16(random.below(8))).bytes
                bytes.replaceSubrange(0..<8, with: header)
            }
            guard let message = try? ServerMessage(decoding: bytes) else { continue }
            #expect(message.encoded == bytes, "what is accepted has one form")
        }
    }
}
