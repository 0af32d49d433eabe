import Foundation
import Glibc
import TestSupport
import Testing

/// Text from other users, such as names and reasons, never reaches a terminal as a control sequence, and is exported
/// so that it can be imported again.
@Suite struct CleanLinesTests {
    /// A journal of an earlier version, whose reason has line breaks and control characters.
    private static func old() throws -> Workplace {
        let place = try Workplace.deaf()
        try place.run("add", "--reason", "REASON")
        try place.run("add", "--reason", "=1+1, \"quoted\"")
        try place.rewrite(
            "UPDATE journal SET text = 'two' || char(13, 10) || 'lines' || char(27, 155) || '[2J' WHERE text = 'REASON'"
        )
        return place
    }

    @Test(arguments: ["csv", "jsonl"])
    func `A reason with control characters is exported with spaces, and comes in again`(format: String) throws
    {
        let place = try Self.old()
        let exported = try place.run("export", "--format", format).output
        #expect(!exported.holdsControls, "\(exported)")
        #expect(exported.contains("two  lines  [2J"))
        let new = try Workplace.deaf()
        #expect(
            try new.run("import", "-", input: exported).output
                == "accepted 2, duplicate 0, conflict 0, refused 0\n")
        let again = try new.run("export", "--format", format).output
        let expected = exported.replacing("manual", with: "import")
        #expect(Self.withoutRowIds(again) == Self.withoutRowIds(expected))
    }

    @Test(arguments: ["\u{202E}", "\u{200B}", "\u{2066}\u{2069}", "\u{301}", "  "])
    func `A typed reason or name that cannot be seen is refused with the rule`(text: String) throws {
        let place = try Workplace.deaf()
        for words in [["add", "--reason", text], ["correct", "+1", "--reason", text]] {
            expectFailure(try place.run(words), 64, "at least one of them visible")
        }
        for words in [
            ["location", "add", text], ["location", "add", "Hall", "--name", text],
            ["device", "rename", "a", text],
        ] {
            expectFailure(try place.run(words), 64, "at least one of them visible")
        }
        // Rows of other journals have what they have.
        let row =
            "{\"type\":\"in\",\"timestamp\":\"2026-01-14T13:00:00Z\",\"source\":\"manual\",\"reason\":\"\(text)\"}\n"
        #expect(
            try place.run(["import", "-", "--format", "jsonl"], input: row).output.hasPrefix("accepted 1"))
    }

    /// Lines without their last column, which is of the journal that they are from.
    private static func withoutRowIds(_ lines: String) -> [Substring] {
        lines.split(separator: "\n").map { $0.prefix(upTo: $0.lastIndex(of: ",") ?? $0.endIndex) }
    }

    @Test func `Whatever shows a reason shows it without control characters`() throws {
        let place = try Self.old()
        for command in [
            ["history", "--entries"], ["history", "--entries", "--csv"], ["history", "--entries", "--json"],
        ] {
            let outcome = try place.run(command)
            #expect(outcome.status == .exited(0))
            #expect(
                outcome.output.contains("two  lines  [2J") && !outcome.output.holdsControls,
                "\(outcome.output)")
        }
        let listener = try place.listen(["--json", "--after", "0"])
        defer { listener.end() }
        let line = try #require(try listener.readLine())
        #expect(line.contains("two  lines  [2J") && !line.holdsControls, "\(line)")
        // Another journal imports the line.
        let taken = try Workplace.deaf().run("ingest", input: line)
        #expect(taken.output.contains("accepted"), "\(taken.output)")
    }

    @Test func `What is refused, and what verify finds, is told without control characters`() throws {
        let place = try Workplace.deaf()
        let evil = "a\\u001b[2J\\u009bb\\nc"
        let lines = [
            #"{"timestamp":"\#(evil)","delta":1,"deviceId":"door"}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","delta":"\#(evil)","deviceId":"door"}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","delta":1,"deviceId":"\#(evil)"}"#,
            #"{"\#(evil)":1,"\#(evil)":2}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","type":"\#(evil)"}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","delta":1,"locationId":"x\u0085"}"#,
        ]
        let imported = try place.run("import", "-", input: lines.joined(separator: "\n"))
        #expect(imported.output.contains("refused 6"))
        #expect(
            !imported.errors.holdsControls && imported.errors.split(separator: "\n").count == 6,
            "\(imported.errors)")
        let ingested = try place.run("ingest", input: lines.joined(separator: "\n"))
        #expect(
            !ingested.output.holdsControls && ingested.output.split(separator: "\n").count == 6,
            "\(ingested.output)")
        let named = try place.run("show", "--location", "a\u{1B}[2J\u{9B}\nb")
        #expect(named.status == .exited(66) && !named.errors.holdsControls, "\(named.errors)")
        let option = try place.run("show", "--a\u{1B}[2J\u{9B}")
        #expect(option.status == .exited(64) && !option.errors.holdsControls, "\(option.errors)")

        try place.run("add")
        try place.rewrite("UPDATE counterState SET level = 99", of: "counterState")
        let verified = try place.verify()
        #expect(verified.status != .exited(0))
        #expect(!(verified.output + verified.errors).holdsControls, "\(verified.output)\(verified.errors)")
    }

    @Test func `For spreadsheets a formula is a text`() throws {
        let place = try Workplace.deaf()
        try place.run("add", "--reason", "=1+1")
        #expect(try place.run("export", "--safe-formulas").output.contains(",'=1+1,"))
        #expect(try place.run("export").output.contains(",=1+1,"))
        expectFailure(
            try place.run("export", "--format", "jsonl", "--safe-formulas"), 64,
            "--safe-formulas is for --format csv")
    }

    @Test func `A row that no journal can have stored is refused, and breaks nothing`() throws {
        let place = try Workplace.deaf()
        let head =
            #"{"journal":"j","position":1,"receivedAt":"2026-01-14T13:03:59Z","timestamp":"2026-01-14T13:03:59Z","locationId":"default","#
        let rows = [
            #""type":"setting","setting":"timezone","text":"Mars\u001b"}"#,
            #""type":"in","source":"manual","deviceId":"a","reason":"two\nlines"}"#,
            #""type":"in","source":"hardware","deviceId":"\u0007"}"#,
            #""type":"endOfDay","from":"2026-01-13T00:00:00Z","to":"2026-01-14T00:00:00Z","finalLevel":0,"totalIn":-1,"totalOut":0,"highestLevel":0}"#,
        ]
        let outcome = try place.run("ingest", input: rows.map { head + $0 + "\n" }.joined())
        #expect(outcome.status == .exited(65))
        #expect(outcome.output.split(separator: "\n").count == 4)
        #expect(!outcome.output.contains("accepted"), "\(outcome.output)")
        #expect(try place.run("status").status == .exited(0))
        #expect(try place.exported().isEmpty)
    }
}

extension Workplace {
    /// Changes rows as this program never does, without the triggers.
    func rewrite(_ sql: String, of table: String = "journal") throws {
        let journal = try OutsideJournal(self)
        let triggers = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '\(table)'"
        let definitions = try journal.texts("SELECT sql \(triggers)")
        for name in try journal.texts("SELECT name \(triggers)") {
            try journal.execute("DROP TRIGGER \(name)")
        }
        try journal.execute(sql)
        for definition in definitions { try journal.execute(definition) }
        try journal.close()
    }
}

extension String {
    /// Whether it has a control character other than a line feed.
    fileprivate var holdsControls: Bool {
        unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
    }
}
