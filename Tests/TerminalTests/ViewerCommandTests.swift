import TestSupport
import Testing

/// A viewer may read everything and change nothing.
@Suite struct ViewerCommandTests {
    private static let changes = [
        "add", "add 5 --reason why", "sub", "reset", "reset --to 5", "undo", "undo --position 1",
        "correct +1 --reason why", "day end --yes", "day end",
        "location add Cellar", "location add Attic", "location set Hall --capacity 5",
        "location set Hall --hidden true", "location remove Hall", "location remove default",
        "device assign door-1 Hall", "device rename door-1 x", "device disable door-1",
        "device enable door-1",
        "import -", "ingest", "verify --rebuild",
    ]

    @Test func `Every command that changes something is refused and leaves all as it was`() throws {
        let place = try Workplace.deaf()
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
        let place = try Workplace.deaf()
        try place.run("add", "3")
        for command in [
            "show", "status", "history", "history --entries", "day list", "location list", "devices",
            "export", "verify",
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
