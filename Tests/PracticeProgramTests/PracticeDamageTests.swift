import CounterModel
import Practice
import TestSupport
import Testing

/// The program on files with values that it never writes. Which values there are is tried in PracticeTests/Screens/DamagedFileTests.
@Suite struct PracticeDamageTests {
    /// Mia has played a level in a session that was not ended, watched a video, and earned a coin.
    private func place() throws -> PracticePlace {
        let place = try PracticePlace()
        let start = Timestamp(seconds: 1_795_348_800)
        let calendar = OperationalCalendar(zone: .utc)
        var player = try place.player()
        player.today.begin(at: start, in: calendar)
        let result = LevelResult(
            activity: .zahlenWuerfel, level: 1, solved: true, mistakes: 0, hints: 0, solveTime: .seconds(9),
            endedAt: start)
        var change = PlayerChange(player: player)
        change.coins = player.finish(level: result, in: calendar)
        change.session = SessionMetrics(sessionId: 1, playerId: "a1", startTime: start, startHour: 12)
        change.session?.levels = [result]
        let fox = ApprovedVideo(id: "abcdefghijk", title: "Fox", duration: .zero, addedAt: start)
        change.videos = [
            VideoRecord(id: 1, video: fox, watchedAt: start, duration: .seconds(4), playerId: "a1")
        ]
        change.player = player
        try PlayerStore(place.folder.path(ofPlayer: "a1")).save(change)
        return place
    }

    private static let most = "9223372036854775807"
    /// What once ended the program.
    private static let values = [
        ("session", "session_id", most), ("video_record", "id", most),
        ("activity_progress", "current_difficulty", "1e308"),
        ("player", "today_played", most), ("activity_progress", "mistake_count", most),
        ("activity_progress", "quit_count", most), ("activity_progress", "total_time_spent_seconds", most),
        ("activity_progress", "current_level", most), ("preferred_activity_type", "play_count", most),
        ("player", "coins", "'many'"), ("player", "name", "char(27, 91, 50, 74)"), ("player", "id", "NULL"),
    ]

    @Test func `A damaged value of a player is an error in words, and the other player plays on`() throws {
        let played = Volume.of(sample: 3, full: Self.values).map(\.1)
        for (table, column, value) in Self.values {
            let place = try place()
            let file = place.folder.path(ofPlayer: "a1")
            try RawDatabase(file).damage([(table, column, value)])
            let before = try ChildProcess.run(["sha256sum", file]).output
            let report = try place.place.run("practice", "report")
            // A session's number is read by the screens alone.
            let isReported = ["session", "video_record"].contains(table)
            #expect(report.status == .exited(isReported ? 0 : 65), "\(table).\(column): \(report)")
            #expect(report.output.contains("Noah, frog"))
            #expect(isReported || report.errors.contains("player-a1.sqlite: it is damaged"))
            #expect(isReported || report.errors.contains("Put it aside or restore it from a copy"))
            let named = try place.place.run("practice", "report", "Mia")
            #expect(named.status == .exited(isReported ? 0 : 66))
            guard played.contains(column) else { continue }
            let terminal = try place.open()
            defer { terminal.close() }
            try terminal.begin("Noah")
            try terminal.solveDice()
            try terminal.leave()
            try terminal.choose("A player cannot be read", then: "player-a1.sqlite: it is damaged")
            terminal.close()
            #expect(try place.player("b2").coins == 2)
            #expect(try ChildProcess.run(["sha256sum", file]).output == before)
        }
    }

    @Test(arguments: [
        ("app_settings", "total_launches", most), ("app_settings", "voice_volume", "1e308"),
        ("pin", "failures", most),
    ])
    func `A damaged value of the settings ends the program in words`(
        table: String, column: String, value: String
    ) throws {
        let place = try place()
        try RawDatabase(place.folder.settingsPath).damage([(table, column, value)])
        let terminal = try place.place.open(["practice"])
        defer { terminal.close() }
        if table == "pin" {
            // Read when it is asked for, and then there is no way past it.
            try terminal.choose("Grown-up", then: "PIN of the grown-up")
            try terminal.type("4711\r")
            try terminal.waitForText("settings.sqlite: it is damaged")
            return
        }
        #expect(try terminal.waitForExit() == .exited(65))
        let text = try terminal.screen().lines.joined()
        #expect(text.contains("settings.sqlite: it is damaged") && text.contains("Put it aside"), "\(text)")
    }
}
