import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Keys and clicks of Live") struct LiveViewModelTests {
    private static let size = Size(columns: 80, rows: 24)

    private func frame(_ screens: Screens) -> Frame { ScreensView(.best).draw(screens, size: Self.size) }

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
        let frame = frame(screens)
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
        let frame = frame(LiveState.viewer.screens)
        let row = Self.size.rows - 1
        #expect(frame.grid.lines[row].contains("(+) (-) (U Undo)"))
        for column in 0..<17 { #expect(frame.action(at: Point(column: column, row: row)) == nil) }
    }

    @Test func whatWasSelectedStaysWhileItIsThere() {
        let screens = LiveState.twelve.screens
        let locations = screens.context.locations.all
        screens.context.locations.offer(locations.reversed(), preferred: "Lab")
        #expect(screens.context.locations.selected == "Café")
        screens.context.locations.offer(locations.filter { $0.id != "Café" }, preferred: "Lab")
        #expect(screens.context.locations.selected == "Lab")
        screens.context.locations.offer([], preferred: "Lab")
        #expect(screens.context.locations.selectedItem == nil)
        #expect(screens.press(.key(.right)) == nil)
    }

    @Test(arguments: LiveState.allCases, [Capabilities.best, .least])
    func theCountAndTheKeysAreThereAtEverySize(state: LiveState, capabilities: Capabilities) {
        for (columns, rows) in [(20, 6), (21, 7), (24, 30), (33, 9), (60, 8), (500, 10)] {
            let size = Size(columns: columns, rows: rows)
            let lines = ScreensView(capabilities).draw(state.screens, size: size).grid.lines
            #expect(lines[0].hasSuffix("Count 42"))
            #expect(lines[rows - 1].contains("?"))
        }
    }
}
