import Glibc
import TestSupport
import Testing

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
        #expect(try terminal.hasRung)
        try terminal.type("\r")
        try terminal.waitForText("a name has at most 64 characters")
        try typeBook(terminal)
        try terminal.process.signal(SIGTERM)
        #expect(try terminal.waitForExit(timeout: .seconds(10)) == .exited(0))
    }
}
