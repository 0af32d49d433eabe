import Foundation
import Glibc
import TestSupport
import Testing

/// What is exported can be imported again, once.
@Suite final class ExchangeTests: NewPlace {
    static let header =
        "timestamp,type,delta,value,deviceId,locationId,userId,source,sequenceNumber,reason,rowId"

    @Test(arguments: ["csv", "jsonl"])
    func `What was exported gives the same counts in an empty journal`(format: String) throws {
        let old = try Workplace.deaf()
        try old.run("location", "add", "a, \"b\" \u{2028}c")
        try old.run("add", "5")
        try old.run("sub", "2")
        try old.run("reset", "--to=-7")
        try old.run("add", "4")
        try old.run("undo")
        try old.run("sub", "--reason", "by the back door, \"late\"")
        try old.run("add", "6", "--location", "a, \"b\" \u{2028}c")
        let exported = try old.run("export", "--format", format).output

        let new = try Workplace.deaf()
        try new.run("location", "add", "a, \"b\" \u{2028}c")
        let first = try new.run("import", "-", input: exported)
        #expect(first.output == "accepted 15, duplicate 0, conflict 0, refused 0\n")
        #expect(first.status == .exited(0))
        #expect(try new.run("location", "list").output == old.run("location", "list").output)
        let again = try new.run("import", "-", input: exported)
        #expect(again.output == "accepted 0, duplicate 15, conflict 0, refused 0\n")
        #expect(try new.show() == "-8")
        #expect(try new.verify().status == .exited(0))
        // Imported entries can be exported again, with the same meaning.
        let sources = exported.replacing("manual", with: "import").withoutRowIds
        let exportedAgain = try new.run("export", "--format", format).output
        #expect(exportedAgain.withoutRowIds == sources)
        // Each journal knows its own rows again.
        for (journal, own) in [(old, exported), (new, exportedAgain)] {
            let status = try journal.run("status", "--json").output
            let own = try journal.run("import", "-", input: own)
            #expect(own.output == "accepted 0, duplicate 15, conflict 0, refused 0\n")
            #expect(try journal.run("status", "--json").output == status)
        }
    }

    @Test func `Only the location that is named is exported`() throws {
        try place.run("location", "add", "Hall")
        try place.run("add")
        try place.run("add", "2", "--location", "Hall")
        #expect(try place.exported().count == 3)
        let hall = try place.run("export", "--location", "Hall").output.split(separator: "\n")
        #expect(hall.count == 3)
        #expect(hall[0] == Self.header)
    }

    @Test func `Lines that are wrong are told by their numbers, and stop no other`() throws {
        let lines = """
            timestamp,delta,userId,locationId
            2026-01-14T13:03:59Z,1,,
            yesterday,1,,
            2026-01-14T13:04:00+01:00,1.5,,
            2026-01-14T13:04:00Z,1

            2026-01-14T13:04:00Z,1,"open,
            2026-01-14T13:04:00Z,1,,Cellar
            2026-01-14T13:04:01.5Z,-1,,
            2026-01-14T13:04:02Z,1,,default

            """
        let file = place.directory + "/in.csv"
        try place.write("in.csv", lines)
        let outcome = try place.run("import", file)
        #expect(outcome.status == .exited(65))
        #expect(outcome.output == "accepted 3, duplicate 0, conflict 0, refused 5\n")
        let expected = [
            "3: timestamp 'yesterday' is no time such as 2026-01-14T13:03:59Z",
            "4: delta is a whole number without separators or decimals, not '1.5'",
            "5: 2 fields where the header has 4", "7: a quote is left open",
            "8: there is no location with the id 'Cellar'; add it with: counter location add Cellar",
        ]
        #expect(outcome.errors.hasPrefix(expected.map { "counter: \(file):\($0)\n" }.joined()))
        #expect(try place.show() == "1")
        // Lines that were imported are imported once, even if the file is imported again after its errors were
        // corrected.
        try place.run("location", "add", "Cellar")
        #expect(try place.run("import", file).output == "accepted 1, duplicate 3, conflict 0, refused 4\n")
    }

