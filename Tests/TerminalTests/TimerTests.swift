import Foundation
import TestSupport
import Testing

/// Timers on the command line and on the screens of the real program.
@Suite struct TimerTests {
    private let place: Workplace

    init() throws { place = try Workplace.deaf() }

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
        #expect(try timer("stop", "1").output == "timer 1 'Robins in the hedge' is stopped: 5 in, 0 out\n")
        try place.run("add", "7")
        #expect(try timer("results", "--csv").output.contains(",default,5,0,5\n"))
        let json = try timer("results", "--json").output
        #expect(json.contains(#""totalIn":5,"totalOut":0,"net":5"#))
        #expect(try timer("remove", "1").status == .exited(0))
        #expect(try timer("list").output == "")
        #expect(try timer("results").output.contains("Robins in the hedge"))
        #expect(try place.verify().status == .exited(0))
    }

    @Test(arguments: [
        ("start 0", 64, "1s to 99:59:59"), ("start 100h", 64, "1s to 99:59:59"),
        ("start soon", 64, "no duration"),
        ("start 5m --mode loud", 64, "sound, vibration or silent"), ("start 5m --rounds 0", 64, "1 to 99"),
        ("start 5m --location nowhere", 66, "nowhere"), ("start 5m --viewer", 77, "a viewer changes nothing"),
        ("pause 9", 66, "there is no timer '9'"),
        ("preset start nothing", 66, "there is no preset 'nothing'"),
        ("resume 1", 69, "timer 1 is running"), ("stop twin", 64, "several timers are called 'twin': 1, 2"),
        ("preset add 5m set", 65, "there is a preset 'set' already"),
        ("start 5m", 69, "5 timers are running"),
    ])
    func `What is wrong is refused with a reason`(words: String, status: Int32, why: String) throws {
        for label in ["twin", "twin", "c", "d", "e"] { _ = try timer("start", "1h", label) }
        _ = try timer("preset", "add", "1m", "Set")
        let outcome = try place.run(["timer"] + words.split(separator: " ").map(String.init))
        expectFailure(outcome, status, why)
    }

    @Test func `Presets are kept, edited, removed and restored`() throws {
        _ = try timer("preset", "add", "1m", "Sets", "--rounds", "3", "--pause", "30s", "--mode", "silent")
        #expect(try timer("preset", "list").output.contains("3 x 1m, 30s  silent"))
        #expect(try timer("preset", "start", "1").output.contains("'Sets' (3 x 1m, 30s) runs until"))
        _ = try timer("preset", "edit", "sets", "--duration", "90s")
        #expect(try timer("preset", "start", "Sets", "--json").output.contains(#""seconds":90"#))
        #expect(try timer("preset", "remove", "1").status == .exited(0))
        #expect(try timer("preset", "list").output == "")
        #expect(try timer("preset", "list", "--all").output.contains("Sets"))
        #expect(try timer("preset", "restore", "Sets").status == .exited(0))
        #expect(try timer("preset", "list").output.contains("1m30s"))
    }

    @Test func `Another journal takes timers over with an export`() throws {
        _ = try timer("start", "1h", "Robins")
        try place.run("add", "3")
        let lines = try place.run("export", "--format", "jsonl", "--all").output
        let other = try Workplace.deaf()
        let file = other.directory + "/export.jsonl"
        try lines.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try other.run("import", file).status == .exited(0))
        #expect(try other.run("import", file).status == .exited(0))
        #expect(try other.run("timer", "list").output == timer("list").output)
        #expect(try other.verify().status == .exited(0))
    }
}
