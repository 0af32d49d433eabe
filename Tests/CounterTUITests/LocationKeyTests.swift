import CounterModel
import Linux
import Testing

@testable import CounterTUI

/// Locations with keys of their own, and the target of a location, on the screens.
@Suite struct LocationKeyTests {
    private func key(_ letter: String) throws -> LocationKey { try #require(LocationKey(letter)) }

    private func screens(_ tab: Screens.Tab = .count) throws -> Screens {
        let screens = Screens(count: Sample.ordinary())
        screens.context.locations.offer(
            [
                .init(id: "robin", name: "Robin", key: try key("a")),
                .init(id: "wren", name: "Wren", key: try key("ö")),
            ], preferred: "robin")
        screens.count.keyed = [
            KeyedLocation(id: "robin", name: "Robin", key: try key("a"), count: 12),
            KeyedLocation(id: "wren", name: "Wren", key: try key("ö"), count: 3),
        ]
        screens.live.cards = [LiveState.card("robin", 12, of: nil), LiveState.card("wren", 3, of: nil)]
        screens.live.cards[0].key = try key("a")
        screens.live.cards[1].key = try key("ö")
        screens.select(tab)
        return screens
    }

    @Test(arguments: Screens.Tab.allCases)
    func `A letter counts up, its capital down, and both select the location`(tab: Screens.Tab) throws {
        let screens = try screens(tab)
        #expect(screens.type("ö") == ["count in at wren"])
        #expect(screens.context.locations.selected == "wren")
        #expect(screens.type("A") == ["count out at robin"])
        #expect(screens.context.locations.selected == "robin")
        #expect(screens.type("Öa") == ["count out at wren", "count in at robin"])
    }

    @Test func `Where something is typed or asked, the letters are text and answers`() throws {
        let screens = try screens(.timers)
        #expect(screens.type("nöa") == ["", "", ""])
        #expect(screens.context.field?.field.text == "öa")
        screens.context.ask(Question(title: "", subject: "", gist: "", paragraphs: []) {})
        #expect(screens.type("a") == [nil])
    }

    /// The screen, its letters, and the signs that stand for them where all are keys of locations.
    @Test(arguments: [(Screens.Tab.history, "ywmfxa"), (.admin, "cahlxf"), (.timers, "npsx")])
    func `A screen's own letter that counts in a location is a sign that its key line and help name`(
        tab: Screens.Tab, letters: String
    ) throws {
        let screens = try screens(tab)
        screens.timers.cards = TimersSample.ordinary.screens(at: 28).timers.cards
        screens.context.locations.offer([], preferred: "")
        let size = Size(columns: 200, rows: 60)
        func named() -> [String: String] {
            let named = screens.tabKeys(in: size).compactMap(\.help).map { ($0.meaning, $0.keys) }
            return Dictionary(named) { first, _ in first }
        }
        let before = named()
        let items = try letters.map {
            Location(id: Identifier(String($0)), name: "In \($0)", key: try key(String($0)))
        }
        screens.context.locations.offer(items, preferred: "a")
        for letter in letters {
            let upper = letter.uppercased()
            #expect(screens.type(String(letter)) == ["count in at \(letter)"])
            let meaning = try #require(before.first { $0.value == upper }?.key)
            let sign = try #require(named()[meaning])
            #expect(sign.count == 1 && "67890!".contains(sign), "\(meaning): \(sign)")
            let binding = try #require(screens.tabKeys(in: size).first { $0.help?.keys == sign })
            #expect(binding.label?.key ?? sign == sign)
            #expect([binding].characters == Set(sign))
        }
        #expect(Set(named().values).count == named().count)
    }

    @Test func `A click on a location with a key counts up there`() throws {
        let screens = try screens()
        let frame = screens.frame()
        let row = try #require(frame.grid.lines.firstIndex { $0.contains("[a Robin 12] [ö Wren 3]") })
        for column in 14..<24 {
            let effect = screens.effect(of: frame.action(at: Point(column: column, row: row)))
            #expect(effect == "count in at wren")
        }
        screens.count.mayChange = false
        let viewed = screens.frame()
        #expect(screens.effect(of: viewed.action(at: Point(column: 3, row: row))) == "")
        #expect(screens.context.locations.selected == "robin")
    }

    @Test(arguments: [(40, 12), (40, 24), (60, 12), (80, 24), (120, 40), (250, 70)], 4...18)
    func `Of the locations that have no room it is said how many they are`(
        size: (columns: Int, rows: Int), count: Int
    ) throws {
        let screens = Screens(count: Sample.ordinary())
        let letters = Array("abcfghijklmnpswxyz".prefix(count))
        screens.count.keyed = try letters.map {
            let letter = String($0)
            return KeyedLocation(
                id: Identifier(letter), name: "Species \(letter)", key: try key(letter), count: 12)
        }
        let text = screens.lines(size.columns, size.rows).joined(separator: "\n")
        let shown = letters.count { text.contains("[\($0) Species") }
        let rest = try #/\+(\d+) more/#.firstMatch(in: text).flatMap { Int($0.1) } ?? 0
        #expect(shown > 0 && shown + rest == count, "\(text)")
    }

    @Test func `The help names the keys`() throws {
        let screens = try screens()
        screens.type("?")
        screens.count.maySpeak = true
        func lines(with text: String) -> [String] {
            let lines = screens.lines()
            return lines.filter { $0.contains(text) }
        }
        #expect(lines(with: "a, A            count up, count down in Robin").count == 1)
        #expect(lines(with: "in Robin").count == 1 && lines(with: "say the count").count == 1)
        screens.count.mayChange = false
        #expect(lines(with: "in Robin").isEmpty && lines(with: "say the count").count == 1)
    }

    @Test func `The key that says the count is no letter, so that each free letter can be a location's`()
        throws
    {
        let screens = try screens()
        screens.context.locations.offer(
            [.init(id: "wren", name: "Wren", key: try key("s"))], preferred: "wren")
        #expect(screens.type(".") == [nil])
        screens.count.maySpeak = true
        #expect(screens.type("s.S") == ["count in at wren", "say", "count out at wren"])
        #expect(Screens.refusal(of: try key("s")) == nil)
    }

    @Test(arguments: Array("+=-rudvteqo?[]0123456789"))
    func `A key that Count, Live or every screen uses is refused`(character: Character) throws {
        guard let key = LocationKey(String(character)) else { return }
        #expect(Screens.refusal(of: key) != nil)
        #expect(throws: FieldProblem.self) { try typed(character) }
    }

    @Test(arguments: Array("aswxfghjklzcnmäж"))
    func `All other letters can be keys`(character: Character) throws {
        let key = try #require(LocationKey(String(character)))
        #expect(Screens.refusal(of: key) == nil)
        #expect(try typed(Character(character.uppercased())) == .key(key))
    }

    private func typed(_ character: Character) throws -> LocationSetting {
        try LocationSetting(.key, typed: String(character), refusal: Screens.refusal(of:))
    }

    @Test func `T asks for the target, and a viewer for nothing`() throws {
        let screens = try screens()
        screens.count.state = CounterState(1234, target: 50, at: "robin")
        #expect(screens.type("t0") == ["", ""])
        #expect(screens.press(.key(.enter)) == "set \(LocationSetting.target(500)) of robin")
        screens.context.closeField()
        screens.type("t\u{15}")
        #expect(screens.press(.key(.enter)) == "set \(LocationSetting.target(nil)) of robin")
        screens.context.closeField()
        screens.count.mayChange = false
        #expect(screens.type("t") == ["refuse"])
        #expect(screens.context.overlay == nil)
    }

    @Test(arguments: [
        (0, 50, "░░░░░░░░░░  0 of 50  50 left"), (24, 50, "████░░░░░░  24 of 50  26 left"),
        (49, 50, "█████████░  49 of 50  1 left"), (50, 50, "██████████  50 of 50  target reached"),
        (77, 50, "██████████  77 of 50  target reached"), (-3, 50, "░░░░░░░░░░  -3 of 50  53 left"),
        (Int.max, Int.max, "██████████  9223372036854775807 of 9223372036854775807  target reached"),
        (
            Int.min, Int.max,
            "░░░░░░░░░░  -9223372036854775808 of 9223372036854775807  18446744073709551615 left"
        ),
    ])
    func `The bar is full when the target is reached, and not before`(count: Int, target: Int, text: String) {
        let bar = ProgressBar(count: count, target: target, theme: Theme(.best))
        #expect(bar.line(columns: text.count).map(\.text).joined() == text)
        // Without room for a bar of five columns there is none.
        let facts = String(text.dropFirst(12))
        #expect(bar.line(columns: facts.count + 6).map(\.text).joined() == facts)
        #expect(bar.line(columns: 3).map(\.text).joined() == "\(count) of \(target)")
    }
}
