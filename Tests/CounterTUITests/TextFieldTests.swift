import Testing

@testable import CounterTUI

@Suite("Text field") struct TextFieldTests {
    private func field(_ start: String = "", _ events: [TerminalEvent]) -> TextField {
        var field = TextField(start)
        for event in events { _ = field.edit(event) }
        return field
    }

    private func typed(_ text: String) -> [TerminalEvent] { text.map(TerminalEvent.character) }

    @Test func whatIsTypedComesAtTheCursor() {
        let result = field("2026-1-01", typed("!") + [.key(.home), .key(.right)] + typed("é"))
        #expect(result.text == "2é026-1-01!")
        #expect(result.before == "2é")
    }

    @Test func charactersGoBeforeTheCursorAndUnderIt() {
        #expect(field("abc", [.key(.left), .character("\u{7F}")]).text == "ac")
        #expect(field("abc", [.key(.left), .character("\u{8}")]).before == "a")
        #expect(field("abc", [.key(.home), .key(.delete), .key(.end), .key(.delete)]).text == "bc")
        #expect(field("abc", [.key(.home), .character("\u{7F}")]).text == "abc")
        #expect(field("abc", [.character("\u{15}")]) == TextField())
    }

    @Test func theCursorStaysWithinTheText() {
        #expect(field("ab", [.key(.right)]).before == "ab")
        #expect(field("ab", Array(repeating: .key(.left), count: 5)).after == "ab")
    }

    /// The events of a text, scalar by scalar, as terminals send it.
    private func sent(_ text: String) -> [TerminalEvent] {
        text.unicodeScalars.map { .character(Character($0)) }
    }

    @Test(arguments: [
        "a\u{301}x", "हिन्दी ที่นี่", "می\u{200C}خواهم", "👨\u{200D}👩\u{200D}👧 ☕\u{FE0F}", "🇨🇭",
        "\u{202E}\u{E000}\u{2028}",
    ])
    func whatIsTypedIsKeptToTheLastScalar(text: String) {
        #expect(Array(field("", sent(text)).text.unicodeScalars) == Array(text.unicodeScalars))
        let between = field("ab", [.key(.left)] + sent(text))
        #expect(Array(between.text.unicodeScalars) == Array("a\(text)b".unicodeScalars))
        #expect(between.after == "b")
    }

    @Test func aMarkJoinsTheCharacterBeforeItAndGoesWithIt() {
        let result = field("", sent("e\u{301}x") + [.key(.left)])
        #expect(result.before == "e\u{301}")
        #expect(field("", sent("e\u{301}x") + [.key(.left), .character("\u{7F}")]).text == "x")
    }

    @Test func whatHasNoRoomIsRefusedAndTheFieldSaysSo() {
        var field = field("", typed(String(repeating: "x", count: TextField.capacity)))
        #expect(field.problem == nil)
        for event in [TerminalEvent.character("y"), .pasted("y")] {
            #expect(field.edit(event) == .refused)
            #expect(field.problem == TextField.isFull)
        }
        #expect(field.edit(.character("\u{7F}")) == .edited)
        #expect(field.problem == nil)
        #expect(field.edit(.character("y")) == .edited)
        #expect(field.text.count == TextField.capacity)
    }

    @Test func whatIsPastedIsTypedOnOneLine() {
        let pasted = TerminalEvent.pasted("Hall\t1\nEast\u{1B}[31m\u{85}\u{7F}\u{3}é")
        #expect(field("b", [.key(.home), pasted]).text == "Hall 1 East[31m éb")
    }

    @Test func ofALongTextTheEndIsShown() {
        let long = TextField(String(repeating: "界", count: TextField.capacity))
        let lines = box(long, .best).grid.lines
        #expect(lines.contains { $0.hasSuffix("界界   │") })
    }

    @Test func whatMeansNothingIsLeftToOthers() {
        var field = TextField("a")
        for event in typed("\u{3}\u{1B}\u{9B}") + [
            .key(.enter), .key(.escape), .key(.tab), .key(.up), .scroll(1),
        ] {
            #expect(field.edit(event) == nil)
        }
        #expect(field == TextField("a"))
    }

    @Test func aProblemGoesWithTheNextKey() {
        for event in [TerminalEvent.character("x"), .key(.left), .key(.delete)] {
            var field = TextField("a")
            field.problem = "no"
            _ = field.edit(event)
            #expect(field.problem == nil)
        }
    }

    @Test(arguments: [Capabilities.best, .least])
    func theBoxShowsThePartAroundTheCursor(capabilities: Capabilities) throws {
        var field = TextField("2026-11-01 14:00 to 2026-11-02 14:00:00+01:00")
        for _ in 0..<3 { _ = field.edit(.key(.left)) }
        try expectGolden(box(field, capabilities), "40x12/field.\(capabilities.name)")
        _ = field.edit(.character("\u{15}"))
        field.problem = "the range is empty"
        try expectGolden(box(field, capabilities), "40x12/field-problem.\(capabilities.name)")
    }

    private func box(_ field: TextField, _ capabilities: Capabilities) -> Frame {
        var frame = Frame(size: Size(columns: 40, rows: 12))
        var prompt = FieldPrompt(title: "Range", hint: "FROM to TO") { _ in }
        prompt.field = field
        FieldView(prompt: prompt, context: ScreenContext(), theme: Theme(capabilities)).draw(into: &frame)
        return frame
    }
}
