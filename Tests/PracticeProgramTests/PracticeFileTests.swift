import CounterModel
import Glibc
import Practice
import TestSupport
import Testing

/// Which file is whose, and in which directory.
@Suite struct PracticeFileTests {
    private func bytes(_ path: String) throws -> String {
        try ChildProcess.run(["sha256sum", path]).output
    }

    /// A copy of Mia's file in the same directory, in which she is called Bea.
    private func copy(in place: PracticePlace) throws -> String {
        let copy = place.folder.path(ofPlayer: "a1-copy")
        try ChildProcess.expect(["cp", place.folder.path(ofPlayer: "a1"), copy])
        try RawDatabase(copy).execute("UPDATE player SET name = 'Bea'")
        return copy
    }

    @Test func `A copy of a player's file is told of, is no player, and overwrites nothing`() throws {
        let place = try PracticePlace()
        let copy = try copy(in: place)
        let before = try bytes(copy)
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.type(TerminalSession.right + TerminalSession.right)
        let screen = try terminal.waitForText("A player cannot be read")
        let text = screen.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(text.contains("player-a1-copy.sqlite: it holds the player of player-a1.sqlite"), "\(text)")
        #expect(!text.contains("Bea"))
        try terminal.begin()
        try terminal.solveDice()
        terminal.close()
        #expect(try place.player().coins == 2 && place.player().name == "Mia")
        #expect(try bytes(copy) == before)
        let report = try place.place.run("practice", "report")
        #expect(report.status == .exited(65) && !report.output.contains("Bea"))
        #expect(report.errors.contains("Move it out of this directory"))
        // Erasing the player says that the copy is still there.
        let erased = try place.place.run("practice", "erase", "--yes", "Mia")
        #expect(erased.output == "Mia is erased.\n" && erased.errors.contains("player-a1-copy.sqlite"))
        #expect(place.folder.playerIds == ["a1-copy", "b2"])
        #expect(
            try place.place.run("practice", "erase", "--yes", "player-a1-copy.sqlite").status == .exited(0))
        #expect(place.folder.playerIds == ["b2"])
    }

    @Test func `A file that becomes another player's while it is open is not written`() throws {
        let place = try PracticePlace()
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.begin()
        try RawDatabase(place.folder.path(ofPlayer: "a1")).execute(
            "UPDATE player SET id = 'b2', name = 'Noah'")
        try terminal.choose("Dice", then: "[Both done")
        try terminal.leave(to: "Not saved: player-a1.sqlite: it holds the player of")
        #expect(
            try RawDatabase(place.folder.path(ofPlayer: "a1")).texts("SELECT name FROM player") == ["Noah"])
    }

    @Test func `Where a directory is named, practice erases, resets and reports there alone`() throws {
        let (usual, named) = (try PracticePlace(), try PracticePlace())
        try RawDatabase(named.folder.path(ofPlayer: "a1")).execute("UPDATE player SET coins = 9")
        let option = ["--data-dir", named.place.directory]
        func run(_ words: String...) throws -> ChildProcess.Outcome { try usual.place.run(words + option) }
        #expect(try run("practice", "report", "Mia").output.contains("coins 9"))
        #expect(try run("practice", "erase", "Mia", "--yes").output == "Mia is erased.\n")
        #expect(try run("practice", "pin", "--reset").status == .exited(0))
        #expect(named.folder.playerIds == ["b2"] && usual.folder.playerIds == ["a1", "b2"])
        #expect(try SettingsStore(named.folder.settingsPath, makes: false).pin() == nil)
        #expect(try SettingsStore(usual.folder.settingsPath, makes: false).pin() != nil)
        #expect(
            try usual.place.run("practice", "report", "--data-dir", "/nonexistent").status == .exited(66))
        let twice = try run("practice", "erase", "Noah", "--yes", "--data-dir", usual.place.directory)
        #expect(twice.status == .exited(64) && twice.errors.contains("--data-dir is given twice"))
        #expect(named.folder.playerIds == ["b2"] && usual.folder.playerIds == ["a1", "b2"])
        // The screens, with the option in both places.
        for words in [
            ["practice"] + option, ["practice"] + option + ["play"], ["practice", "play"] + option,
        ] {
            let terminal = try usual.place.open(words)
            defer { terminal.close() }
            try terminal.waitForText("Grown-up: choose a PIN")
        }
    }

    @Test func `A name that nobody has is answered with one that is meant`() throws {
        let place = try PracticePlace()
        let report = try place.place.run("practice", "report", "nouh")
        #expect(report.status == .exited(66) && report.errors.contains("Did you mean 'Noah'?"))
        let erased = try place.place.run("practice", "erase", "--yes", "mia")
        #expect(erased.status == .exited(66) && erased.errors.contains("Did you mean 'Mia'?"))
    }
}
