import TestSupport
import Testing

/// A viewer may read everything and change nothing.
@Suite final class ViewerCommandTests: NewPlace {
    private static let changes = [
        "add", "add 5 --reason why", "sub", "reset", "reset --to 5", "undo", "undo --position 1",
        "undo --redo",
        "correct +1 --reason why", "day end --yes", "day end", "day undo --yes",
        "location add Cellar", "location add Attic", "location set Hall --capacity 5",
        "location set Hall --hidden true", "location remove Hall", "location remove default",
        "device assign door-1 Hall", "device rename door-1 x", "device disable door-1",
        "device enable door-1", "journal rename x",
        "import -", "ingest", "verify --rebuild",
    ]

    @Test func `Every command that changes something is refused and leaves all as it was`() throws {
        try place.run("location", "add", "Hall")
        try place.run("location", "add", "Attic")
        try place.run("location", "remove", "Attic")
        let lines = ["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"]
        try place.imports(lines)
        let before = try place.traces()
        let input = lines[0] + "\n2026-01-14T14:00:00Z,1,door-2\n"
        for command in Self.changes {
            let words = command.split(separator: " ").map(String.init)
            for (options, variables) in [(["--viewer"], [:]), ([], ["COUNTER_VIEWER": "true" as String?])] {
                let refused = try place.run(words + options, environment: variables, input: input)
                expectFailure(refused, 77, "journal.sqlite: a viewer changes nothing", "Leave out --viewer")
                #expect(refused.output == "", "\(command)")
                #expect(try place.traces() == before, "\(command)")
            }
        }
    }

    @Test func `Everything else is a viewer's too`() throws {
        try place.run("add", "3")
        for command in [
            "show", "status", "history", "history --entries", "day list", "location list", "devices",
            "export", "verify", "journal",
        ] {
            let words = command.split(separator: " ").map(String.init)
            let viewed = try place.run(words + ["--viewer"])
            #expect(viewed.status == .exited(0), "\(command)")
            #expect(viewed.errors == (try place.run(words).errors))
        }
    }
}

extension Workplace {
    /// The files of the journal, byte for byte, without the index of its log.
    func traces() throws -> [String: [UInt8]?] {
        [
            "journal.sqlite": bytes(of: "journal.sqlite"),
            "journal.sqlite-wal": bytes(of: "journal.sqlite-wal"),
        ]
    }
}

/// A viewer's screens change nothing, whatever is typed and clicked, and explain why.
@Suite final class ViewerScreenTests: NewPlace {
    private func viewed(_ place: Workplace) throws -> TerminalSession {
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        for command in [
            "location add Hall --capacity 5", "location set default --capacity 9", "add 2", "day end --yes",
            "add 3", "timer start 1h Robins",
        ] {
            #expect(try place.run(command.split(separator: " ").map(String.init)).status == .exited(0))
        }
        let terminal = try place.open(["--viewer"])
        try terminal.waitForCount(3)
        return terminal
    }

    @Test func `Neither all keys of all tabs nor clicks on every cell of the keys and rows change a byte`()
        throws
    {
        let terminal = try viewed(place)
        let before = try place.traces()
        let keys = (0x21..<0x7F).map { String(Unicode.Scalar(UInt8($0))) }.filter { !"qQ".contains($0) }
        for tab in ["Timers", "Count", "Live", "History", "Admin"] {
            try terminal.clickText(tab)
            for start in stride(from: 0, to: keys.count, by: 8) {
                try terminal.type(
                    keys[start..<min(start + 8, keys.count)].map { $0 + "\r\u{1B}[A\u{1B}[By\u{1B}[C" }
                        .joined())
            }
            try terminal.type("\u{1B}")
            try terminal.clickText(tab)
            for row in 1..<24 {
                try terminal.click(stride(from: 1, to: 60, by: row == 23 ? 3 : 8).map { ($0, row) })
            }
        }
        try terminal.clickText("Count")
        try terminal.waitForCount(3)
        #expect(try place.traces() == before)
    }

    @Test func `Listening as a viewer leaves all as it was`() throws {
        try place.run("add", "3")
        let before = try place.traces()
        let listener = try place.following(["--viewer"])
        try listener.terminate()
        #expect(try place.traces() == before)
    }
}
