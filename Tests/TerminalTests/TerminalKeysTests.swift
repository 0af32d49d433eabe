import TestSupport
import Testing

/// Volume keys that the terminal reports by kitty's keyboard protocol: counted without a device, as over SSH.
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
}

/// Answers of a terminal to a program that ran before: they count nothing, reset nothing and quit nothing.
@Suite final class TerminalAnswersTests: NewPlace {
    private static let answers: [[UInt8]] = [
        Array("\u{1B}]11;rgb:rrrr/++++/qqqq\u{1B}\\".utf8), Array("\u{1B}[?62;22c".utf8),
        [0x90] + Array("r+q".utf8) + [0x9C],
    ]

    @Test(arguments: answers) func `An answer does nothing, whole or in pieces`(answer: [UInt8]) throws {
        try place.run("add", "7")
        let before = try place.exported().count
        let terminal = try place.opened(showing: 7)
        try terminal.send(bytes: answer)
        try terminal.type("+")
        try terminal.waitForCount(8)
        try terminal.send(bytes: Array(answer.prefix(4)))
        try terminal.send(bytes: Array(answer.dropFirst(4)))
        try terminal.type("+")
        try terminal.waitForCount(9)
        #expect(try place.exported().count == before + 2)
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
