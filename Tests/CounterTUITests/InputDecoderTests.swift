import KeyProtocol
import TestSupport
import Testing

@testable import CounterTUI

@Suite("Input decoder") struct InputDecoderTests {
    private func events(_ bytes: [UInt8], _ decoder: inout InputDecoder) -> [TerminalEvent] {
        bytes.compactMap { decoder.feed($0) }
            + [decoder.wait == .escape ? decoder.giveUp() : nil].compactMap(\.self)
    }

    private func events(_ bytes: [UInt8]) -> [TerminalEvent] {
        var decoder = InputDecoder()
        return events(bytes, &decoder)
    }

    private func events(_ text: String) -> [TerminalEvent] { events(Array(text.utf8)) }

    private static let place = TerminalEvent.click(Point(column: 2, row: 3))

    @Test(
        arguments: [
            // Press and release are one click, and either of them alone is one.
            ("\u{1B}[<0;3;4M\u{1B}[<0;3;4m", [place]),
            ("\u{1B}[<0;3;4M\u{1B}[<0;3;4m\u{1B}[<0;3;4M\u{1B}[<0;3;4m", [place, place]),
            ("\u{1B}[<0;3;4M\u{1B}[<0;3;4M", [place, place]),
            ("\u{1B}[<0;3;4m\u{1B}[<0;3;4m", [place, place]), ("\u{1B}[<16;3;4M", [place]),
            // The wheel, of old terminals too.
            ("\u{1B}[<64;3;4M\u{1B}[<65;3;4M", [.scroll(-1), .scroll(1)]),
            ("\u{1B}[<68;3;4M\u{1B}[<64;3;4m", [.scroll(-1)]),
            ("\u{1B}[M`#$\u{1B}[Ma#$", [.scroll(-1), .scroll(1)]),
            // Their clicks, and their other buttons.
            ("\u{1B}[M #$\u{1B}[M##$", [place]), ("\u{1B}[Mb#$", []),
            // Other buttons, and movement.
            ("\u{1B}[<1;3;4M\u{1B}[<2;3;4M\u{1B}[<66;3;4M\u{1B}[<67;3;4M", []),
            ("\u{1B}[<32;3;4M\u{1B}[<35;3;4M\u{1B}[<-64;3;4M", []),
        ] as [(String, [TerminalEvent])])
    func reportsOfTheMouse(reports: String, expected: [TerminalEvent]) {
        #expect(events(reports) == expected)
    }

    @Test func brokenReportsAreDropped() {
        for report in ["0;3M", ";;M", "0;0;0M", "0;3;4;5M", "0;3;99999999999999999999M", "x"] {
            var decoder = InputDecoder()
            _ = events(Array("\u{1B}[<\(report)".utf8), &decoder)
            // Whatever is left of it must be discarded: the next key is a key.
            _ = events([0x78, 0x78], &decoder)
            #expect(decoder.feed(0x2B) == .character("+"))
        }
    }

    @Test func charactersMayComeInPieces() {
        var decoder = InputDecoder()
        #expect(events([0xE2, 0x82], &decoder) == [])
        #expect(events([0xAC], &decoder) == [.character("€")])
    }

    @Test func brokenCharactersAreDroppedAndTheNextKeyIsKept() {
        #expect(events([0xE2, 0x2B]) == [.character("+")])
        #expect(events([0xFF, 0x80, 0xC0, 0x2B]) == [.character("+")])
        #expect(events([0xED, 0xA0, 0x80, 0x2B]) == [.character("+")])
        // With the Escape before them, which is no key then.
        #expect(events([0x1B, 0xFF, 0x2B]) == [.character("+")])
        #expect(events([0x1B, 0xED, 0xA0, 0x80, 0x2B]) == [.character("+")])
    }

