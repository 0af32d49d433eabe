import TestSupport
import Testing

/// Every number is shown in a terminal of any size, and follows changes of the size.
@Suite final class SizeTests: NewPlace {
    static let levels = [0, -999_999, Int.max, Int.min]
    static let sizes = [(80, 24), (40, 12), (200, 60), (18, 5)]

    @Test(arguments: levels)
    func `The count is there as plain text, however small the terminal`(level: Int) throws {
        try place.run("reset", "--to=\(level)")
        let terminal = try place.opened(showing: level)
        for (columns, rows) in Self.sizes {
            try terminal.resize(columns: columns, rows: rows)
            // Below 20 by 6 only the number is shown, as large as possible: as block digits, or as text over two
            // lines.
            if columns < 20 {
                try terminal.waitForScreen("the number alone") { screen in
                    let text = screen.lines.map { $0.filter { $0 != " " } }.joined()
                    return screen.lines.count == rows && !text.contains("Count")
                        && (text.contains("\(level)") || text.unicodeScalars.contains { $0.value > 0x2500 })
                }
            } else {
                let screen = try terminal.waitForScreen("\(level) at \(columns) by \(rows)") {
                    $0.lines.count == rows && $0.lines[rows - 1].contains("[+]")
                        && $0.lines[0].hasSuffix("Count \(level)")
                }
                #expect(screen.lines.allSatisfy { $0.count <= columns })
            }
        }
    }

    @Test func `Of several locations the name is there, however small the terminal`() throws {
        try place.run("location", "add", "Wren", "--key", "s")
        let terminal = try place.opened()
        try terminal.resize(columns: 20, rows: 6)
        try terminal.type("s")
        try terminal.waitForScreen("the name on Count") { $0.lines[0] == " 1     Wren  Count 1" }
        try terminal.type("3")
        try terminal.waitForScreen("the name on History") { $0.lines[0] == " 3     Wren  Count 1" }
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
            [], environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8"],
            streams: .terminal(columns: size, rows: size))
        try program.skipOutput(past: "Count 0")
        try program.write("+")
        try program.skipOutput(past: "Count 1")
        #expect(program.process.mostResidentBytes < 200 << 20)
        #expect(try place.show() == "1")
    }
}