    @Test func `A device's numbers make its events known for ever, whatever file they stand in`() throws {
        let lines = [
            "timestamp,delta,deviceId,sequenceNumber", "2026-01-14T13:03:59Z,1,door,1",
            "2026-01-14T13:04:00Z,1,door,2",
        ]
        #expect(try place.imports(lines).output == "accepted 2, duplicate 0, conflict 0, refused 0\n")
        #expect(
            try place.imports(lines + ["2026-01-14T13:04:01Z,1,door,3"]).output
                == "accepted 1, duplicate 2, conflict 0, refused 0\n")
        #expect(try place.show() == "3")
    }

    @Test func `A file that cannot be read is named with the reason`() throws {
        expectFailure(
            try place.run("import", "/nowhere"), 66, "/nowhere: there is no such file")
        expectFailure(try place.run("import", "/"), 66, "/: cannot be read: Is a directory")
        try place.write("bytes", [0x74, 0xFF, 0xFE])
        expectFailure(try place.run("import", place.directory + "/bytes"), 65, "is no text in UTF-8")
        expectFailure(
            try place.run("import", "-", input: "a,b\n1,2\n"), 65,
            "standard input:1: the first line does not name the columns", Self.header)
        #expect(try place.run("import", "-").output == "accepted 0, duplicate 0, conflict 0, refused 0\n")
    }
}

extension Workplace {
    /// `counter import -` of these lines.
    @discardableResult
    func imports(_ lines: [String]) throws -> ChildProcess.Outcome {
        try run("import", "-", input: lines.joined(separator: "\n") + "\n")
    }
}

/// What is exported is taken in again, all of it, whatever a reason or a name holds.
@Suite struct RoundTripTests {
    private static let pieces = [
        "\n", "\r\n", "\"", "\"\"", "=", "=1+1", "+", "-", "@", ",", ";", "\t", "'", "\\", "\\n", " ", "  ",
        "\u{1B}[2J",
        "\u{9B}", "\u{0}", "\u{202E}", "\u{FEFF}", "é", "e\u{301}", "音", "👩‍👩‍👧", "{", "}", "null", "0", "a",
        "\u{2028}", "\u{85}", "\u{A0}", "#", "%", "/*", "-->", "\u{7F}",
    ]

    /// A text for an SQL statement.
    private static func quoted(_ text: String) -> String {
        let hex = text.utf8.map { String(format: "%02x", $0) }.joined()
        return "CAST(x'\(hex)' AS TEXT)"
    }

    /// A journal with a row for each of these reasons, as any earlier version may have taken them.
    private func journal(_ reasons: [String]) throws -> Workplace {
        let count = reasons.count
        let place = try Workplace.deaf()
        let lines = (0..<count).map { number in
            let event = event(number, number: number, device: "door \(number % 3)")
            return event.dropLast() + ",\"reason\":\"\(number)\"}\n"
        }
        let outcome = try place.run("import", "-", input: lines.joined())
        try #require(outcome.output == "accepted \(count), duplicate 0, conflict 0, refused 0\n")
        let cases = reasons.enumerated().map { "WHEN '\($0)' THEN \(Self.quoted($1))" }
        try place.rewrite("UPDATE journal SET text = CASE text \(cases.joined(separator: " ")) END")
        return place
    }

    @Test(arguments: ["csv", "jsonl"])
    func `Rows of any reason come out and go in again`(format: String) throws {
        var random = SplitMix64(seed: 41)
        for _ in 0..<Volume.of(sample: 3, full: 100) {
            let count = 200
            let reasons = (0..<count).map { _ in
                (0...random.below(6)).map { _ in random.element(of: Self.pieces) }.joined()
            }
            let place = try journal(reasons)
            let exported = try place.run("export", "--format", format)
            try #require(exported.status == .exited(0))
            let controls = exported.output.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n"
            }
            #expect(controls.isEmpty)
            let new = try Workplace.deaf()
            let imported = try new.run("import", "-", input: exported.output)
            #expect(
                imported.output == "accepted \(count), duplicate 0, conflict 0, refused 0\n",
                "\(imported.errors)")
            let again = try new.run("export", "--format", format).output
            #expect(again.withoutRowIds == exported.output.withoutRowIds)
            #expect(
                try new.run("import", "-", input: exported.output).output
                    == "accepted 0, duplicate \(count), conflict 0, refused 0\n")
            let stored = try OutsideJournal(new).texts("SELECT text FROM journal ORDER BY position")
            #expect(stored == reasons.map(Self.shown))
        }
    }

    /// A reason as it is shown: each control character is a space.
    private static func shown(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(scalars)
    }
}

extension String {
    /// Exported lines without the rows' identities, which are those of the exporting journal.
    var withoutRowIds: String { replacing(/[0-9a-f]{32}:[0-9]+/, with: "") }
}