    @Test(
        arguments: [
            ("\u{1B}[I\u{1B}[O", [.focusGained, .focusLost]),
            ("\t\r\n\u{1B}", [.key(.tab), .key(.enter), .key(.enter), .key(.escape)]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.key(.up), .key(.down), .key(.right), .key(.left)]),
            ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.key(.up), .key(.down), .key(.right), .key(.left)]),
            ("\u{1B}[H\u{1B}[1~\u{1B}[7~\u{1B}OH", Array(repeating: .key(.home), count: 4)),
            (
                "\u{1B}[F\u{1B}[4~\u{1B}[8~\u{1B}OF\u{1B}[3~",
                Array(repeating: .key(.end), count: 4) + [.key(.delete)]
            ),
            ("\u{1B}OM\u{1B}Ok\u{1B}Om", [.key(.enter), .character("+"), .character("-")]),
            ("\u{1B}[5~\u{1B}[6~\u{1B}[Z", [.key(.pageUp), .key(.pageDown), .key(.backTab)]),
            ("qQ+-=é音\u{3}", "qQ+-=é音\u{3}".map(TerminalEvent.character)),
        ] as [(String, [TerminalEvent])])
    func keysOfEveryTerminal(sequences: String, expected: [TerminalEvent]) {
        #expect(events(sequences) == expected)
    }

    @Test(
        arguments: [
            // Without modifiers, with Num Lock, repeated; and the keypad.
            ("\u{1B}[113u\u{1B}[113;1u\u{1B}[113;129u\u{1B}[113;1:2u", "qqqq".map(TerminalEvent.character)),
            ("\u{1B}[43u\u{1B}[45u\u{1B}[61:43;2u", "+-+".map(TerminalEvent.character)),
            ("\u{1B}[57413u\u{1B}[57412u\u{1B}[57415u", "+-=".map(TerminalEvent.character)),
            ("\u{1B}[27u\u{1B}[13u\u{1B}[57414u", [.key(.escape), .key(.enter), .key(.enter)]),
            ("\u{1B}[9u\u{1B}[9;2u", [.key(.tab), .key(.backTab)]),
            ("\u{1B}[1;1:1A\u{1B}[1;129B\u{1B}[1;1:2C", [.key(.up), .key(.down), .key(.right)]),
            ("\u{1B}[57419u\u{1B}[57420u\u{1B}[57417u", [.key(.up), .key(.down), .key(.left)]),
            ("\u{1B}[57418u\u{1B}[57421u\u{1B}[57422u", [.key(.right), .key(.pageUp), .key(.pageDown)]),
            ("\u{1B}[57423u\u{1B}[57424u\u{1B}[57426u", [.key(.home), .key(.end), .key(.delete)]),
            (
                "\u{1B}[57399u\u{1B}[57408u\u{1B}[57409u\u{1B}[127;2u",
                "09.\u{7F}".map(TerminalEvent.character)
            ),
            ("\u{1B}[5;1:1~\u{1B}[6;129~", [.key(.pageUp), .key(.pageDown)]),
            // Ctrl makes control characters, on a Cyrillic layout too.
            ("\u{1B}[99;5u\u{1B}[1089::99;5u", [.character("\u{3}"), .character("\u{3}")]),
            ("\u{1B}[122;5u\u{1B}[92;133u\u{1B}[108;5u", "\u{1A}\u{1C}\u{C}".map(TerminalEvent.character)),
            // Releases, and keys with Alt or Super, are ignored.
            ("\u{1B}[113;1:3u\u{1B}[99;5:3u\u{1B}[1;1:3A\u{1B}[5;1:3~\u{1B}[9;1:3u\u{1B}[27;1:3u", []),
            ("\u{1B}[113;3u\u{1B}[113;9u\u{1B}[1;3A\u{1B}[1;5A", []),
        ] as [(String, [TerminalEvent])])
    func keysByKittysProtocol(sequences: String, expected: [TerminalEvent]) {
        #expect(events(sequences) == expected)
    }

    @Test func volumeKeysHaveReleasesWhereTheTerminalTellsThem() {
        let keys = "\u{1B}[57439u\u{1B}[57439;1:2u\u{1B}[57438;129u\u{1B}[57438;1:3u\u{1B}[57439;2:3u"
        let changes = [(CountedKey.up, true), (.down, true), (.down, false), (.up, false)]
        #expect(
            events("\u{1B}[?7u" + keys) == changes.map { .volumeKey([KeyChange($0, isDown: $1)]) })
    }

    @Test(arguments: ["", "\u{1B}[?0u", "\u{1B}[?5u", "\u{1B}[?7u\u{1B}[?1u"])
    func volumeKeysAreTappedWhereItDoesNot(answer: String) {
        #expect(
            events(answer + "\u{1B}[57439u\u{1B}[57438;1u\u{1B}[57438;1:2u")
                == [CountedKey.up, .down].map { key in
                    .volumeKey([true, false].map { KeyChange(key, isDown: $0) })
                })
    }

    @Test(arguments: [
        "\u{1B}[57358u", "\u{1B}[114;7u", "\u{1B}[27;5;114~", "\u{1B}[12;40R", "\u{1B}[?62;22c", "\u{1B}Or",
        "\u{1B}r", "\u{1B}[200~\u{1B}\u{1B}[201~", "\u{1B}[113;1:9u",
        "\u{1B}[99999999999999999999u", "\u{1B}[;;;u", "\u{1B}[1 q", "\u{1B}[55296u",
        "\u{1B}[113;99999999999999999999u",
        "\u{1B}[\(String(repeating: "1", count: 62))u",
    ])
    func whatIsNotKnownMeansNothing(sequence: String) {
        let bytes = Array(sequence.utf8)
        #expect(events(bytes + [0x2B]) == [.character("+")])
        // The sequence may arrive in pieces; only a lone Escape is recognised by time.
        for cut in 2...bytes.count {
            var decoder = InputDecoder()
            let first = events(Array(bytes[..<cut]), &decoder).filter { $0 != .key(.escape) }
            #expect(
                first + events(bytes[cut...] + [0x2B], &decoder) == [.character("+")]
                    || bytes[cut - 1] == 0x1B)
        }
    }

    @Test func whatIsPastedIsNoKeyThoughItComesInPieces() {
        let text = "qé\r音\u{3}👨\u{200D}👩"
        let bytes = Array("\u{1B}[200~\(text)\u{1B}[20\u{1B}[201~+".utf8)
        let expected = [TerminalEvent.pasted(text), .character("+")]
        for cut in 2..<bytes.count where bytes[cut - 1] != 0x1B {
            var decoder = InputDecoder()
            #expect(
                events(Array(bytes[..<cut]), &decoder) + events(Array(bytes[cut...]), &decoder) == expected)
        }
        #expect(
            events(Array("\u{1B}[200~a".utf8) + [0xE2, 0x41, 0xFF] + Array("\u{1B}[201~b".utf8)) == [
                .pasted("aA"), .character("b"),
            ])
    }

    @Test func aPasteWithoutAnEndIsThrownAwayAndKeysAreKeysAgain() {
        var decoder = InputDecoder()
        #expect(events(Array("\u{1B}[200~rm -rf q+\u{1B}[A".utf8), &decoder).isEmpty)
        #expect(decoder.wait == .paste)
        #expect(decoder.giveUp() == .pasteCutOff)
        #expect(decoder.wait == nil)
        #expect(events(Array("q+".utf8), &decoder) == [.character("q"), .character("+")])
    }

    @Test(arguments: [true, false])
    func aPasteThatIsTooLongIsToldOnceAndItsRestIsNoTyping(ends: Bool) {
        var decoder = InputDecoder()
        let long = [UInt8](repeating: UInt8(ascii: "+"), count: PastedText.longest)
        #expect(events(Array("\u{1B}[200~".utf8) + long, &decoder).isEmpty)
        #expect(events(Array("+q+".utf8), &decoder) == [.pasteCutOff])
        #expect(decoder.wait == .rest)
        if ends {
            #expect(events(Array("\u{1B}[201~".utf8), &decoder).isEmpty)
        } else {
            #expect(decoder.giveUp() == nil)
        }
        #expect(events(Array("+".utf8), &decoder) == [.character("+")])
    }

    @Test func `Whatever has come, after a pause a key is that key`() {
        // Half of the bytes are those of control sequences.
        let pieces = Array("\u{1B}[O;:?<0123456789uMm~A".utf8)
        var random = SplitMix64(seed: 42)
        var decoder = InputDecoder()
        for number in 1...100_000 {
            let isPiece = random.below(2) == 0
            _ = decoder.feed(isPiece ? random.element(of: pieces) : UInt8(random.below(256)))
            guard number % 50 == 0 else { continue }
            _ = decoder.giveUp()
            decoder.forgetEscape()
            #expect(decoder.feed(UInt8(ascii: "+")) == .character("+"))
        }
    }
}
