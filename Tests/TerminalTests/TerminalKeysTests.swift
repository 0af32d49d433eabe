import TestSupport
import Testing

/// Volume keys that the terminal reports by kitty's keyboard protocol: counted without a device, as over SSH.
@Suite struct TerminalKeysTests {
    private static let raise = "\u{1B}[57439u"
    private static let raiseUp = "\u{1B}[57439;1:3u"
    private static let lower = "\u{1B}[57438u"
    private static let lowerUp = "\u{1B}[57438;1:3u"
    /// A terminal's answer: it reports releases.
    private static let tellsReleases = "\u{1B}[?7u"

    /// The kinds of all entries of the terminal's volume keys.
    private func entries(_ place: Workplace) throws -> [String] {
        try place.exported().filter { $0.contains("terminal-volume-keys") }
    }

    @Test func `Presses count, and the source is named on the screen`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        try terminal.type(Self.tellsReleases + Self.raise + Self.raiseUp)
        #expect(try terminal.waitForCount(1).contains("terminal keys"))
        // Caps Lock, or Shift, makes no difference.
        try terminal.type("\u{1B}[57438;66u\u{1B}[57438;66:3u")
        try terminal.waitForCount(0)
        #expect(try entries(place).count == 2)
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Both together reset`() throws {
        let place = try Workplace.deaf()
        try place.run("add", "5")
        let terminal = try place.opened(showing: 5)
        defer { terminal.close() }
        try terminal.type(Self.tellsReleases + Self.lower + Self.raise + Self.lowerUp + Self.raiseUp)
        try terminal.waitForCount(0)
        try eventually("a reset in the journal") { try place.exported().contains { $0.contains("reset") } }
    }

    @Test func `Held it counts on until it is released`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        try terminal.type(Self.tellsReleases + Self.raise)
        try terminal.waitForScreen("a few counts") { ($0.count ?? 0) >= 3 }
        // The terminal's own repeats are ignored.
        try terminal.type("\u{1B}[57439;1:2u" + Self.raiseUp + "r")
        try eventually("the reset in the journal") { try place.show() == "0" }
        // Longer than two repeats: that nothing comes cannot be awaited.
        pause(.milliseconds(400))
        #expect(try place.show() == "0")
    }

    @Test func `Another window's focus ends a hold`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.waitForText("[Q")
        try terminal.type(Self.tellsReleases + Self.raise)
        try terminal.waitForScreen("a few counts") { ($0.count ?? 0) >= 3 }
        try terminal.report(focus: false)
        try terminal.type("r")
        try eventually("the reset in the journal") { try place.show() == "0" }
        pause(.milliseconds(400))
        #expect(try place.show() == "0")
    }

    @Test func `A terminal that tells of no release counts each press once`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        try terminal.type(Self.raise)
        try terminal.waitForCount(1)
        // Longer than a hold needs to begin.
        pause(.milliseconds(700))
        try terminal.type(Self.raise)
        try terminal.waitForCount(2)
        #expect(try entries(place).count == 2)
    }

    @Test func `Keys that are given back, or disabled, do not count`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        try terminal.type(Self.raise + "v" + Self.lower + "v")
        try terminal.waitForCount(1)
        try place.run("device", "disable", "terminal-volume-keys")
        // A later change is shown later.
        try place.run("add", "10")
        try terminal.waitForCount(11)
        try terminal.type(Self.lower + "+")
        try terminal.waitForCount(12)
        #expect(try entries(place).count == 1)
    }

    @Test func `A viewer's presses count nothing and wait for nothing`() throws {
        let place = try Workplace.deaf()
        try place.run("add")
        let terminal = try place.open(["--viewer"])
        defer { terminal.close() }
        try terminal.waitForCount(1)
        try terminal.type(Self.tellsReleases + Self.raise + Self.raiseUp)
        try terminal.waitForText("read-only view: nothing was changed")
        #expect(try entries(place).isEmpty)
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))
    }

    @Test func `Other keys work in either form`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        // +, its release, the keypad's +, Up and its release, -.
        try terminal.type("\u{1B}[61:43;2u\u{1B}[61;2:3u\u{1B}[57413u\u{1B}[1;1:1A\u{1B}[1;1:3A\u{1B}[45u")
        try terminal.waitForCount(2)
        try terminal.type("?")
        try terminal.waitForText("Esc closes")
        try terminal.type("\u{1B}[27u")
        try terminal.waitForScreen("the help to go") { !$0.contains("Esc closes") }
        try terminal.type("\u{1B}[113u")
        #expect(try terminal.waitForExit() == .exited(0))
    }

    @Test func `Ctrl-Z by the protocol stops the program`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.shell()
        defer { terminal.close() }
        try terminal.type("counter\n")
        try terminal.waitForCount(0)
        try terminal.type("\u{1B}[122;5u")
        try terminal.waitForText("Stopped")
        #expect(try terminal.modes == .shell)
        try terminal.type("fg\n")
        try terminal.waitForCount(0)
        try terminal.type("\u{1B}[99;5u")
        try terminal.waitForScreen("the shell") { !$0.contains("Count") && $0.contains("fg") }
    }
}
