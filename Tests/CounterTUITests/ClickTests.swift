import Testing

@testable import CounterTUI

@Suite("Clicks") struct ClickTests {
    /// What each button does: has the program do something, or opens a text.
    private static let effects: [Character: String] = [
        "R": "reset", "U": "undo", "-": "count out", "+": "count in", "?": "", "Q": "quit", "D": "",
    ]
    private static let texts: [Character: ScreenContext.Text] = ["?": .help, "D": .details]

    @Test(arguments: [(80, 24), (40, 12), (200, 60), (20, 6), (33, 9), (24, 30)])
    func everyCellOfEveryButton(columns: Int, rows: Int) throws {
        for capabilities in [Capabilities.best, .least] {
            let screens = Screens(count: Sample.ordinary(), tabs: [.count])
            let frame = screens.frame(columns, rows, capabilities)
            let labels = Self.labels(frame.grid)
            #expect(labels.count >= 6)
            for (strip, key) in labels {
                for column in strip.columns {
                    let effect = screens.effect(of: frame.action(at: Point(column: column, row: strip.row)))
                    #expect(effect == Self.effects[key])
                    #expect(screens.context.text == Self.texts[key])
                    screens.context.close()
                }
            }
        }
    }

    @Test func whatIsNoButtonMeansNothing() {
        let frame = Sample.count(CountViewModel(level: 5)).frame()
        let labels = Self.labels(frame.grid).map(\.0) + [Strip(row: 0, columns: 0..<9)]
        for row in 0..<24 {
            for column in 0..<80 {
                let point = Point(column: column, row: row)
                let isLabel = labels.contains { $0.contains(point) }
                #expect((frame.action(at: point) != nil) == isLabel)
            }
        }
    }

    @Test func tabsAndDevicesCanBeClicked() throws {
        let screens = Screens(count: Sample.ordinary())
        let frame = screens.frame()
        let row = try #require(frame.grid.lines.firstIndex { $0.contains("Dial exclusive") })
        for column in 1..<10 {
            frame.action(at: Point(column: column, row: row))?()
            #expect(screens.context.text == .details)
            screens.context.close()
        }
        for (columns, tab) in [(9..<17, Screens.Tab.live), (0..<9, .count)] {
            for column in columns {
                frame.action(at: Point(column: column, row: 0))?()
                #expect(screens.tab == tab)
            }
        }
    }

    @Test func underAnOverlayNothingElseIsReached() {
        let screens = Screens(count: Sample.ordinary())
        screens.type("?")
        let frame = screens.frame()
        for row in 1..<24 {
            for column in 0..<80 {
                screens.type(screens.context.text == nil ? "?" : "")
                #expect(screens.effect(of: frame.action(at: Point(column: column, row: row))) == "")
                #expect(screens.context.overlay == nil)
            }
        }
    }

    @Test func numberAloneHasNoButtons() {
        let frame = Sample.count(Sample.ordinary()).frame(19, 6)
        for row in 0..<6 {
            for column in 0..<19 { #expect(frame.action(at: Point(column: column, row: row)) == nil) }
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
