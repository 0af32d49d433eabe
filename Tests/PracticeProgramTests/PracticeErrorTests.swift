import CounterModel
import Glibc
import Practice
import TestSupport
import Testing

/// What can go wrong with files, and what is said then.
@Suite struct PracticeErrorTests {
    private func damage(_ path: String) throws {
        try ChildProcess.expect(["sh", "-c", "head -c 4096 /dev/urandom >\"$0\"", path])
    }

    @Test func `A damaged player and one of a later version are told of, and the others play`() throws {
        let place = try PracticePlace()
        try damage(place.folder.path(ofPlayer: "b2"))
        let later = PlayerData(
            id: "c3", name: "Later", avatar: .owl, createdAt: Timestamp(seconds: 1_795_000_002))
        try place.add(later)
        try RawDatabase(place.folder.path(ofPlayer: "c3")).execute("PRAGMA user_version = 9")
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.type(TerminalSession.right)
        try terminal.waitForText("player-b2.sqlite: it is damaged")
        try terminal.type(TerminalSession.right)
        try terminal.waitForText("player-c3.sqlite: a later version")
        try terminal.begin()
        try terminal.solveDice()
        let report = try place.place.run("practice", "report")
        #expect(report.status == .exited(65))
        #expect(report.output.contains("Mia, cat\ncoins 2, earned in all 2\n"))
        #expect(report.errors.contains("player-b2.sqlite: it is damaged"))
        #expect(report.errors.contains("player-c3.sqlite: a later version of the program wrote it"))
        terminal.close()
        // A file that cannot be read can be erased by its name.
        let erased = try place.place.run("practice", "erase", "--yes", "player-b2.sqlite")
        #expect(erased.output == "player-b2.sqlite is erased.\n")
        #expect(place.folder.playerIds == ["a1", "c3"])
    }

    @Test func `Damaged settings and later ones end the program with what to do, and stay as they are`()
        throws
    {
        let place = try PracticePlace()
        try RawDatabase(place.folder.settingsPath).execute("PRAGMA user_version = 9")
        for (reason, remedy) in [
            ("a later version of the program wrote it (schema 9)", "Install that version again."),
            ("it is damaged", "Put it aside"),
        ] {
            let terminal = try place.place.open(["practice"])
            defer { terminal.close() }
            let status = try terminal.waitForExit()
            let text = try terminal.screen().lines.joined()
            #expect(status == .exited(65) && text.contains(reason) && text.contains(remedy), "\(text)")
            try damage(place.folder.settingsPath)
        }
    }

    @Test func `A second program does not begin, and nothing begins without a terminal`() throws {
        let place = try PracticePlace()
        let terminal = try place.open()
        defer { terminal.close() }
        let second = try place.place.open(["practice"])
        defer { second.close() }
        #expect(try second.waitForExit() == .exited(69))
        let text = try second.screen()
        #expect(
            text.contains("another counter-practice uses it") && text.contains("Close the other one first."))
        #expect(try place.place.run("practice").errors.contains("is not a terminal"))
        let erased = try place.place.run("practice", "erase", "--yes", "Mia")
        #expect(erased.status == .exited(69) && place.folder.playerIds == ["a1", "b2"])
    }

    @Test func `Two players of one name are not both erased`() throws {
        let place = try PracticePlace()
        try place.add(
            PlayerData(id: "c3", name: "Mia", avatar: .owl, createdAt: Timestamp(seconds: 1_795_000_002)))
        let erased = try place.place.run("practice", "erase", "--yes", "Mia")
        #expect(erased.status == .exited(64))
        #expect(erased.errors.contains("player-a1.sqlite or player-c3.sqlite"))
        #expect(try place.place.run("practice", "erase", "Noah").errors.contains("confirmation needed"))
        #expect(place.folder.playerIds == ["a1", "b2", "c3"])
    }

    @Test func `Whoever never starts practice has no file of it`() throws {
        let place = try Workplace()
        try place.run("add")
        try place.run("practice", "--help")
        #expect(try place.run("practice", "report").status == .exited(66))
        #expect(try place.run("practice", "pin", "--reset").status == .exited(66))
        #expect(access("\(place.directory)/practice", F_OK) != 0)
    }
}
