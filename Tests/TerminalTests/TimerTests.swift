import Foundation
import TestSupport
import Testing

/// Timers on the command line and on the screens of the real program.
@Suite final class TimerTests: NewPlace {
    private func timer(_ words: String...) throws -> ChildProcess.Outcome { try place.run(["timer"] + words) }

    @Test func `A timer counts what is counted while it runs`() throws {
        try place.run("add", "5")
        #expect(
            try timer("start", "1h", "Robins", "in the hedge").output.hasPrefix(
                "timer 1 'Robins in the hedge' (1h)"))
        try place.run("add", "3")
        try place.run("sub")
        try place.run("undo")
        #expect(try timer("pause", "robins in the hedge").status == .exited(0))
        try place.run("add", "7")
        #expect(try timer("resume", "1").status == .exited(0))
        try place.run("add", "2")
        #expect(try timer("stop", "1").output == "timer 1 'Robins in the hedge' is stopped: 5 up, 0 down\n")
        try place.run("add", "7")
        #expect(try timer("results", "--csv").output.contains(",default,5,0,5\n"))
        let json = try timer("results", "--json").output
        #expect(json.contains(#""totalIn":5,"totalOut":0,"net":5"#))
        #expect(try timer("remove", "1").status == .exited(0))
        #expect(try timer("list").output == "")
        #expect(try timer("results").output.contains("Robins in the hedge"))
        #expect(try place.verify().status == .exited(0))
    }

    /// What is refused, with the status and the reason.
    private static let wrong: [(words: String, status: Int32, why: String)] = [
        ("start 0", 64, "1s to 99:59:59"), ("start soon", 64, "no duration"),
        ("start 5m --mode loud", 64, "sound, vibration or silent"), ("start 5m --rounds 0", 64, "1 to 99"),
        ("start 5m --location nowhere", 66, "nowhere"), ("start 5m --viewer", 77, "a viewer changes nothing"),
        ("pause 9", 66, "there is no timer '9'"),
        ("preset start nothing", 66, "there is no preset 'nothing'"),
        ("resume 1", 69, "timer 1 is running"), ("stop twin", 64, "several timers are called 'twin': 1, 2"),
        ("preset add 5m set", 65, "there is a preset 'set' already"),
        ("start 5m", 69, "5 timers are running"),
        ("pause twim", 66, "Did you mean 'twin'?"), ("preset start Sett", 66, "Did you mean 'Set'?"),
        ("start 1h 30m pause", 64, "write 1h30m for one"), ("start 5m, 1m x", 64, "between rounds"),
        ("start 5m x --pause 30s", 64, "Name --rounds too"),
        ("start 5m x --rounds 2 --pause 500ms", 64, "a pause lasts 0s"), ("start", 64, "duration"),
        ("start 3 x 5m 1m Sets", 64, "write 5m, 1m for rounds with pauses"),
        ("preset edit Set --duration 5m_x", 64, "no duration"), ("preset restore Set", 66, "no preset 'Set'"),
    ]

    @Test func `What is wrong is refused with a reason, and changes nothing`() throws {
        for label in ["twin", "twin", "c", "d", "e"] { _ = try timer("start", "1h", label) }
        _ = try timer("preset", "add", "1m", "Set")
        let before = try place.exported()
        for (words, status, why) in Self.wrong {
            expectFailure(
                try place.run(["timer"] + words.split(separator: " ").map(String.init)), status, why)
        }
        #expect(try place.exported() == before)
    }

    @Test func `Presets are kept, edited, removed and restored`() throws {
        _ = try timer("preset", "add", "1m", "Sets", "--rounds", "3", "--pause", "30s", "--mode", "silent")
        #expect(try timer("preset", "list").output.contains("3 x 1m, 30s  silent"))
        #expect(try timer("preset", "start", "1").output.contains("'Sets' (3 x 1m, 30s) runs until"))
        _ = try timer("preset", "edit", "sets", "--duration", "2 x 1m, 5s")
        #expect(try timer("preset", "list").output.contains("2 x 1m, 5s  silent"))
        expectFailure(
            try timer("preset", "edit", "sets", "--duration", "2 x 1m x"), 64, "--label gives it one")
        _ = try timer("preset", "edit", "sets", "--duration", "90s")
        #expect(try timer("preset", "start", "Sets", "--json").output.contains(#""seconds":90"#))
        #expect(try timer("preset", "remove", "1").status == .exited(0))
        #expect(try timer("preset", "list").output == "")
        #expect(try timer("preset", "list", "--all").output.contains("Sets"))
        #expect(try timer("preset", "restore", "Sets").status == .exited(0))
        #expect(try timer("preset", "list").output.contains("2 x 1m30s, 5s"))
    }

    @Test(arguments: [["3 x 5m, 1m Sets"], ["3", "x", "5m,", "1m", "Sets"], ["3x5m,1m", "Sets"]])
    func `Rounds are understood as the screen shows them`(words: [String]) throws {
        let outcome = try place.run(["timer", "start"] + words)
        #expect(outcome.output.hasPrefix("timer 1 'Sets' (3 x 5m, 1m) runs until "), "\(outcome)")
        #expect(try timer("start", "5", "xylophones").output.hasPrefix("timer 2 'xylophones' (5m)"))
    }

    @Test func `An end on another day is named with its day`() throws {
        let far = try timer("start", "99h", "Long").output
        #expect(far.contains(#/runs until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n/#), "\(far)")
    }

    private func fourAtOnce(_ action: String, _ timer: String) throws -> [ChildProcess.Outcome] {
        let programs = try (0..<4).map { _ in try place.start(["timer", action, timer]) }
        return try programs.map { try $0.outcome() }
    }

    @Test func `Started again four times at once it runs once, and who is too late to remove it is told`()
        throws
    {
        let told = [
            "counter: timer 'Robins' was started again or removed meanwhile\n",
            "counter: there is no timer 'Robins'\n",
        ]
        for _ in 1...Volume.of(sample: 5, full: 40) {
            _ = try timer("start", "1h", "Robins")
            _ = try timer("stop", "1")
            let starts = try fourAtOnce("again", "1")
            #expect(starts.count { $0.status == .exited(0) } == 1, "\(starts)")
            #expect(try timer("list").output.split(separator: "\n").count == 2)
            _ = try timer("stop", "1")
            for removal in try fourAtOnce("remove", "Robins") where removal.status != .exited(0) {
                #expect(told.contains { removal.errors.hasPrefix($0) }, "\(removal)")
            }
        }
    }

    @Test func `What a preset has is taken back, and its locations are added to`() throws {
        try place.run("location", "add", "Hall")
        try place.run("location", "add", "Yard")
        _ = try timer(
            "preset", "add", "1m", "Sets", "--rounds", "3", "--pause", "30s", "--location", "Hall")
        let outcome = try timer("preset", "edit", "Sets", "--pause", "0", "--also", "Yard", "--lead-in")
        #expect(
            outcome.output.contains("3 x 1m  sound") && outcome.output.contains("Hall, Yard"), "\(outcome)")
        for words in [["preset", "add", "1m", "x"], ["preset", "edit", "Sets"]] {
            let both = try place.run(["timer"] + words + ["--all", "--location", "Hall"])
            expectFailure(both, 64, "--all and --location exclude each other")
        }
    }
}
