import CounterModel
import Glibc
import Practice
import TestSupport
import Testing

/// What can go wrong with files, and what is said then.
@Suite struct PracticeErrorTests {
    @Test func `A second program does not begin, and nothing begins without a terminal`() throws {
        let place = try PracticePlace()
        let terminal = try place.open()
        defer { terminal.close() }
        let second = try place.place.open(["practice"])
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

/// The program on files with values that it never writes. Which values there are is tried in PracticeTests/Screens/DamagedFileTests.
@Suite struct PracticeDamageTests {
    private static let most = "9223372036854775807"

    private func fill(_ path: String) throws {
        try ChildProcess.success(of: ["sh", "-c", "head -c 4096 /dev/urandom >\"$0\"", path])
    }

    /// A column of the player and its value; `nil` for a file of anything.
    @Test(
        arguments: [
            ("today_played", most), ("name", "char(27, 91, 50, 74)"), ("coins", "'many'"), nil,
        ] as [(String, String)?])
    func `A damaged player is an error in words, the other plays on, and it is erased by its file`(
        value: (String, String)?
    ) throws {
        let place = try PracticePlace()
        let file = place.folder.path(ofPlayer: "a1")
        if let value {
            try RawDatabase(file).damage([("player", value.0, value.1)])
        } else {
            try fill(file)
        }
        let before = fileBytes(file)
        let report = try place.place.run("practice", "report")
        #expect(report.status == .exited(65) && report.output.contains("Noah, frog"), "\(report)")
        #expect(report.errors.contains("player-a1.sqlite: it is damaged"))
        #expect(report.errors.contains("Put it aside or restore it from a copy"))
        #expect(try place.place.run("practice", "report", "Mia").status == .exited(66))
        let terminal = try place.open()
        try terminal.begin("Noah")
        try terminal.solveDice()
        try terminal.leave()
        try terminal.choose("A player cannot be read", then: "player-a1.sqlite: it is damaged")
        terminal.close()
        #expect(try place.player("b2").coins == 2)
        #expect(fileBytes(file) == before)
        let erased = try place.place.run("practice", "erase", "--yes", "player-a1.sqlite")
        #expect(erased.output == "player-a1.sqlite is erased.\n" && place.folder.playerIds == ["b2"])
    }

    @Test func `Damaged settings and later ones end the program with what to do`() throws {
        let place = try PracticePlace()
        let path = place.folder.settingsPath
        let damages: [(reason: String, remedy: String, damage: () throws -> Void)] = [
            (
                "it is damaged", "Put it aside",
                { try RawDatabase(path).damage([("app_settings", "total_launches", Self.most)]) }
            ),
            (
                "a later version of the program wrote it (schema 9)", "Install that version again.",
                { try RawDatabase(path).execute("PRAGMA user_version = 9") }
            ),
            ("it is damaged", "Put it aside", { try fill(path) }),
        ]
        for (reason, remedy, damage) in damages {
            try damage()
            let terminal = try place.place.open(["practice"])
            let status = try terminal.waitForExit()
            let text = try terminal.screen().lines.joined()
            #expect(status == .exited(65) && text.contains(reason) && text.contains(remedy), "\(text)")
        }
    }

    @Test func `Where the number of wrong PINs is damaged, there is no way past it`() throws {
        let place = try PracticePlace()
        try RawDatabase(place.folder.settingsPath).damage([("pin", "failures", Self.most)])
        let terminal = try place.open()
        try terminal.choose("Grown-up", then: "PIN of the grown-up")
        try terminal.type("4711\r")
        try terminal.waitForText("settings.sqlite: it is damaged")
    }
}
