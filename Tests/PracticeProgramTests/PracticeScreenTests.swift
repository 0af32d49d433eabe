import CounterModel
import Glibc
import Practice
import TestSupport
import Testing

/// Sizes, clicks, signals.
@Suite struct PracticeScreenTests {
    @Test(arguments: [(20, 6), (200, 50)])
    func `A level is played in a small and in a large terminal, also after it was too small`(
        columns: Int, rows: Int
    ) throws {
        let place = try PracticePlace(environment: ["NO_COLOR": "1", "LC_ALL": "C"])
        let terminal = try place.open(columns: columns, rows: rows)
        try terminal.begin()
        try terminal.choose("Dice", then: "Dice 1")
        // A terminal that is too small says so, and the level goes on in a larger one.
        try terminal.resize(columns: 19, rows: 5)
        try terminal.waitForText("too small: 20 x 6")
        try terminal.resize(columns: columns, rows: rows)
        try terminal.waitForText("[Up")
        // Each number of presses is tried.
        for press in 1...40 {
            let before = try terminal.screen()
            try terminal.type("\u{1B}[A")
            try terminal.waitForScreen("press \(press)") { $0 != before && !$0.contains("few.") }
            try terminal.type("\r")
            let screen = try terminal.waitForScreen("an answer") {
                $0.contains("few.") || $0.contains("Go on")
            }
            if screen.contains("Go on") { break }
        }
        let colours = try terminal.screen(colours: true).lines.joined()
        #expect(!colours.contains("\u{1B}[3") || !colours.contains("38;5"))
        #expect(try terminal.screen().lines.joined().utf8.allSatisfy { $0 < 128 })
        try eventually("the level to be stored") { try place.player().today.activitiesCompleted == 1 }
    }

    @Test func `A level is played by clicks alone`() throws {
        let place = try PracticePlace()
        let terminal = try place.open()
        func click(_ text: String) throws {
            let screen = try terminal.waitForText(text)
            let row = try #require(screen.lines.firstIndex { $0.contains(text) })
            let line = screen.lines[row]
            let start = try #require(line.firstRange(of: text)?.lowerBound)
            try terminal.click(column: line.distance(from: line.startIndex, to: start) + 1, row: row)
        }
        try click("Mia")
        try terminal.waitForText("min left")
        for _ in 0..<8 where try !terminal.screen().contains("Dice") {
            let before = try terminal.screen()
            try click(before.contains("[Up next") ? "[Up next" : " go on]")
            try terminal.waitForScreen("something else") { $0 != before }
        }
        try click("Dice")
        let pips = try terminal.waitForText(" done]").pips
        for press in 1...pips {
            try click("[Up more")
            try terminal.waitForScreen("press \(press)") { $0.dots == press }
        }
        try click(" done]")
        let solved = try terminal.waitForText("Solved! 2 coins for you.")
        // It moves by itself.
        try terminal.waitForScreen("the coins to fall") { $0 != solved }
        try click("Go on")
        try terminal.waitForText("[Esc players")
        try click("[Esc players")
        try terminal.waitForText("Who plays?")
        try click("[Down back")
        try terminal.waitForText("4 of 4")
        try click("[Down back")
        try terminal.waitForText("3 of 4")
        try click("Grown-up")
        try terminal.waitForText("PIN of the grown-up")
        try terminal.type("4711")
        try click("[Enter")
        try terminal.waitForText("1 of 10")
        // A row of a list is chosen by a click on it.
        try click("Offer the first video")
        try terminal.waitForScreen("yes") { $0.lines.contains { $0.contains(/video +yes/) } }
    }

    /// By the keys of a terminal that reports presses and releases.
    @Test
    func `One key that is held chooses, for who cannot press both; held longer it leads home, as both do`()
        throws
    {
        let (raise, lower) = ("\u{1B}[57439u", "\u{1B}[57438u")
        let (raiseUp, lowerUp) = ("\u{1B}[57439;1:3u", "\u{1B}[57438;1:3u")
        let place = try PracticePlace()
        let terminal = try place.open()
        try terminal.type("\u{1B}[?7u" + raise)
        try terminal.waitForText("2 of 4")
        // The card at which the key went down, not the next one.
        try terminal.waitForScreen("Mia's home") { $0.lines[0].hasPrefix(" Mia") }
        try terminal.type(raiseUp)
        if try terminal.screen().contains(" go on]") { try terminal.type("\r") }
        try terminal.choose("Dice", then: "[Both done]")
        try terminal.type(lower)
        // Nothing was pressed for a dot: it is done, and not right.
        try terminal.waitForText("None is too few.")
        try terminal.waitForText("Stop this level?")
        try terminal.type(lowerUp + "\r")
        // Holding on took that back.
        try terminal.waitForScreen("the level as it was") {
            $0.contains("[Both done]") && !$0.contains("too few")
        }
        try terminal.type(raise + raiseUp)
        try terminal.waitForScreen("one press") { $0.dots == 1 }
        try terminal.type(raise + lower)
        try terminal.waitForText("Stop this level?")
        try terminal.type(raiseUp + lowerUp)
        try terminal.choose("Home", then: " of 6")
        let progress = try place.player().progress(in: .zahlenWuerfel)
        #expect((progress.quitCount, progress.mistakeCount) == (1, 0))
    }

    @Test func `A session that was killed is closed as it stood, and one that was asked to end is stored`()
        throws
    {
        let place = try PracticePlace()
        for signal in [SIGKILL, SIGTERM, SIGHUP] {
            let terminal = try place.open()
            try terminal.begin()
            try terminal.solveDice()
            try terminal.process.signal(signal)
            if signal != SIGKILL { #expect(try terminal.waitForExit() == .exited(0)) }
            terminal.close()
            // What is learnt of a player is stored with each level, not when the session ends.
            let learnt = try place.player().learningProfile
            #expect(learnt.preferredActivityTypes[.zahlenWuerfel] == learnt.recentLevels.count)
            #expect(learnt.averageSolveTime != .seconds(30))
        }
        let terminal = try place.open()
        terminal.close()
        let player = try place.player()
        #expect((player.coins, player.today.activitiesCompleted) == (6, 3))
        #expect(player.learningProfile.preferredActivityTypes == [.zahlenWuerfel: 3])
        #expect(player.learningProfile.timeOfDayPreference.values.reduce(0, +) == 3)
    }
}
