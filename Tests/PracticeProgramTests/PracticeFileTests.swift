import CounterModel
import Glibc
import Practice
import TestSupport
import Testing

/// Which file is whose, and in which directory.
@Suite struct PracticeFileTests {
    /// A copy of Mia's file in the same directory, in which she is called Bea.
    private func copy(in place: PracticePlace) throws -> String {
        let copy = place.folder.path(ofPlayer: "a1-copy")
        try ChildProcess.success(of: ["cp", place.folder.path(ofPlayer: "a1"), copy])
        try RawDatabase(copy).execute("UPDATE player SET name = 'Bea'")
        return copy
    }

    @Test func `A copy of a player's file is told of, is no player, and overwrites nothing`() throws {
        let place = try PracticePlace()
        let copy = try copy(in: place)
        let before = fileBytes(copy)
        let terminal = try place.open()
        try terminal.type(TerminalSession.right + TerminalSession.right)
        let screen = try terminal.waitForText("A player cannot be read")
        let text = screen.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(text.contains("player-a1-copy.sqlite: it holds the player of player-a1.sqlite"), "\(text)")
        #expect(!text.contains("Bea"))
        try terminal.begin()
        try terminal.solveDice()
        terminal.close()
        #expect(try place.player().coins == 2 && place.player().name == "Mia")
        #expect(fileBytes(copy) == before)
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
        try terminal.begin()
        try RawDatabase(place.folder.path(ofPlayer: "a1")).execute(
            "UPDATE player SET id = 'b2', name = 'Noah'")
        try terminal.choose("Dice", then: " done]")
        try terminal.quit(to: "Not saved: player-a1.sqlite: it holds the player of")
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

/// Disks that cannot be written, in mount namespaces of their own.
@Suite struct PracticeDiskTests {
    /// The program on a disk that a script has mounted over its directory.
    private func open(_ place: PracticePlace, mount: String) throws -> TerminalSession {
        // The namespace exists as long as the program; a user other than root becomes root in it.
        let unshare = ["unshare", "--mount"] + (getuid() == 0 ? [] : ["--map-root-user"])
        let script = "\(mount) && \"$0\" practice; echo \"status $?.\"; exec cat"
        let terminal = try TerminalSession(
            unshare + ["sh", "-c", script, BuiltProducts.counter, place.folder.path],
            environment: place.place.environment)
        try terminal.waitForText("Who plays?")
        return terminal
    }

    private static let smallDisk = """
        cp -a "$1" "$1.kept" && mount -t tmpfs -o size=256k none "$1" && cp -a "$1.kept/." "$1"
        """
    private static let fill = "cat /dev/zero >filling 2>&- || cat /dev/zero >>filling 2>&- || true"

    /// Runs a script in the namespace of the program.
    private func run(_ script: String, _ place: PracticePlace, beside terminal: TerminalSession) throws {
        let enter =
            ["nsenter", "--mount", "--target", "\(try terminal.process.pid)"]
            + (getuid() == 0 ? [] : ["--user", "--preserve-credentials"])
        try ChildProcess.success(of: enter + ["sh", "-c", "cd \"$0\" && \(script)", place.folder.path])
    }

    /// The program leaves by its last card; `status` is what it ends with.
    private func leave(_ terminal: TerminalSession, status: Int) throws -> String {
        try terminal.leave()
        try terminal.choose("The end", then: "status \(status).")
        return try terminal.screen().lines.joined()
    }

    @Test func `Read-only storage is played on, and told until the end`() throws {
        let place = try PracticePlace()
        let terminal = try open(
            place, mount: "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\"")
        try terminal.waitForText("Not saved: settings.sqlite: it cannot be written. Make it writable")
        try terminal.begin()
        try terminal.solveDice()
        try terminal.waitForText("2 coins")
        #expect(try terminal.screen().contains("Not saved: "))
        // A guess that cannot be written down is not checked: nobody guesses for free.
        try terminal.leave()
        try terminal.choose("Grown-up", then: "PIN of the grown-up")
        try terminal.type("4711\r")
        try terminal.waitForScreen("the dashboard to stay closed") {
            $0.lines.joined(separator: " ").contains("settings.sqlite: it cannot be written")
                && !$0.contains("Enter; Escape")
        }
        let last = try leave(terminal, status: 74)
        #expect(last.contains("Not saved: ") && last.contains("Make it writable"))
        #expect(try place.player().coins == 0)
    }

    @Test func `What was played on a full disk is written once there is room`() throws {
        let place = try PracticePlace()
        let terminal = try open(place, mount: Self.smallDisk)
        try terminal.begin()
        try run(Self.fill, place, beside: terminal)
        try terminal.solveDice()
        let full = try terminal.waitForText("the disk is full. Free some space")
        #expect(full.contains("2 coins"))
        try run("rm filling", place, beside: terminal)
        try terminal.solveDice()
        try terminal.waitForScreen("four coins, and no word of the disk") {
            $0.contains("4 coins") && !$0.contains("Not saved")
        }
        _ = try leave(terminal, status: 0)
        // The disk goes with its last process.
        try run("cp player-a1.sqlite \"$0.kept\"", place, beside: terminal)
        let kept = try RawDatabase("\(place.folder.path).kept/player-a1.sqlite")
        #expect(try kept.number("SELECT coins FROM player") == 4)
        #expect(try kept.texts("SELECT amount FROM coin") == ["1", "1", "1", "1"])
        #expect(try kept.number("SELECT count(*) FROM level") == 2)
    }

    @Test func `A player made on a full disk is written once there is room`() throws {
        let place = try PracticePlace(players: [])
        let terminal = try open(place, mount: Self.smallDisk)
        try terminal.administer()
        try terminal.choose("Add a player", then: "The player's name")
        try run(Self.fill, place, beside: terminal)
        try terminal.type("Zoë\r")
        try terminal.choose("bear", then: "the disk is full")
        try run("rm filling", place, beside: terminal)
        try terminal.choose("Back to the players", then: "Who plays?")
        try terminal.begin("Zoë")
        try terminal.waitForScreen("no word of the disk") { !$0.contains("Not saved") }
        _ = try leave(terminal, status: 0)
    }
}
