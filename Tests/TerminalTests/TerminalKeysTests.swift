import Glibc
import TestSupport
import Testing

/// Volume keys that the terminal reports by kitty's keyboard protocol: counted without a device, as over SSH.
@Suite final class TerminalKeysTests: NewPlace {
    @Test func `Presses count until they are given back or disabled, and the source is named`() throws {
        let terminal = try place.opened()
        try terminal.type(VolumeKey.reportsReleases + VolumeKey.raised)
        #expect(try terminal.waitForCount(1).contains("terminal keys"))
        try terminal.type("v" + VolumeKey.lowered + "v")
        try place.run("device", "disable", "terminal-volume-keys")
        // A later change is shown later.
        try place.run("add", "10")
        try terminal.waitForCount(11)
        try terminal.type(VolumeKey.lowered + "+")
        try terminal.waitForCount(12)
        #expect(try place.exported().count { $0.contains("terminal-volume-keys") } == 1)
        #expect(try place.verify().status == .exited(0))
    }
}

/// What a terminal sends by kitty's keyboard protocol: presses with their releases.
enum VolumeKey {
    static let raised = "\u{1B}[57439u\u{1B}[57439;1:3u"
    static let lowered = "\u{1B}[57438u\u{1B}[57438;1:3u"
    /// The terminal's answer that it reports releases.
    static let reportsReleases = "\u{1B}[?7u"
}

/// Answers of a terminal to a program that ran before: they count nothing, reset nothing and quit nothing.
@Suite final class TerminalAnswersTests: NewPlace {
    @Test func `An answer does nothing, whole or in pieces`() throws {
        let answers = [
            Array("\u{1B}]11;rgb:rrrr/++++/qqqq\u{1B}\\".utf8), Array("\u{1B}[?62;22c".utf8),
            [0x90] + Array("r+q".utf8) + [0x9C],
        ]
        let terminal = try place.opened()
        for (number, answer) in answers.enumerated() {
            try terminal.send(bytes: answer)
            try terminal.type("+")
            try terminal.waitForCount(number * 2 + 1)
            for piece in [answer.prefix(4), answer.dropFirst(4)] { try terminal.send(bytes: Array(piece)) }
            try terminal.type("+")
            try terminal.waitForCount(number * 2 + 2)
        }
        #expect(try place.exported().count == 6)
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

/// Typing and pasting into a field of the real program.
@Suite final class FieldTests: NewPlace {
    private func ids(_ place: Workplace) throws -> [[Unicode.Scalar]] {
        try place.objects("location", "list", "--json").compactMap { $0["name"] as? String }.map {
            Array($0.unicodeScalars)
        }
    }

    @Test(arguments: ["हिन्दी ที่นี่", "Cafe\u{301}", "می\u{200C}خواهم", "👨\u{200D}👩\u{200D}👧"])
    func `A name is stored as it was typed, to the last mark`(name: String) throws {
        let terminal = try place.openedAdmin()
        try terminal.type("a\(name)\r")
        try terminal.waitForText("is added")
        #expect(try ids(place).contains(Array(name.unicodeScalars)))
    }

    // tmux accepts no more at once.
    private func typeBook(_ terminal: TerminalSession) throws {
        for _ in 0..<5 { try terminal.type(String(repeating: "x", count: 4_000)) }
    }

    /// Without bracketed paste, as some terminals send it. Each key took 18 ms at 800 characters once.
    @Test func `A book that is typed leaves the program with ears`() throws {
        let terminal = try place.openedAdmin()
        try terminal.type("a")
        try typeBook(terminal)
        try terminal.waitForText("there is no room for more", timeout: .seconds(10))
        try terminal.waitForBell()
        try terminal.type("\r")
        try terminal.waitForText("a name has at most 64 characters")
        try typeBook(terminal)
        try terminal.process.signal(SIGTERM)
        #expect(try terminal.waitForExit(timeout: .seconds(10)) == .exited(0))
    }
}
