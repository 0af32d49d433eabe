import Testing

@testable import CounterTUI

@Suite("Clicks") struct ClickTests {
    private static let buttons: [Character: Intent] = [
        "R": .reset, "U": .undo, "-": .countDown, "+": .countUp, "?": .toggleHelp, "Q": .quit,
        "D": .toggleDetails,
    ]

    @Test(arguments: [(80, 24), (40, 12), (200, 60), (20, 6), (33, 9), (24, 30)])
    func everyCellOfEveryButton(columns: Int, rows: Int) throws {
        for capabilities in [Capabilities.best, .least] {
            let frame = Sample.frame(Sample.ordinary(), columns, rows, capabilities)
            let labels = Self.labels(frame.grid)
            #expect(labels.count >= 6)
            for (strip, key) in labels {
                for column in strip.columns {
                    #expect(frame.intent(at: Point(column: column, row: strip.row)) == Self.buttons[key])
                }
            }
        }
    }

    @Test func whatIsNoButtonMeansNothing() {
        let frame = Sample.frame(CountViewModel(level: 5), 80, 24)
        let labels = Self.labels(frame.grid).map(\.0) + [Strip(row: 0, columns: 0..<9)]
        for row in 0..<24 {
            for column in 0..<80 {
                let point = Point(column: column, row: row)
                let isLabel = labels.contains { $0.contains(point) }
                #expect((frame.intent(at: point) != nil) == isLabel)
            }
        }
    }

    @Test func tabsAndDevicesCanBeClicked() throws {
        let frame = Sample.frame(Sample.ordinary(), 80, 24)
        for column in 0..<9 { #expect(frame.intent(at: Point(column: column, row: 0)) == .selectTab(0)) }
        let row = try #require(frame.grid.lines.firstIndex { $0.contains("Dial exclusive") })
        for column in 1..<10 { #expect(frame.intent(at: Point(column: column, row: row)) == .toggleDetails) }
    }

    @Test func underAnOverlayNothingElseIsReached() {
        var model = ScreensViewModel(count: Sample.ordinary())
        let size = Size(columns: 80, rows: 24)
        var frame = ScreensView(model, capabilities: .best).draw(size: size)
        #expect(model.intent(for: .character("?"), on: frame) == .redraw)
        frame = ScreensView(model, capabilities: .best).draw(size: size)
        for row in 1..<24 {
            for column in 0..<80 {
                #expect(frame.intent(at: Point(column: column, row: row)) == .closeOverlay)
            }
        }
        #expect(model.intent(for: .click(Point(column: 3, row: 23)), on: frame) == .redraw)
        #expect(model.overlay == nil)
    }

    @Test func numberAloneHasNoButtons() {
        let frame = Sample.frame(Sample.ordinary(), 19, 6)
        for row in 0..<6 {
            for column in 0..<19 { #expect(frame.intent(at: Point(column: column, row: row)) == nil) }
        }
    }

    /// The button labels on the grid: from `[` to `]`, with the key after the bracket.
    private static func labels(_ grid: Grid) -> [(Strip, Character)] {
        (0..<grid.size.rows).flatMap { row -> [(Strip, Character)] in
            let cells = Array(grid.row(row))
            var labels: [(Strip, Character)] = []
            var start: Int?
            for (column, cell) in cells.enumerated() {
                if cell.character == "[" { start = column }
                guard cell.character == "]", let open = start, let key = cells[open + 1].character else {
                    continue
                }
                labels.append((Strip(row: row, columns: open..<(column + 1)), key))
                start = nil
            }
            return labels
        }
    }
}
