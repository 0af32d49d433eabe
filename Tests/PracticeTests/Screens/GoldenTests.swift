import CounterTUI
import Testing

@testable import Practice

@Suite struct GoldenTests {
    enum Shown: String, CaseIterable, Sendable {
        case selection, home, dice, choice, puzzle, labyrinth, goOn, treasure, dashboard, pin
        case twoDice, hardChoice, hardPuzzle, hardLabyrinth
        case watching, warning, report, video, unsaved, voice, spending, leaving, falling, noKeys
    }

    private static let best = Capabilities(glyphs: .quadrants, palette: .many)
    private static let least = Capabilities(glyphs: .ascii, palette: .none)

    /// What is laid out differently at that size.
    private static let places: [(Size, Capabilities, [Shown])] = [
        (
            Size(columns: 80, rows: 24), best,
            [
                .selection, .home, .choice, .puzzle, .goOn, .dashboard, .pin, .twoDice, .hardChoice,
                .hardPuzzle, .hardLabyrinth, .watching, .warning, .report,
                .leaving, .falling,
            ]
        ),
        (
            Size(columns: 40, rows: 12), least,
            [
                .home, .goOn, .dashboard, .pin, .twoDice, .hardChoice, .hardPuzzle, .hardLabyrinth, .watching,
                .unsaved, .voice, .spending, .falling, .noKeys,
            ]
        ),
        (Size(columns: 80, rows: 25), Capabilities(glyphs: .halves, palette: .eight), [.twoDice]),
        (
            Size(columns: 20, rows: 6), least,
            [.home, .twoDice, .hardChoice, .hardPuzzle, .hardLabyrinth, .watching, .unsaved]
        ),
    ]

    @Test(arguments: places.flatMap { size, look, all in all.map { ($0, size, look) } })
    func screens(shown: Shown, size: Size, look: Capabilities) throws {
        let page = PracticeView(Self.model(shown), look: look).draw(size: size)
        try expectFile(
            "Tests/PracticeTests/Screens/Golden/\(size.columns)x\(size.rows)/\(shown.rawValue).txt",
            goldenText(page.grid))
    }

    /// The picture of the README, for pages with a dark and with a light background.
    @Test func picture() throws {
        let page = PracticeView(Self.model(.dice), look: Self.best).draw(size: Size(columns: 80, rows: 24))
        for (ground, suffix) in [(Picture.Ground.dark, ""), (.light, "-light")] {
            let picture = Picture(grid: page.grid, ground: ground, title: "practice")
            try expectFile("docs/practice\(suffix).svg", picture.svg)
        }
    }

    @Test(arguments: Shown.allCases)
    func `At every size there is something above the keys, and below 20 by 6 it says so`(shown: Shown) {
        let view = PracticeView(Self.model(shown), look: Self.least)
        for columns in [0, 1, 2, 5, 17, 19, 20, 21, 24, 33, 40, 45, 200] {
            for rows in [0, 1, 2, 5, 6, 7, 9, 12, 14, 50] {
                let lines = view.draw(size: Size(columns: columns, rows: rows)).grid.lines.map {
                    $0.drop { $0 == " " }
                }
                let size = Comment(rawValue: "\(columns) by \(rows)")
                guard columns >= 20, rows >= 6 else {
                    let said = lines.joined()
                    #expect(said.isEmpty == (columns == 0 || rows == 0), size)
                    #expect("too small: 20 x 6".hasPrefix(said.filter { $0 != "~" }), size)
                    continue
                }
                #expect(lines[rows - 1].contains(/^[\[>].*[\]<]$/), size)
                #expect(!lines[0].isEmpty && lines[1..<rows - 1].contains { !$0.isEmpty }, size)
            }
        }
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
        switch shown {
        case .selection: break
        case .voice:
            afternoon = Afternoon.firstStart
            for _ in 1...2 { afternoon.type("4711") }
        case .pin, .dashboard, .report, .video: administer(shown, &afternoon)
        case .warning, .noKeys:
            afternoon.warn(shown == .warning ? .shared : .noKeys)
            afternoon.press(.both)
        case .home: afternoon.press(.both, .up, .up)
        case .dice: afternoon.choose("Mia", "Dice", then: .up, .up, .up)
        case .choice: afternoon.choose("Mia", "Count")
        case .puzzle: afternoon.choose("Mia", "Pattern", then: .up, .down)
        case .labyrinth: afternoon.choose("Mia", "Labyrinth")
        // The largest levels, each after a mistake or a hint.
        case .twoDice: afternoon.choose("Mia", "Dice", then: .up, .both)
        case .hardChoice: afternoon.choose("Mia", "Count", then: .up, .both)
        case .hardPuzzle: afternoon.choose("Mia", "Pattern", then: .up, .both)
        case .hardLabyrinth: afternoon.choose("Mia", "Labyrinth", then: .up, .both)
        case .leaving: afternoon.choose("Mia", "Labyrinth", then: .home)
        case .treasure: afternoon.choose("Mia", "Treasure")
        case .spending: afternoon.choose("Mia", "Treasure", then: .both, .up)
        case .watching: afternoon.choose("Mia", "Treasure", then: .both, .up, .both)
        case .goOn, .falling:
            afternoon.press(.both)
            afternoon.solveDice()
            afternoon.wait(shown == .goOn ? .seconds(5) : Celebration.pace * 7)
            afternoon.model.move(to: afternoon.steady)
        case .unsaved:
            afternoon.press(.both)
            let remedy = "Free some space; what was played is kept in memory and written then."
            afternoon.model.unsaved = "Not saved: player-a1.sqlite: the disk is full. \(remedy)"
        }
        return afternoon.model
    }

    private static func administer(_ shown: Shown, _ afternoon: inout Afternoon) {
        afternoon.choose("Grown-up")
        if shown != .pin { afternoon.openDashboard() }
        if shown == .report { afternoon.choose("Mia", "Report") }
        if shown == .video { afternoon.choose("Videos", "Foxes in the snow") }
    }
}
