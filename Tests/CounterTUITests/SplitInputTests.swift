import TestSupport
import Testing

@testable import CounterTUI

/// What a terminal sends by itself, split at any byte.
@Suite("Split input") struct SplitInputTests {
    private static let keys = KeyDefinitions { text in
        let known: [String: TerminalEvent.Key?] = [
            "\u{1B}[7~": .home, "\u{1B}[[A": nil, "\u{1B}OA": .up, "\u{1B}[H": .end,
        ]
        if let key = known[text] { return .key(key) }
        return known.keys.contains { $0.hasPrefix(text) } ? .beginning : .none
    }

    private func events(_ bytes: [UInt8], keys: KeyDefinitions = keys) -> [TerminalEvent] {
        var decoder = InputDecoder(keys: keys)
        return bytes.compactMap { decoder.feed($0) }
    }

    private func events(_ text: String) -> [TerminalEvent] { events(Array(text.utf8)) }

    private static let introducers: [[UInt8]] = [
        [0x1B, 0x5D], [0x1B, 0x50], [0x1B, 0x58], [0x1B, 0x5E], [0x1B, 0x5F],
        [0x9D], [0x90], [0x98], [0x9E], [0x9F], [0xC2, 0x9D], [0xC2, 0x90], [0xC2, 0x98], [0xC2, 0x9E],
        [0xC2, 0x9F],
    ]
    private static let terminators: [[UInt8]] = [[0x1B, 0x5C], [0x9C], [0xC2, 0x9C], [0x18], [0x1A]]

    @Test(arguments: introducers, terminators)
    func `A string is swallowed up to its end, and keys are keys again`(introducer: [UInt8], end: [UInt8]) {
        let text = Array("11;rgb:0000/rrrr/++--\u{3}q\u{1B}[A\u{1B}\u{1B}é✜音 \r\n".utf8)
        #expect(events(introducer + text + end + [0x2B]) == [.character("+")])
    }

    @Test func `BEL ends a command and no other string`() {
        #expect(events("\u{1B}]11;rgb:r\u{7}+") == [.character("+")])
        #expect(events("\u{1B}Pr\u{7}+\u{1B}\\-") == [.character("-")])
        #expect(events([0x9D, 0x72, 0x07, 0x2B]) == [.character("+")])
    }

    @Test(arguments: [
        "?62;22c", "12;40R", ">0;276;0c", "?1;2c", "8;24;80t", "?2026;2$y", "6;1q", "0n", "?997;1n", "[A",
        "c",
        "0;0;0#r", String(repeating: "1;", count: 500) + "r", "1\u{3}2\u{7}r",
    ])
    func `A control sequence that means nothing does nothing in any form`(body: String) {
        for introducer in [[0x1B, 0x5B], [0x9B], [0xC2, 0x9B]] as [[UInt8]] {
            #expect(events(introducer + Array(body.utf8) + [0x2B]) == [.character("+")])
        }
    }

    @Test func `The 8-bit form of a key is the key`() {
        #expect(
            events([0x9B, 0x41, 0xC2, 0x9B, 0x42, 0x8F, 0x43]) == [.key(.up), .key(.down), .key(.right)])
        #expect(
            events([0x9B] + Array("200~q".utf8) + [0x9B] + Array("201~+".utf8)) == [
                .pasted("q"), .character("+"),
            ])
    }

    @Test func `A sequence is cancelled, or broken off by another`() {
        #expect(events("\u{1B}[12\u{18}+\u{1B}[1\u{1A}-") == [.character("+"), .character("-")])
        #expect(events([0x1B, 0x5B, 0x31, 0x9B, 0x41]) == [.key(.up)])
        #expect(events("\u{1B}[57\u{1B}[B") == [.key(.down)])
        #expect(events("\u{1B}[1\u{1B}]r\u{7}+") == [.character("+")])
    }

    @Test func `What is a key of this terminal is that key`() {
        #expect(events("\u{1B}[7~\u{1B}OA\u{1B}[H") == [.key(.home), .key(.up), .key(.end)])
        // The letter after the second bracket is no key of its own.
        #expect(events("\u{1B}[[A\u{1B}[[B+") == [.character("+")])
    }

    @Test func `Where nothing more comes, what has come in part is given up`() {
        for begun in ["\u{1B}[", "\u{1B}[1;2", "\u{1B}O", "\u{1B}]11;r", "\u{1B}P", "\u{1B}[M!", "\u{1B}[["] {
            var decoder = InputDecoder(keys: Self.keys)
            #expect(begun.utf8.compactMap { decoder.feed($0) }.isEmpty)
            #expect(decoder.wait == .rest)
            #expect(decoder.giveUp() == nil && decoder.wait == nil)
            #expect(decoder.feed(0x2B) == .character("+"))
        }
    }

    @Test func `A string whose beginning was torn apart is one`() {
        var decoder = InputDecoder()
        #expect(decoder.feed(0x1B) == nil && decoder.giveUp() == .key(.escape) && decoder.wait == nil)
        #expect("]11;rgb:rr\u{7}".utf8.compactMap { decoder.feed($0) }.isEmpty)
        #expect(decoder.feed(0x2B) == .character("+"))
        // Not if the first Escape was long ago.
        #expect(decoder.feed(0x1B) == nil && decoder.giveUp() == .key(.escape))
        decoder.forgetEscape()
        #expect(decoder.feed(0x5D) == .character("]"))
    }

    @Test(arguments: ["[", "]", "P", "X"])
    func `A key that is typed soon after Escape is that key, and swallows nothing`(key: Character) throws {
        var decoder = InputDecoder()
        #expect(decoder.feed(0x1B) == nil && decoder.giveUp() == .key(.escape))
        #expect(decoder.feed(try #require(key.asciiValue)) == nil && decoder.wait == .escape)
        #expect(decoder.giveUp() == .character(key) && decoder.wait == nil)
        #expect(decoder.feed(0x2B) == .character("+"))
    }

    @Test func `Strings never do anything, whatever is in them`() {
        var random = SplitMix64(seed: 13)
        for _ in 0..<20_000 {
            let introducer = Self.introducers[Int(random.next() % UInt64(Self.introducers.count))]
            let body = (0..<(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let text = body.filter { ![0x07, 0x18, 0x1A, 0x5C, 0x9C].contains($0) }
            var decoder = InputDecoder(keys: Self.keys)
            let inside = (introducer + text).compactMap { decoder.feed($0) }
            #expect(inside.isEmpty, "\(introducer + text)")
            // An incomplete character ends with CAN.
            #expect([0x18, 0x2B].compactMap { decoder.feed($0) } == [.character("+")])
        }
    }
}
