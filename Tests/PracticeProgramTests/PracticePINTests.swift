import Glibc
import TestSupport
import Testing

@Suite struct PracticePINTests {
    private func guess(_ pin: String, _ terminal: TerminalSession) throws -> Screen {
        try terminal.type("\(pin)\r")
        return try terminal.waitForScreen("an answer") {
            $0.contains("not the PIN") || $0.contains("Too many tries") || $0.contains("Change the PIN")
        }
    }

    @Test func `Guesses slow down, also over a kill, a restart and with the clock set`() throws {
        let place = try PracticePlace()
        var terminal = try place.open()
        try terminal.choose("Grown-up", then: "PIN of the grown-up")
        for guess in 0..<5 {
            #expect(try self.guess("000\(guess)", terminal).contains("not the PIN"))
            try terminal.type("\u{15}")
            try terminal.waitForText("Then Enter")
        }
        let refused = try guess("0005", terminal)
        #expect(refused.lines.contains { $0.contains(/Too many tries: wait (30|2\d|1\d) s/) })
        // The right one neither: it is not looked at.
        try terminal.type("\u{15}")
        #expect(try guess("4711", terminal).contains("Too many tries"))
        try terminal.process.signal(SIGKILL)
        terminal.close()
        terminal = try place.open(environment: place.clocks(ahead: 365 * 86_400))
        defer { terminal.close() }
        try terminal.choose("Grown-up", then: "PIN of the grown-up")
        #expect(try guess("4711", terminal).contains("Too many tries"))
    }

    @Test func `Who removes the PIN chooses another one at the next start`() throws {
        let place = try PracticePlace()
        #expect(try place.place.run("practice", "pin").status == .exited(64))
        #expect(try place.place.run("practice", "pin", "--reset").output.hasPrefix("The PIN is removed."))
        let terminal = try place.place.open(["practice"])
        try terminal.waitForText("Grown-up: choose a PIN")
        try terminal.type("2222\r")
        try terminal.waitForText("once more")
        try terminal.type("2222\r")
        try terminal.choose("No", then: "Who plays?")
        try terminal.administer(pin: "2222", then: "Change the PIN")
    }
}
