import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Parts of Live") struct LivePartsTests {
    @Test func freshnessInWords() {
        #expect(Freshness(.live, .now).text == "seen now")
        #expect(Freshness(.stale, .ago(seconds: 61)).text == "seen 1 min ago")
        #expect(Freshness(.quiet, .at("14:03:22")).text == "seen at 14:03:22")
    }

    @Test func nothingInAMinuteLooksLikeNothingElse() {
        for glyphs in [Capabilities.Glyphs.quadrants, .halves, .ascii] {
            let text = Array(Sparkline([0, 1, 1000], columns: 3).text(upTo: 1000, glyphs: glyphs))
            #expect(Set(text).count == 3, "\(glyphs)")
        }
        #expect(Sparkline([0, 0], columns: 2).text(upTo: 0, glyphs: .quadrants) == "▁▁")
    }

    @Test func aNarrowLineAddsMinutesUp() {
        let minutes = Array(repeating: 1, count: 60)
        for (columns, count) in [(100, 60), (60, 60), (59, 30), (29, 20), (12, 12), (7, 6), (1, 1)] {
            #expect(Sparkline(minutes, columns: columns).values == Array(repeating: 60 / count, count: count))
        }
        #expect(Sparkline(minutes, columns: 0).values == [])
    }

    /// The lines of a tile.
    private func tile(_ card: LiveCard, _ columns: Int, _ rows: Int) -> [String] {
        var frame = Frame(size: Size(columns: columns, rows: rows))
        LiveTileView(card: card, isNamed: true, isSelected: false, theme: Theme(.best))
            .draw(into: &frame, in: Area(rows: 0..<rows, columns: columns))
        return frame.grid.lines
    }

    private func line(_ card: LiveCard, _ columns: Int) -> String { tile(card, columns, 1)[0] }

    @Test func `A line keeps the name, whatever the numbers`() {
        let names = (1...52).map { "Place \($0)" }
        for capacity in [60, .max] {
            for columns in [24, 25, 38] {
                for level in [1, 67, .max] {
                    let lines = names.map { line(LiveState.card($0, level, of: capacity), columns) }
                    #expect(zip(names, lines).allSatisfy { $1.hasPrefix($0 + " ") }, "\(lines[51])")
                }
            }
        }
        #expect(line(LiveState.card("Place 18", 1, of: .max), 25) == "Place 18             1 OK")
        #expect(line(LiveState.card("Place 18", .max, of: nil), 24) == "Place 18          9.2e18")
        #expect(line(LiveState.card("North gate, door 18", 1, of: 60), 24) == "North ga…door 18 1/60 OK")
    }

    @Test(arguments: [(19, " WARNING "), (20, " FULL "), (-1, " DRIFT ")])
    func `A line says that its count is stale, where it can beside its status`(level: Int, status: String) {
        let stale = Freshness(.stale, .ago(seconds: 372))
        let card = LiveState.card("Room 2", level, of: 20, freshness: stale)
        #expect(line(card, 50).contains("\(status) Stale, seen 6 min ago"))
        #expect(line(card, 30).contains("\(status) Stale"))
        #expect((line(card, 18) + " ").contains(status))
    }

    @Test func `That a count is stale goes before that all is well`() {
        let stale = Freshness(.stale, .ago(seconds: 372))
        let fine = LiveState.card("Place 18", 103, of: 200, freshness: stale)
        #expect(line(fine, 24) == "Place 18   103/200 Stale")
        let full = LiveState.card("Place 18", 200, of: 200, freshness: stale)
        #expect(line(full, 24).hasPrefix("Place 18  200/200  FULL"))
    }

    @Test func `What is stale is not OK, and is told once`() {
        var card = LiveState.card("Room 2", 3, of: 20, freshness: Freshness(.stale, .ago(seconds: 372)))
        card.staleDevices = ["Gate"]
        for (rows, columns, expected) in [
            (4, 25, "Stale, seen 6 min ago"), (9, 60, "Stale: Gate, seen 6 min ago"),
        ] {
            let tile = tile(card, columns, rows).joined(separator: "\n")
            #expect(tile.contains(expected) && !tile.contains("OK"))
            #expect(tile.ranges(of: "Stale").count == 1)
        }
        // Another device keeps the count fresh.
        card.freshness = Freshness(.live, .now)
        let tile = tile(card, 25, 4).joined(separator: "\n")
        #expect(tile.contains("Stale: Gate") && tile.contains("seen now") && !tile.contains("OK"))
    }

    @Test func `A tile says who did the last on another machine, unless there is a warning`() {
        var card = LiveState.card("Room 2", 3, of: 20)
        card.lastActor = "ada on door-3"
        func warnings() -> [String] {
            LiveTexts(card: card, theme: Theme(.best)).warnings().map { $0.map(\.text).joined() }
        }
        #expect(warnings() == ["Last: ada on door-3"])
        card.staleDevices = ["Gate"]
        #expect(warnings() == ["Stale: Gate"])
    }

    @Test func `What gets stale moves nothing but its own lines`() {
        for (rows, columns) in [(10, 38), (21, 24), (36, 60), (13, 118)] {
            func numberAndCharts(_ change: (inout LiveCard) -> Void) -> [String] {
                var card = LiveState.card("Room 2", 3, of: 20)
                change(&card)
                return tile(card, columns, rows).map {
                    $0.contains("today") || $0.contains(where: "█▀▟▙▁".contains) ? $0 : ""
                }
            }
            let usual = numberAndCharts { _ in }
            #expect(usual.contains { $0.contains(where: "▃▄▅▆▇".contains) }, "\(usual)")
            #expect(usual == numberAndCharts { $0.staleDevices = ["Gate"] })
            #expect(usual == numberAndCharts { $0.lastActor = "ada on door-3" })
            #expect(
                usual
                    == numberAndCharts {
                        ($0.staleDevices, $0.freshness) = (["Gate"], Freshness(.stale, .ago(seconds: 372)))
                    })
        }
    }

    @Test func `A tile says the status, the count and when it was seen, in this order where not all fits`() {
        let aged = Freshness(.live, .ago(seconds: 60))
        for (columns, expected) in [
            (30, "OVERCROWDED   seen 1 min ago"), (24, "OVERCROWDED 1 min ago"), (20, "OVERCROWDED "),
        ] {
            let card = LiveState.card("Room 2", 24, of: 20, freshness: aged)
            let texts = LiveTexts(card: card, theme: Theme(.best)).facts(columns: columns, onOneLine: false)
            let lines = texts.map { $0.map(\.text).joined() }
            #expect(lines[1] == " " + expected && lines[0].hasPrefix("24"), "\(lines)")
        }
    }

    @Test(arguments: [
        (248, 69, 3, 3), (118, 38, 3, 3), (198, 58, 2, 2), (38, 10, 3, 1), (248, 69, 12, 3), (78, 21, 2, 2),
        (78, 21, 3, 3), (78, 21, 4, 2), (78, 21, 6, 3),
    ])
    func `A wide screen has its locations side by side, and no quarter of it is left empty`(
        columns: Int, rows: Int, count: Int, across: Int
    ) {
        #expect(LiveTiling(count, in: Size(columns: columns, rows: rows)).across == across)
    }

    @Test
    func `A total is full when no location has a place left, and goes up and down where all are tallies`() {
        func total(_ cards: LiveCard...) -> String {
            LiveTexts(card: cards.totals[0], theme: Theme(.best)).total(columns: 80).map(\.text).joined()
        }
        let (over, half) = (LiveState.card("A", 35, of: 20), LiveState.card("B", 5, of: 20))
        #expect(total(over, half) == "total  40 of 40  100 %  15 left   WARNING   in 624  out 596  today")
        #expect(
            total(over, LiveState.card("B", 20, of: 20)).contains("55 of 40  137 %  0 left   OVERCROWDED "))
        #expect(total(LiveState.card("A", 20, of: 20), LiveState.card("B", 20, of: 20)).contains(" FULL "))
        let tallies = total(LiveState.card("A", -9, of: nil), LiveState.card("B", .min, of: nil))
        #expect(tallies.hasSuffix("up 624  down 596  today"))
        #expect(total(half, LiveState.card("Shop", 3, of: nil)).contains("in 624  out 596"))
    }

    @Test func tilesNeverOverlapAndNeverLeaveTheScreen() {
        for count in [1, 2, 3, 7, 12, 40] {
            for rows in 2...30 {
                for columns in [20, 38, 78, 198] {
                    expectTiles(count, in: Size(columns: columns, rows: rows))
                }
            }
        }
    }

    private func expectTiles(_ count: Int, in space: Size) {
        let tiling = LiveTiling(count, in: space)
        var taken: Set<Point> = []
        var shown: Set<Int> = []
        for index in 0..<count {
            let page = tiling.page(with: index, of: count)
            #expect(page.contains(index))
            shown.formUnion(page)
        }
        #expect(shown == Set(0..<count))
        for index in 0..<min(count, tiling.onePage) {
            let corner = tiling.corner(of: index)
            #expect(corner.column + tiling.tile.columns <= space.columns, "\(count) in \(space)")
            #expect(corner.row + tiling.tile.rows <= space.rows, "\(count) in \(space)")
            #expect(tiling.tile.rows > 0)
            for row in 0..<tiling.tile.rows {
                let isNew = taken.insert(Point(column: corner.column, row: corner.row + row)).inserted
                #expect(isNew)
            }
        }
    }
}
