import TestSupport
import Testing

/// Answers of a terminal to a program that ran before: they count nothing, reset nothing and quit nothing.
@Suite struct TerminalAnswersTests {
    private static let answers: [[UInt8]] = [
        Array("\u{1B}]11;rgb:rrrr/++++/qqqq\u{1B}\\".utf8), Array("\u{1B}]4;1;rgb:rr/++/qq\u{7}".utf8),
        Array("\u{1B}P1$r0;1r+q\u{1B}\\".utf8), Array("\u{1B}_Gi=1;r+q\u{1B}\\".utf8),
        Array("\u{1B}^r+q\u{1B}\\".utf8), Array("\u{1B}Xr+q\u{1B}\\".utf8), Array("\u{1B}[?62;22c".utf8),
        [0x9B] + Array("12;40R".utf8), [0x9D] + Array("11;rgb:rr/++/qq".utf8) + [0x9C],
        [0x90] + Array("r+q".utf8) + [0x9C],
    ]

    @Test(arguments: answers) func `An answer does nothing, whole or in pieces`(answer: [UInt8]) throws {
        let place = try Workplace.deaf()
        try place.run("add", "7")
        let before = try place.exported().count
        let terminal = try place.opened(showing: 7)
        defer { terminal.close() }
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
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        try terminal.type("\u{1B}[200~+++q")
        try terminal.waitForText("pasted text had no end; it is thrown away")
        try terminal.type("+")
        try terminal.waitForCount(1)
        try terminal.type("3f")
        try terminal.waitForText("Such as 10min")
        try terminal.type("\u{1B}[200~last week")
        try terminal.waitForText("pasted text had no end; it is thrown away")
        #expect(try place.exported().count == 1)
    }

    @Test func `After a string that does not end keys are keys again`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        try terminal.type("\u{1B}]11;rgb:+++r")
        // Nothing may arrive for a second: there is no condition to await.
        pause(.milliseconds(1300))
        try terminal.type("+")
        try terminal.waitForCount(1)
        #expect(try place.exported().count == 1)
    }
}
