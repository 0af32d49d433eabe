import Glibc
import TestSupport
import Testing

/// The program is killed at any moment, and nothing that it has shown is lost.
@Suite struct KillTests {
    private static let rounds = Volume.of(sample: 4, full: 20)

    @Test func `Killed again and again while it counts, it loses nothing that the screen has shown`() throws {
        let place = try Workplace.deaf()
        var generator = SystemRandomNumberGenerator()
        var least = 0
        for round in 1...Self.rounds {
            let terminal = try place.open([])
            defer { terminal.close() }
            // The count at the kill, and the most that the typed keys could have added.
            let start = try #require(terminal.waitForScreen("a count") { $0.count != nil }.count)
            #expect(start >= least, "round \(round)")
            // Keys that are typed at once are stored at once, so they are typed one by one.
            let process = try terminal.process
            let bursts = Int.random(in: 2...8, using: &generator)
            let typed = bursts * 3
            for _ in 1...bursts {
                try terminal.type("+++")
                // At most as long as a commit takes.
                pause(.microseconds(Int64.random(in: 0...3000, using: &generator)))
            }
            try process.signal(SIGKILL)
            #expect(try terminal.waitForExit() == .killed(SIGKILL))
            // If it was killed while it drew, the screen may show two counts.
            let shown = try #require(try terminal.screen().counts.min())
            let verdict = try place.verify()
            #expect(verdict == .init(status: .exited(0), output: "", errors: ""), "round \(round)")
            let kept = try #require(Int(try place.show()))
            #expect(kept >= shown && kept <= start + typed, "round \(round): shown \(shown), kept \(kept)")
            least = kept
        }
    }
}
