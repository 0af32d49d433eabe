import TestSupport
import Testing

/// What a terminal sends besides typed keys: volume keys by kitty's keyboard protocol, counted without a device, as over SSH, and
/// pasted text.
@Suite final class TerminalKeysTests: NewPlace {
    private static let raise = "\u{1B}[57439u"
    private static let raiseUp = "\u{1B}[57439;1:3u"
    private static let lower = "\u{1B}[57438u"
    /// A terminal's answer: it reports releases.
    private static let tellsReleases = "\u{1B}[?7u"

    /// The kinds of all entries of the terminal's volume keys.
    private func entries(_ place: Workplace) throws -> [String] {
        try place.exported().filter { $0.contains("terminal-volume-keys") }
    }

    @Test func `Presses count, and the source is named on the screen`() throws {
        let terminal = try place.opened()
        try terminal.type(Self.tellsReleases + Self.raise + Self.raiseUp)
        #expect(try terminal.waitForCount(1).contains("terminal keys"))
        // Caps Lock, or Shift, makes no difference.
        try terminal.type("\u{1B}[57438;66u\u{1B}[57438;66:3u")
        try terminal.waitForCount(0)
        #expect(try entries(place).count == 2)
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Keys that are given back, or disabled, do not count`() throws {
        let terminal = try place.opened()
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

    @Test func `A paste that does not end is thrown away, and keys are keys again`() throws {
        let terminal = try place.opened()
        try terminal.type("\u{1B}[200~+++q")
        try terminal.waitForText("pasted text had no end; it is thrown away")
        try terminal.type("+")
        try terminal.waitForCount(1)
        #expect(try place.exported().count == 1)
    }
}
