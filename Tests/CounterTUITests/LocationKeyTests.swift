import CounterModel
import Testing

@testable import CounterTUI

/// Locations with keys of their own, and the target of a location, on the screens.
@Suite struct LocationKeyTests {
    private func key(_ letter: String) throws -> LocationKey { try #require(LocationKey(letter)) }

    private func model(_ tab: ScreensViewModel.Tab = .count) throws -> ScreensViewModel {
        var model = ScreensViewModel(count: Sample.ordinary())
        model.locations.offer(
            [.init(id: "robin", name: "Robin"), .init(id: "wren", name: "Wren")], preferred: "robin")
        model.count.keyed = [
            KeyedLocation(id: "robin", name: "Robin", key: try key("a"), count: 12),
            KeyedLocation(id: "wren", name: "Wren", key: try key("ö"), count: 3),
        ]
        model.live.cards = [LiveState.card("robin", 12, of: nil), LiveState.card("wren", 3, of: nil)]
        model.live.cards[0].key = try key("a")
        model.live.cards[1].key = try key("ö")
        if tab == .live { _ = model.type("2") }
        return model
    }

    @Test(arguments: [ScreensViewModel.Tab.count, .live])
    func `A letter counts up, its capital down, and both select the location`(tab: ScreensViewModel.Tab)
        throws
    {
        var model = try model(tab)
        #expect(model.type("ö") == [.count(.in, at: "wren")])
        #expect(model.locations.selected == "wren")
        #expect(model.type("A") == [.count(.out, at: "robin")])
        #expect(model.locations.selected == "robin")
        #expect(model.type("Öa") == [.count(.out, at: "wren"), .count(.in, at: "robin")])
    }

    @Test func `On other screens the letters mean what they mean there`() throws {
        var model = try model()
        #expect(model.type("4a").last != .count(.in, at: "robin"))
    }

    @Test func `A click on a location with a key counts up there`() throws {
        var model = try model()
        let frame = ScreensView(model, capabilities: .best).draw(size: Size(columns: 80, rows: 24))
        let row = try #require(frame.grid.lines.firstIndex { $0.contains("[a Robin 12] [ö Wren 3]") })
        for column in 14..<24 {
            #expect(
                model.intent(for: .click(Point(column: column, row: row)), on: frame)
                    == .count(.in, at: "wren"))
        }
        model.count.mayChange = false
        let viewed = ScreensView(model, capabilities: .best).draw(size: Size(columns: 80, rows: 24))
        #expect(viewed.intent(at: Point(column: 3, row: row)) == .selectLocation("robin"))
    }

    @Test func `The help names the keys`() throws {
        var model = try model()
        _ = model.type("?")
        let lines = ScreensView(model, capabilities: .best).draw(size: Size(columns: 80, rows: 24)).grid.lines
        #expect(lines.contains { $0.contains("a, A               up, down: Robin") })
    }

    @Test func `The key that says the count is no letter, so that each free letter can be a location's`()
        throws
    {
        var model = try model()
        model.count.keyed = try [KeyedLocation(id: "wren", name: "Wren", key: key("s"), count: 3)]
        #expect(model.type(".") == [nil])
        model.count.maySpeak = true
        #expect(model.type("s.S") == [.count(.in, at: "wren"), .say, .count(.out, at: "wren")])
        #expect(ScreensViewModel.refusal(of: try key("s")) == nil)
    }

    @Test(arguments: Array("+=-rudvteqo?[]0123456789"))
    func `A key that Count, Live or every frame uses is refused`(character: Character) throws {
        guard let key = LocationKey(String(character)) else { return }
        #expect(ScreensViewModel.refusal(of: key) != nil)
        #expect(throws: FieldProblem.self) { try LocationSetting(.key, typed: String(character)) }
    }

    @Test(arguments: Array("aswxfghjklzcnmäж"))
    func `All other letters can be keys`(character: Character) throws {
        let key = try #require(LocationKey(String(character)))
        #expect(ScreensViewModel.refusal(of: key) == nil)
        #expect(try LocationSetting(.key, typed: character.uppercased()) == .key(key))
        #expect(try LocationSetting(.key, typed: "none") == .key(nil))
    }

    @Test func `T asks for the target, and a viewer for nothing`() throws {
        var model = try model()
        model.count.locationId = "robin"
        model.count.target = 50
        #expect(model.type("t") == [.redraw])
        #expect(
            model.intents([.character("0"), .key(.enter)]).last
                == .admin(.change(.setting(.target(500), of: "robin"))))
        model.closeField()
        _ = model.type("t")
        let erased = Array(repeating: TerminalEvent.character("\u{7F}"), count: 3)
        #expect(
            model.intents(erased + [.key(.enter)]).last
                == .admin(.change(.setting(.target(nil), of: "robin"))))
        model.closeField()
        model.count.mayChange = false
        #expect(model.type("t") == [.askTarget])
        #expect(model.overlay == nil)
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
        let bar = TargetBar(count: count, target: target, theme: Theme(.best))
        #expect(bar.line(columns: text.count).map(\.text).joined() == text)
        // Without room for a bar of five columns there is none.
        let facts = String(text.dropFirst(12))
        #expect(bar.line(columns: facts.count + 6).map(\.text).joined() == facts)
        #expect(bar.line(columns: 3).map(\.text).joined() == "\(count) of \(target)")
    }
}
