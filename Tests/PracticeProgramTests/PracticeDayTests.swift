import CounterModel
import Glibc
import Practice
import TestSupport
import Testing

/// The program with clocks that a test sets.
@Suite struct PracticeDayTests {
    /// The program, and its clocks. The local day begins at midnight of UTC.
    private final class Afternoon {
        let place: PracticePlace
        let terminal: TerminalSession
        /// Seconds added to both clocks.
        private var (wall, steady) = (0, 0)

        init(limit: Int) throws {
            place = try PracticePlace { $0.parentSettings.dailyTimeLimits = ["a1": limit, "b2": limit] }
            // At noon of today, wherever the day of this machine is.
            wall = 43_200 - Int(time(nil)) % 86_400
            terminal = try place.open(
                environment: place.clocks(ahead: wall).merging(["TZ": "UTC"]) { $1 })
        }

        /// Lets time pass.
        func pass(_ seconds: Int) throws {
            wall += seconds
            steady += seconds
            try write()
        }

        /// Sets the wall clock.
        func set(by seconds: Int) throws {
            wall += seconds
            try write()
        }

        /// At once: the program reads the file at any time.
        private func write() throws {
            try place.tools.write("clocks.new", "\(wall) \(steady)")
            rename(place.tools.path(of: "clocks.new"), place.tools.path(of: "clocks"))
        }

        /// Plays so many minutes: a key each minute, for of each pause a minute counts.
        func play(minutes: Int) throws {
            for _ in 0..<minutes {
                try pass(60)
                let before = try terminal.screen()
                try terminal.type(TerminalSession.right)
                try terminal.waitForScreen("the next card") { $0 != before }
            }
        }
    }

    @Test func `The limit is said, reached, kept over the clock set back, and each player has one`() throws {
        let afternoon = try Afternoon(limit: 8)
        let terminal = afternoon.terminal
        defer { terminal.close() }
        try terminal.begin()
        try terminal.waitForText("8 min left")
        try afternoon.play(minutes: 4)
        try terminal.waitForText("4 min left")
        try afternoon.play(minutes: 4)
        try terminal.waitForText("no time left")
        try terminal.choose("Pattern", then: "On again tomorrow.")
        // Setting the clock back gives nothing, and neither does ending the program by force.
        try afternoon.set(by: -3 * 86_400)
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
        try afternoon.set(by: 4 * 86_400)
        try terminal.type(TerminalSession.right)
        try terminal.waitForText("8 min left")
    }
}
