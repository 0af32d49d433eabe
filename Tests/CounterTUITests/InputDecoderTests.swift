import Testing

@testable import CounterTUI

@Suite("Input decoder") struct InputDecoderTests {
    private let mouse = InputDecoder.Code.mouse
    private let oldMouse = InputDecoder.Code.oldMouse

    private func events(_ codes: [CInt], _ decoder: inout InputDecoder) -> [TerminalEvent] {
        codes.compactMap { decoder.feed($0) } + [decoder.finish()].compactMap(\.self)
    }

    private func events(_ codes: [CInt]) -> [TerminalEvent] {
        var decoder = InputDecoder()
        return events(codes, &decoder)
    }

    private func report(_ text: String) -> [CInt] { [mouse] + text.utf8.map(CInt.init) }

    private let place = TerminalEvent.click(Point(column: 2, row: 3))

    @Test func pressAndReleaseAreOneClick() {
        #expect(events(report("0;3;4M") + report("0;3;4m")) == [place])
        #expect(
            events(report("0;3;4M") + report("0;3;4m") + report("0;3;4M") + report("0;3;4m")) == [
                place, place,
            ])
    }

    @Test func aPressAloneAndAReleaseAloneAreClicks() {
        #expect(events(report("0;3;4M") + report("0;3;4M")) == [place, place])
        #expect(events(report("0;3;4m") + report("0;3;4m")) == [place, place])
    }

    @Test func otherButtonsWheelAndMovementAreNoClicks() {
        for report in ["1;3;4M", "2;3;4M", "64;3;4M", "65;3;4M", "32;3;4M", "35;3;4M"] {
            #expect(events(self.report(report)).isEmpty)
        }
        #expect(events(report("16;3;4M")) == [place])
    }

    @Test func brokenReportsAreDropped() {
        for report in ["0;3M", ";;M", "0;0;0M", "0;3;4;5M", "0;3;99999999999999999999M", "x"] {
            var decoder = InputDecoder()
            _ = events(self.report(report), &decoder)
            // Whatever is left of it must not stay inside: the next key is a key.
            _ = events([0x78, 0x78], &decoder)
            #expect(decoder.feed(0x2B) == .character("+"))
        }
    }

    @Test func reportsOfOldTerminals() {
        #expect(events([oldMouse, 32, 35, 36, oldMouse, 35, 35, 36]) == [place])
        #expect(events([oldMouse, 96, 35, 36]).isEmpty)
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
    }

    @Test func keysAndFocus() {
        #expect(
            events([InputDecoder.Code.focusGained, InputDecoder.Code.focusLost]) == [
                .focusGained, .focusLost,
            ])
        #expect(events([0x09, 0x0D, 0x0A, 0x1B]) == [.key(.tab), .key(.enter), .key(.enter), .key(.escape)])
    }

    @Test(arguments: [
        "\u{1B}[57438u", "\u{1B}[114;5u", "\u{1B}[27;5;114~", "\u{1B}[12;40R", "\u{1B}[?62;22c", "\u{1B}Or",
        "\u{1B}r", "\u{1B}[200~qru++\u{1B}[A\u{1B}[201~", "\u{1B}[200~\u{1B}\u{1B}[201~",
    ])
    func whatIsNotKnownMeansNothing(sequence: String) {
        let codes = sequence.utf8.map(CInt.init)
        #expect(events(codes + [0x2B]) == [.character("+")])
        // It may come in pieces; only a lone Escape is told from the rest by time.
        for cut in 2...codes.count {
            var decoder = InputDecoder()
            let first = events(Array(codes[..<cut]), &decoder).filter { $0 != .key(.escape) }
            #expect(
                first + events(codes[cut...] + [0x2B], &decoder) == [.character("+")]
                    || codes[cut - 1] == 0x1B)
        }
    }

    @Test func nothingBreaksIt() {
        var seed: UInt64 = 42
        var decoder = InputDecoder()
        for _ in 0..<100_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            _ = decoder.feed(CInt((seed >> 33) % 0x1010))
        }
    }
}
