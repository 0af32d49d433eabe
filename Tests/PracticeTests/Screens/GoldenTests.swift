import CounterTUI
import Testing

@testable import Practice

@Suite struct GoldenTests {
    enum Shown: String, CaseIterable, Sendable {
        case selection, home, dice, choice, puzzle, labyrinth, goOn, treasure, dashboard, pin
        case twoDice, hardChoice, hardPuzzle, hardLabyrinth
        case watching, warning, report, video, unsaved
    }

    private static let best = Capabilities(glyphs: .quadrants, palette: .many)
    private static let least = Capabilities(glyphs: .ascii, palette: .none)

    @Test(arguments: Shown.allCases, [(80, 24, best), (40, 12, least), (20, 6, least)])
    func screens(shown: Shown, place: (Int, Int, Capabilities)) throws {
        let page = PracticeView(Self.model(shown), look: place.2)
            .draw(size: Size(columns: place.0, rows: place.1))
        try expectFile(
            "Tests/PracticeTests/Screens/Golden/\(place.0)x\(place.1)/\(shown.rawValue).txt",
            goldenText(page.grid))
    }

    @Test(arguments: [Shown.home, .twoDice, .hardLabyrinth])
    func `On a large terminal, and with the console's half blocks and eight colours`(shown: Shown) throws {
        let console = Capabilities(glyphs: .halves, palette: .eight)
        for (size, look) in [
            (Size(columns: 200, rows: 50), Self.best), (Size(columns: 80, rows: 25), console),
        ] {
            let page = PracticeView(Self.model(shown), look: look).draw(size: size)
            try expectFile(
                "Tests/PracticeTests/Screens/Golden/\(size.columns)x\(size.rows)/\(shown.rawValue).txt",
                goldenText(page.grid))
        }
    }

    /// The picture of the README, for pages with a dark and with a light background.
    @Test func picture() throws {
        let page = PracticeView(Self.model(.dice), look: Self.best).draw(size: Size(columns: 80, rows: 24))
        for (ground, suffix) in [(Picture.Ground.dark, ""), (.light, "-light")] {
            let picture = Picture(grid: page.grid, ground: ground, title: "practice")
            try expectFile("docs/practice\(suffix).svg", picture.svg)
        }
    }

    @Test func `Below 20 by 6 it says so`() {
        let page = PracticeView(Self.model(.home), look: Self.least).draw(size: Size(columns: 19, rows: 5))
        #expect(page.grid.lines.filter { !$0.isEmpty } == [" too small: 20 x 6"])
    }

    @Test func `Every size is drawn`() {
        for shown in Shown.allCases {
            for columns in 0...45 {
                for rows in 0...14 {
                    _ = PracticeView(Self.model(shown), look: Self.least).draw(
                        size: Size(columns: columns, rows: rows))
                }
            }
        }
    }

    @Test func `The keys at the bottom can be clicked`() {
        let page = PracticeView(Self.model(.home), look: Self.least).draw(size: Size(columns: 80, rows: 24))
        let line = page.grid.lines[23]
        let columns = ["[Up", "[Down", "[Both", "[Esc"].map { key in
            line.distance(from: line.startIndex, to: line.ranges(of: key)[0].lowerBound) + 1
        }
        let inputs = columns.map { page.input(at: Point(column: $0, row: 23)) }
        #expect(inputs == [.up, .down, .both, .home])
    }

    private static func model(_ shown: Shown) -> PracticeModel {
        var afternoon = Afternoon.mia { player in
            guard [.twoDice, .hardChoice, .hardPuzzle, .hardLabyrinth].contains(shown) else { return }
            for activity in ActivityType.allCases {
                var progress = ActivityProgress(activityType: activity)
                (progress.currentDifficulty, progress.currentLevel) = (1, 20)
                player.activityProgress[activity] = progress
            }
        }
        if shown == .selection { return afternoon.model }
        if [.pin, .dashboard, .report, .video].contains(shown) {
            afternoon.choose("Grown-up")
            if shown != .pin { afternoon.answer(.right) }
            if shown == .report {
                afternoon.press(.both)
                afternoon.choose("Report")
            }
            if shown == .video {
                afternoon.choose("Videos")
                afternoon.choose("Foxes in the snow")
            }
            return afternoon.model
        }
        if shown == .warning { afternoon.warn(KeySharing.shared.lines) }
        afternoon.press(.both)
        switch shown {
        case .home: afternoon.press(.up, .up)
        case .dice: afternoon.choose("Dice")
        case .choice: afternoon.choose("Count")
        case .puzzle: afternoon.choose("Pattern")
        case .labyrinth: afternoon.choose("Labyrinth")
        case .treasure: afternoon.choose("Treasure")
        case .goOn: solveDice(&afternoon)
        case .twoDice, .hardChoice, .hardPuzzle, .hardLabyrinth: playHard(shown, &afternoon)
        case .watching:
            afternoon.choose("Treasure")
            afternoon.press(.both)
        case .unsaved:
            let remedy = "Free some space; what was played is kept in memory and written then."
            afternoon.tell(unsaved: "Not saved: player-a1.sqlite: the disk is full. \(remedy)")
        case .selection, .dashboard, .pin, .warning, .report, .video: break
        }
        if shown == .dice { afternoon.press(.up, .up, .up) }
        if shown == .puzzle { afternoon.press(.up, .down) }
        return afternoon.model
    }

    /// The largest levels, each after a mistake or a hint.
    private static func playHard(_ shown: Shown, _ afternoon: inout Afternoon) {
        switch shown {
        case .twoDice: afternoon.choose("Dice")
        case .hardChoice: afternoon.choose("Count")
        case .hardPuzzle: afternoon.choose("Pattern")
        default: afternoon.choose("Labyrinth")
        }
        afternoon.press(.up, .both)
    }

    private static func solveDice(_ afternoon: inout Afternoon) {
        afternoon.choose("Dice")
        guard case .level(let playing) = afternoon.model.stage, case .dice(let view) = playing.level.game
        else { return }
        for _ in 0..<view.pips { afternoon.press(.up) }
        afternoon.press(.both)
    }
}
