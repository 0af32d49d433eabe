import TestSupport
import Testing

@testable import KeyProtocol

/// Many messages that are almost valid, for both ends of the key socket.
@Suite struct ChangedMessagesTests {
    private static let cases = Volume.of(sample: 20_000, full: 1_000_000)

    @Test func whatAClientSaysIsOfOneFormOrRefused() { tryAll(Messages.client, seed: 21) }

    @Test func whatAServerSaysIsOfOneFormOrRefused() { tryAll(Messages.server, seed: 22) }

    private func tryAll<Kind: Message & Hashable>(_ messages: [Kind], seed: UInt64) {
        let valid = messages.map(\.encoded)
        var random = SplitMix64(seed: seed)
        var taken = 0
        for _ in 0..<Self.cases {
            let bytes = ChangedMessages.next(of: valid, &random)
            guard let message = try? Kind(decoding: bytes) else { continue }
            taken += 1
            // An `#expect` per message would take longer than all the rest.
            if message.encoded != bytes { Issue.record("\(bytes) is taken as \(message)") }
        }
        #expect(taken > Self.cases / 100, "some are right still: \(taken)")
    }
}

/// Makes messages that are almost valid.
enum ChangedMessages {
    /// A changed valid message, mostly of a size that is parsed.
    static func next(of valid: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = valid[random.below(valid.count)]
        let size = bytes.count
        if random.below(2) == 0 {
            for _ in 0...random.below(3) {
                bytes[random.below(size)] = UInt8(truncatingIfNeeded: random.next())
            }
            return bytes
        }
        bytes = Mutation.of(bytes, splicing: valid[random.below(valid.count)], &random)
        guard random.below(4) != 0 else { return bytes }
        return Array((bytes + [UInt8](repeating: 0, count: size)).prefix(size))
    }
}
