import TestSupport
import Testing

@testable import KeyProtocol

@Suite struct ClientMessageTests {
    @Test(arguments: Messages.client)
    func everyKindComesOutAsItWentInAndNothingElseComesIn(message: ClientMessage) {
        #expect(Messages.faults(of: message) == [])
    }

    @Test func anotherVersionIsNamed() {
        for message in Messages.client {
            var bytes = message.encoded
            bytes[5] = 3
            #expect(throws: MessageError.version(0x301)) { _ = try ClientMessage(decoding: bytes) }
        }
    }

    @Test func aServersMessageIsNone() {
        for message in Messages.server {
            #expect(throws: MessageError.malformed) { _ = try ClientMessage(decoding: message.encoded) }
        }
    }

    /// The server asks the kernel for exactly these keys: a code that is no key, or has two meanings, is refused.
    @Test(arguments: [
        KeyMeanings(up: [], down: [], reset: []), KeyMeanings(up: [115], down: [115], reset: []),
        KeyMeanings(up: [0x300], down: [], reset: []),
    ])
    func meaningsThatMakeNoSenseAreRefused(meanings: KeyMeanings) {
        let bytes = ClientMessage.configure(meanings).encoded
        #expect(throws: MessageError.malformed) { _ = try ClientMessage(decoding: bytes) }
    }

    @Test func randomBytesAreNoMessage() {
        var random = SplitMix64(seed: 2)
        for number in 0..<4000 {
            var bytes = (0..<(number.isMultiple(of: 3) ? 512 : 64)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
            bytes.replaceSubrange(0..<8, with: MessageHeader.begin(kind: UInt16(100 + random.below(7))).bytes)
            guard let message = try? ClientMessage(decoding: bytes) else { continue }
            #expect(message.encoded == bytes, "what is accepted has one form")
        }
    }
}
