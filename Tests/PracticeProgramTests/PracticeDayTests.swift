import CounterModel
import Glibc
import Practice
import TestSupport
import Testing

/// The program with clocks that a test sets.
@Suite struct PracticeDayTests {
    @Test func `The limit is said, reached, kept over the clock set back, and each player has one`() throws {
        let place = try PracticePlace { $0.parentSettings.dailyTimeLimits = ["a1": 8, "b2": 8] }
        // What is added to both clocks. The local day is that of UTC, and it is noon, wherever the day of this machine is.
        var (wall, steady) = (43_200 - Int(time(nil)) % 86_400, 0)
        let terminal = try place.open(
            environment: place.clocks(ahead: wall).merging(["TZ": "UTC"]) { $1 })
        defer { terminal.close() }
        func advance(wall seconds: Int, steady passed: Int = 0) throws {
            wall += seconds
            steady += passed
            // At once: the program reads the file at any time.
            try place.tools.write("clocks.new", "\(wall) \(steady)")
            rename(place.tools.path(of: "clocks.new"), place.tools.path(of: "clocks"))
        }
        /// A key each minute, for of each pause a minute counts.
        func play(minutes: Int) throws {
            for _ in 0..<minutes {
                try advance(wall: 60, steady: 60)
                let before = try terminal.screen()
                try terminal.type(TerminalSession.right)
                try terminal.waitForScreen("the next card") { $0 != before }
            }
        }
        try terminal.begin()
        try terminal.waitForText("8 min left")
        try play(minutes: 4)
        try terminal.waitForText("4 min left")
        try play(minutes: 4)
        try terminal.waitForText("no time left")
        try terminal.choose("Pattern", then: "On again tomorrow.")
        // Setting the clock back gives nothing, and neither does ending the program by force.
        try advance(wall: -3 * 86_400)
        try terminal.type(TerminalSession.right)
        try terminal.waitForText("no time left")
        try terminal.leave()
        // The other player has time of their own.
        try terminal.begin("Noah")
        try terminal.waitForText("8 min left")
        try terminal.leave()
        try terminal.begin("Mia")
        try terminal.waitForText("no time left")
        // The next day has time again.
        try advance(wall: 4 * 86_400)
        try terminal.type(TerminalSession.right)
        try terminal.waitForText("8 min left")
    }
}
