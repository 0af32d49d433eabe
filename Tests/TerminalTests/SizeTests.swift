import TestSupport
import Testing

/// Numbers and names are shown in a terminal of any size, and follow changes of the size.
@Suite final class SizeTests: NewPlace {
    @Test func `Of several locations the name is there, however small the terminal`() throws {
        try place.run("location", "add", "Wren", "--key", "s")
        let terminal = try place.opened()
        try terminal.resize(columns: 20, rows: 6)
        try terminal.type("s")
        try terminal.waitForScreen("the name on Count") { $0.lines[0] == " 1     Wren  Count 1" }
        try terminal.type("3")
        try terminal.waitForScreen("the name on History") { $0.lines[0] == " 3     Wren  Count 1" }
    }

    @Test func `Flags and emoji in names keep the columns`() throws {
        try place.run("location", "add", "🇩🇪 Tür 👩‍👩‍👧")
        try place.run("location", "add", "xx Tür yy")
        // The name stands before the count, at the right end of the line: nine columns either way, of which the flag takes two
        // with one character, and the emoji too.
        let lengths = try ["🇩🇪 Tür 👩‍👩‍👧", "xx Tür yy"].map { name in
            let terminal = try place.opened(environment: ["COUNTER_LOCATION": name])
            return try terminal.waitForText("Tür").lines[0].count
        }
        #expect(lengths[0] == lengths[1] - 2)
    }

    @Test func `What is typed while the terminal changes its size is counted`() throws {
        let terminal = try place.opened()
        for (columns, rows) in [(60, 15), (20, 6), (10, 3), (1, 1), (120, 40), (80, 24)] {
            try terminal.type("++")
            try terminal.resize(columns: columns, rows: rows)
            try terminal.type("++-")
        }
        try terminal.waitForScreen("18 and all keys") {
            $0.count == 18 && $0.lines.count == 24 && $0.lines[23].contains("[Q Quit]")
        }
        #expect(try place.show() == "18")
    }

    @Test func `A screen of a thousand columns and four hundred rows is drawn right`() throws {
        try place.run("add", "7")
        let terminal = try place.opened(showing: 7, columns: 1000, rows: 400)
        try terminal.type("+")
        let screen = try terminal.waitForCount(8)
        #expect(screen.lines.count == 400)
        #expect(screen.lines[0].count == 1000 && screen.lines[0].hasSuffix("Count 8"))
        #expect(screen.lines.contains { $0.contains("[+]") })
        // Each row of the digits is one stretch or two, of blocks only.
        let digits = screen.lines[2..<360].filter { $0.contains("█") }
        #expect(digits.count > 200)
        #expect(digits.allSatisfy { $0.allSatisfy { "█▀▄▌▐▖▗▘▙▚▛▜▝▞▟ ".contains($0) } })
    }

    @Test(arguments: [5_000, 65_535])
    func `A terminal that says that it is larger than any counts, in bounded memory`(size: UInt16) throws {
        let program = try place.start(
            [], environment: Workplace.window.merging(["LANG": "C.UTF-8"]) { $1 },
            streams: .terminal(columns: size, rows: size))
        try program.skipOutput(past: "Count 0")
        try program.write("+")
        try program.skipOutput(past: "Count 1")
        #expect(program.process.mostResidentBytes < 200 << 20)
        #expect(try place.show() == "1")
    }
}
