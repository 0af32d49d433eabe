import Testing

@testable import CounterTUI

@Suite("Input decoder") struct InputDecoderTests {
    private let mouse = InputDecoder.Code.mouse
    private let oldMouse = InputDecoder.Code.oldMouse

    private func events(_ codes: [CInt], _ decoder: inout InputDecoder) -> [TerminalEvent] {
        codes.compactMap { decoder.feed($0) }
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
        #expect(events([0x1B, 0x09, 0x0D, 0x0A]) == [.key(.escape), .key(.tab), .key(.enter), .key(.enter)])
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
