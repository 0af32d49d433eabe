import Glibc
import Practice
import TestSupport
import Testing

@Suite struct PracticePINTests {
    /// Sets the clock of the programs that load it a year ahead.
    private static let clockAhead = """
        #include <time.h>
        #include <unistd.h>
        #include <sys/syscall.h>
        extern "C" int clock_gettime(clockid_t clock, timespec *time) noexcept {
            int result = syscall(SYS_clock_gettime, clock, time);
            if (clock == CLOCK_REALTIME) time->tv_sec += 365L * 86400;
            return result;
        }
        """

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
        let clock = try place.place.library("clock", Self.clockAhead)
        terminal = try place.open(environment: clock.mapValues { $0 })
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

    @Test func `With the two keys alone, no limit, lock, reward or PIN is changed, and no player made`()
        throws
    {
        var random = SplitMix64(seed: 16)
        let place = try PracticePlace { $0.parentSettings.lockedActivities["b2"] = [.raetselPuzzle] }
        let before = try place.settings()?.parentSettings
        let terminal = try place.open()
        for _ in 0..<40 {
            for _ in 0..<20 {
                try terminal.type(["\u{1B}[C", "\u{1B}[D", "\r"].randomElement(using: &random) ?? "")
            }
            try terminal.sendKey("Escape")
            // Whoever ends the program starts it again.
            guard terminal.hasEnded else { continue }
            return try check(place, before)
        }
        try check(place, before)
    }

    private func check(_ place: PracticePlace, _ before: ParentSettings?) throws {
        #expect(try place.settings()?.parentSettings == before)
        #expect(place.folder.playerIds == ["a1", "b2"])
        #expect(try SettingsStore(place.folder.settingsPath, makes: false).pin() == PracticePlace.pin)
    }
}

extension TerminalSession {
    /// Whether the program has ended.
    var hasEnded: Bool { (try? process.isAlive) != true }
}
