import Linux
import Testing

@testable import CounterTUI

@Suite("Grid") struct GridTests {
    private func grid(_ columns: Int, _ rows: Int = 1) -> Grid {
        Grid(size: Size(columns: columns, rows: rows))
    }

    @Test func writesAndCutsOffAtTheEdges() {
        var grid = grid(5, 2)
        grid.write("abcdefg", at: Point(column: 2, row: 0))
        grid.write("xyz", at: Point(column: -1, row: 1))
        grid.write("nowhere", at: Point(column: 0, row: 2))
        #expect(grid.lines == ["  abc", "yz"])
    }

    @Test func wideCharactersTakeTwoCells() {
        var grid = grid(4)
        let behind = grid.write("音a", at: Point(column: 0, row: 0))
        #expect(behind == 3)
        #expect(grid[Point(column: 1, row: 0)].character == nil)
        #expect(grid.lines == ["音a"])
    }

    @Test func aCharacterKeepsThreeMarks() {
        var grid = grid(4)
        let text = "e\u{301}\u{323}\u{331}"
        #expect(grid.write("a\(text)\u{302}b", at: Point(column: 0, row: 0)) == 3)
        #expect(grid[Point(column: 1, row: 0)].character == Character(text))
        #expect(grid.lines == ["a\(text)b"])
    }

    @Test func aWideCharacterIsNeverCutInHalf() {
        var grid = grid(3)
        grid.write("a音音", at: Point(column: 0, row: 0))
        #expect(grid.lines == ["a音"])
        grid.write("b", at: Point(column: 2, row: 0))
        #expect(grid.lines == ["a b"])
        grid.write("音", at: Point(column: 0, row: 0))
        grid.write("c", at: Point(column: 0, row: 0))
        #expect(grid.lines == ["c b"])
        grid.write("音", at: Point(column: 2, row: 0))
        #expect(grid.lines == ["c"])
    }

    @Test(arguments: [
        ("plain", "plain"), ("tab\there", "tab?here"), ("\u{1B}[31mred\u{7}", "?[31mred?"),
        ("c1\u{9B}2J", "c1?2J"),
        ("bidi\u{202E}x", "bidix"), ("a\r\nb", "a?b"), ("e\u{301}", "e\u{301}"), ("\u{301}alone", "?alone"),
        ("👩‍👩‍👧", "👩"), ("\u{E000}", "?"), ("no\u{A0}break", "no break"), ("line\u{2028}end", "line?end"),
    ])
    func harmlessText(text: String, expected: String) {
        #expect(text.sanitised == expected)
    }

    @Test func harmlessTextHasNoControlCharacterWhateverItWas() {
        for value in UInt32(0)..<0x3_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(Character(scalar)).sanitised
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        }
    }

    @Test func truncatesByColumns() {
        #expect("abcdef".truncated(to: 6, ellipsis: "…") == "abcdef")
        #expect("abcdef".truncated(to: 4, ellipsis: "…") == "abc…")
        #expect("音音音".truncated(to: 4, ellipsis: "…") == "音…")
        #expect("abc".truncated(to: 0, ellipsis: "…") == "")
        #expect("Place 18".shortened(to: 8, ellipsis: "…") == "Place 18")
        #expect("Place 18".shortened(to: 6, ellipsis: "…") == "Pla…18")
        #expect("Place 18".shortened(to: 3, ellipsis: "…") == "P…8")
        #expect("音音音音".shortened(to: 6, ellipsis: "…") == "音…音")
        #expect("Place".shortened(to: 2, ellipsis: "…") == "P…")
    }

    @Test func wrapsAtSpaces() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("abcdefghij k".wrapped(to: 4) == ["abcd", "efgh", "ij k"])
        #expect("".wrapped(to: 4) == [])
    }

    @Test func widths() {
        #expect(CharacterWidth.columns("aé…█") == 4)
        #expect(CharacterWidth.columns("シ音👩") == 6)
        // What terminals draw in different widths is reduced to what they agree on.
        #expect("🇩🇪a".sanitised == "🇩🇪a" && CharacterWidth.columns("🇩🇪a".sanitised) == 3)
        #expect("👩‍👩‍👧👍🏽❤️".sanitised == "👩👍❤" && CharacterWidth.columns("👩👍❤") == 5)
        #expect("\u{1F1E9}".sanitised == "?" && CharacterWidth.columns("1️⃣".sanitised) == 1)
    }
}
