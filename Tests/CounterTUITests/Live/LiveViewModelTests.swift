import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Keys and clicks of Live") struct LiveViewModelTests {
    @Test func countingByHandIsForTheLocationThatIsSelected() {
        let screens = LiveState.twelve.screens
        #expect(screens.context.locations.selected == "Café")
        #expect(
            screens.type("+=-uU") == [
                "count in at Café", "count in at Café", "count out at Café", "undo at Café",
                "redo at Café",
            ])
    }

    @Test func arrowsCountNothingHere() {
        let arrows: [TerminalEvent] = [.key(.up), .key(.down), .key(.left), .key(.right)]
        #expect(LiveState.ok.screens.press(arrows) == [nil, nil, nil, nil])
    }

    @Test func arrowsGoFromCardToCardAndStopAtTheEdges() {
        let screens = LiveState.twelve.screens
        let across = LiveTiling(12, in: Size(columns: 78, rows: 22)).across
        #expect(across > 1)
        let ids = screens.context.locations.all.map(\.id)
        _ = screens.press(.key(.down))
        #expect(screens.context.locations.selected == ids[2 + across])
        screens.press([.key(.up), .key(.up), .key(.left), .key(.left), .key(.left)])
        #expect(screens.context.locations.selected == ids[0])
        _ = screens.press(.key(.right))
        #expect(screens.context.locations.selected == ids[1])
    }

    @Test func enterMakesOneLargeAndEscapeShowsAll() {
        for back in [TerminalEvent.key(.escape), .character("o"), .character("O")] {
            let screens = LiveState.twelve.screens
            #expect(screens.press(.key(.enter)) == "")
            #expect(!screens.live.isOverview)
            #expect(screens.press(back) == "")
            #expect(screens.live.isOverview)
        }
    }

    @Test func arrowsGoToTheNextLocationWhereOneIsLarge() {
        let screens = LiveState.enlarged.screens
        #expect(screens.context.locations.selected == "South door")
        _ = screens.press(.key(.down))
        #expect(screens.context.locations.selected == "Café")
        #expect(!screens.live.isOverview)
    }

    @Test func aClickAnywhereOnACardMakesItLarge() throws {
        let screens = LiveState.twelve.screens
        let frame = screens.frame()
        for card in screens.live.cards where card.name.count < 12 {
            let corner = try place(of: card.name, in: frame.grid)
            for (columns, rows) in [(0, 0), (10, 1), (23, 3)] {
                _ = screens.press([.character("o"), .key(.home)])
                frame.action(at: Point(column: corner.column + columns, row: corner.row + rows))?()
                #expect(screens.context.locations.selected == card.id)
                #expect(!screens.live.isOverview)
            }
        }
    }

    /// The cell where a text begins.
    private func place(of text: String, in grid: Grid) throws -> Point {
        let points = (0..<grid.size.rows).flatMap { row in
            (0..<grid.size.columns).map { Point(column: $0, row: row) }
        }
        return try #require(
            points.first { point in
                String(grid.row(point.row).dropFirst(point.column).compactMap(\.character)).hasPrefix(text)
            })
    }

    @Test func aViewerHasNoButtonsThatChange() {
        let screens = LiveState.viewer.screens
        let lines = screens.lines()
        #expect(lines[23].trimmed.hasPrefix("read only  "))
        #expect(lines[23].hasSuffix("  [? Help] [Q Quit]"))
        #expect(lines.joined().ranges(of: "read only").count == 1)
        screens.type("?")
        #expect(!screens.lines().contains { $0.contains("count") && !$0.contains("Count") })
    }

    @Test func `On a wall nothing is said of keys, though they work`() {
        let screens = LiveState.viewer.screens
        screens.isOnWall = true
        for (columns, rows) in Sample.places + [(250, 70)] {
            let lines = screens.lines(columns, rows)
            let text = lines.joined(separator: "\n")
            #expect(!text.contains { "[]()?".contains($0) }, "\(text)")
            #expect(lines[0].hasPrefix(" Live  read only ") && text.ranges(of: "read only").count == 1)
        }
        screens.type("1")
        #expect(screens.tab == .count)
    }

    @Test func `The totals of groups and of all stand below the cards, where there is room`() {
        let screens = LiveState.twelve.screens
        for index in [0, 1] { screens.live.cards[index].group = "ground floor" }
        func totals(_ columns: Int, _ rows: Int) -> [String] {
            screens.lines(columns, rows).dropFirst().dropLast()
                .map(\.trimmed).filter { $0.hasPrefix("total") }
        }
        #expect(totals(80, 24).map { $0.prefix(18) } == ["total ground floor", totals(80, 24)[1].prefix(18)])
        #expect(totals(40, 12).count == 1)
        #expect(totals(20, 6).isEmpty)
        #expect(totals(80, 24)[1].hasSuffix("today"))
    }

    @Test func whatWasSelectedStaysWhileItIsThere() {
        let screens = LiveState.twelve.screens
        let locations = screens.context.locations.all
        screens.context.locations.offer(locations.reversed(), preferred: "Lab")
        #expect(screens.context.locations.selected == "Café")
        screens.context.locations.offer(locations.filter { $0.id != "Café" }, preferred: "Lab")
        #expect(screens.context.locations.selected == "Lab")
        screens.context.locations.offer([], preferred: "Lab")
        #expect(screens.context.locations.selectedLocation == nil)
        #expect(screens.press(.key(.right)) == nil)
    }

    @Test(arguments: LiveState.allCases, [Capabilities.best, .least])
    func theCountAndTheKeysAreThereAtEverySize(state: LiveState, capabilities: Capabilities) {
        for (columns, rows) in [(20, 6), (21, 7), (24, 30), (33, 9), (60, 8), (500, 10)] {
            let lines = state.screens.lines(columns, rows, capabilities)
            #expect(lines[0].hasSuffix("Count 42"))
            #expect(lines[rows - 1].contains("?"))
        }
    }
}
