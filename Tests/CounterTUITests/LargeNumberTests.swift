import Testing

@testable import CounterTUI

@Suite("Large numbers") struct LargeNumberTests {
    private func lines(_ value: Int, _ columns: Int, _ rows: Int, _ glyphs: Capabilities.Glyphs) -> [String] {
        LargeNumber(value, in: Size(columns: columns, rows: rows), glyphs: glyphs).rows.map {
            String($0.map(\.character))
        }
    }

    @Test func smallestBlocks() {
        #expect(
            lines(1_234_567_890, 39, 4, .quadrants) == [
                "▀█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█ █▀█",
                " █  █▀▀ ▝▀█ ▀▀█ ▀▀█ █▀█  ▐▌ █▀█ ▀▀█ █ █",
                "▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀  ▀  ▀▀▀ ▀▀▀ ▀▀▀",
            ])
    }

    @Test func smallBlocks() {
        #expect(
            lines(1_234_567_890, 59, 16, .quadrants) == [
                "▀▀█   ▀▀▀▀▙ ▀▀▀▀▙ █   █ █▀▀▀▀ ▟▀▀▀▀ ▀▀▀▀█ ▟▀▀▀▙ ▟▀▀▀▙ ▟▀▀▀▙",
                "  █       █     █ █   █ █     █        ▟▌ █   █ █   █ █   █",
                "  █   ▗▄▄▄▛  ▄▄▄▛ ▜▄▄▄█ █▄▄▄▖ █▄▄▄▖   ▗▛  ▜▄▄▄▛ ▜▄▄▄█ █   █",
                "  █   █         █     █     █ █   █   ▟▘  █   █     █ █   █",
                "  █   █         █     █     █ █   █  ▐▛   █   █     █ █   █",
                "▀▀▀▀▀ ▀▀▀▀▀ ▀▀▀▀▘     ▀ ▀▀▀▀▘ ▝▀▀▀▘  ▀    ▝▀▀▀▘ ▀▀▀▀▘ ▝▀▀▀▘",
            ])
    }

    @Test func ascii() {
        #expect(
            lines(1_234_567_890, 60, 16, .ascii) == [
                "###   ##### ##### #   # ##### ##### ##### ##### ##### #####",
                "  #       #     # #   # #     #         # #   # #   # #   #",
                "  #   #####  #### ##### ##### #####    #  ##### ##### #   #",
                "  #   #         #     #     # #   #   #   #   #     # #   #",
                "##### ##### #####     # ##### #####  #    ##### ##### #####",
            ])
    }

    @Test func signedInHalves() {
        #expect(
            lines(-12, 20, 6, .halves) == [
                "      ████   ██████▄",
                "        ██        ██",
                "▄▄▄▄    ██    ▄▄▄▄██",
                "▀▀▀▀    ██   ██▀▀▀▀ ",
                "        ██   ██     ",
                "      ██████ ███████",
            ])
    }

    @Test func sixDigitsAndASignAreSevenRowsHighOnAnOrdinaryTerminal() {
        for glyphs in [Capabilities.Glyphs.quadrants, .halves, .ascii] {
            for level in [999_999, -999_999, 100_000] {
                let number = LargeNumber(level, in: Size(columns: 78, rows: 13), glyphs: glyphs)
                #expect(number.rows.count >= 7)
            }
        }
    }

    @Test func everyDigitHasTheSameWidth() {
        for glyphs in [Capabilities.Glyphs.quadrants, .halves, .ascii] {
            let widths = Set((0...9).map { lines(1_000 + $0, 100, 30, glyphs).first?.count })
            #expect(widths.count == 1)
        }
    }

    @Test func digitsDifferFromEachOtherAtEverySize() {
        for glyphs in [Capabilities.Glyphs.quadrants, .halves, .ascii] {
            for columns in 3...40 {
                let all = Set((0...9).map { lines($0, columns, 30, glyphs) })
                #expect(all.count == 10, "\(glyphs) in \(columns) columns")
            }
        }
    }

    @Test func plainDigitsWhereBlocksDoNotFit() {
        #expect(lines(.max, 40, 12, .quadrants) == ["9223372036854775807"])
        #expect(lines(123, 3, 2, .quadrants) == ["123"])
    }

    @Test func plainDigitsBreakEvenly() {
        #expect(lines(.max, 18, 5, .quadrants) == ["9223372036", "854775807 "])
        #expect(lines(.min, 18, 5, .quadrants) == ["-922337203", "6854775808"])
    }

    @Test func whatIsMissingIsMarked() {
        #expect(lines(1234, 3, 1, .quadrants) == ["…34"])
        #expect(lines(1234, 3, 1, .ascii) == ["*34"])
        #expect(lines(1234, 1, 1, .quadrants) == ["…"])
        #expect(lines(7, 1, 1, .quadrants) == ["7"])
        #expect(lines(7, 0, 1, .quadrants) == [])
    }
}
