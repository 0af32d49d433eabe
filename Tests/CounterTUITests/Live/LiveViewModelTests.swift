import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Keys and clicks of Live") struct LiveViewModelTests {
    private static let size = Size(columns: 80, rows: 24)

    private func frame(_ model: ScreensViewModel) -> Frame {
        ScreensView(model, capabilities: .best).draw(size: Self.size)
    }

    /// The intents of events, one after the other.
    private func intents(_ model: inout ScreensViewModel, _ events: TerminalEvent...) -> [Intent?] {
        events.map { model.intent(for: $0, on: frame(model)) }
    }

    @Test func countingByHandIsForTheLocationThatIsSelected() {
        var model = LiveState.twelve.model
        #expect(model.locations.selected == "Café")
        #expect(
            intents(&model, .character("+"), .character("="), .character("-"), .character("u")) == [
                .live(.count(.in, at: "Café")), .live(.count(.in, at: "Café")),
                .live(.count(.out, at: "Café")), .live(.undo(at: "Café")),
            ])
    }

    @Test func arrowsCountNothingHere() {
        var model = LiveState.ok.model
        let arrows: [TerminalEvent] = [.key(.up), .key(.down), .key(.left), .key(.right)]
        for arrow in arrows { #expect(model.intent(for: arrow, on: frame(model)) == nil) }
    }

    @Test func arrowsGoFromCardToCardAndStopAtTheEdges() {
        var model = LiveState.twelve.model
        let across = LiveTiling(12, in: Size(columns: 78, rows: 22)).across
        #expect(across > 1)
        let ids = model.locations.all.map(\.id)
        _ = intents(&model, .key(.down))
        #expect(model.locations.selected == ids[2 + across])
        _ = intents(&model, .key(.up), .key(.up), .key(.left), .key(.left), .key(.left))
        #expect(model.locations.selected == ids[0])
        _ = intents(&model, .key(.right))
        #expect(model.locations.selected == ids[1])
    }

    @Test func enterMakesOneLargeAndEscapeShowsAll() {
        for back in [TerminalEvent.key(.escape), .character("o"), .character("O")] {
            var model = LiveState.twelve.model
            #expect(intents(&model, .key(.enter)) == [.redraw])
            #expect(!model.live.isOverview(model.locations))
            #expect(intents(&model, back) == [.redraw])
            #expect(model.live.isOverview(model.locations))
        }
    }

    @Test func arrowsGoToTheNextLocationWhereOneIsLarge() {
        var model = LiveState.enlarged.model
        #expect(model.locations.selected == "South door")
        _ = intents(&model, .key(.down))
        #expect(model.locations.selected == "Café")
        #expect(!model.live.isOverview(model.locations))
    }

    @Test func aCardCanBeClickedAnywhere() throws {
        let model = LiveState.twelve.model
        let frame = frame(model)
        for card in model.live.cards where card.name.count < 12 {
            let corner = try place(of: card.name, in: frame.grid)
            for (columns, rows) in [(0, 0), (10, 1), (23, 3)] {
                let point = Point(column: corner.column + columns, row: corner.row + rows)
                #expect(frame.intent(at: point) == .live(.enlarge(card.id)), "\(card.id)")
            }
        }
    }

    @Test func aClickMakesACardLarge() throws {
        var model = LiveState.twelve.model
        let roof = try place(of: "Roof", in: frame(model).grid)
        #expect(intents(&model, .click(roof)) == [.redraw])
        #expect(model.locations.selected == "Roof")
        #expect(!model.live.isOverview(model.locations))
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
        let model = LiveState.viewer.model
        let frame = frame(model)
        let row = Self.size.rows - 1
        #expect(frame.grid.lines[row].contains("(+) (-) (U Undo)"))
        for column in 0..<17 { #expect(frame.intent(at: Point(column: column, row: row)) == nil) }
    }

    @Test func whatWasSelectedStaysWhileItIsThere() {
        var model = LiveState.twelve.model
        let locations = model.locations.all
        model.locations.offer(locations.reversed(), preferred: "Lab")
        #expect(model.locations.selected == "Café")
        model.locations.offer(locations.filter { $0.id != "Café" }, preferred: "Lab")
        #expect(model.locations.selected == "Lab")
        model.locations.offer([], preferred: "Lab")
        #expect(model.locations.selectedItem == nil)
        #expect(model.intent(for: .key(.right), on: frame(model)) == nil)
    }

    @Test func everySizeIsDrawn() {
        for state in LiveState.allCases {
            let model = state.model
            for (columns, rows) in [(0, 0), (20, 6), (21, 7), (24, 30), (33, 9), (60, 8), (500, 10)] {
                let size = Size(columns: columns, rows: rows)
                for capabilities in [Capabilities.best, .least] {
                    let frame = ScreensView(model, capabilities: capabilities).draw(size: size)
                    #expect(frame.grid.size == size)
                    guard columns >= 20 else { continue }
                    #expect(frame.grid.lines[0].hasSuffix("Count 42"))
                    #expect(frame.grid.lines[rows - 1].contains("?"))
                }
            }
        }
    }
}
