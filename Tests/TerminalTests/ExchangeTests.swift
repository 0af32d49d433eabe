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
        try old.run("correct", "=-5", "--reason", "counted")
        try old.run("add", "6", "--location", "a, \"b\" \u{2028}c")
        let exported = try old.run("export", "--format", format).output

        let new = try Workplace.deaf()
        try new.run("location", "add", "a, \"b\" \u{2028}c")
        let first = try new.run("import", "-", input: exported)
        #expect(first.output == "accepted 16, duplicate 0, conflict 0, refused 0\n")
        #expect(first.status == .exited(0))
        #expect(try new.run("location", "list").output == old.run("location", "list").output)
        let again = try new.run("import", "-", input: exported)
        #expect(again.output == "accepted 0, duplicate 16, conflict 0, refused 0\n")
        #expect(try new.show() == "-5")
        #expect(try new.run("history", "--location", "default").output.contains(" corrections +3 -0\n"))
        #expect(try new.verify().status == .exited(0))
        // Imported rows can be exported again, with the same meaning; only counts have another source.
        let exportedAgain = try new.run("export", "--format", format).output
        #expect(exportedAgain.withoutOrigins == exported.withoutOrigins)
        // Each journal knows its own rows again.
        for (journal, own) in [(old, exported), (new, exportedAgain)] {
            let status = try journal.run("status", "--json").output
            let own = try journal.run("import", "-", input: own)
            #expect(own.output == "accepted 0, duplicate 16, conflict 0, refused 0\n")
            #expect(try journal.run("status", "--json").output == status)
        }
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

extension String {
    /// Exported lines without where the rows are from: their identities are those of the exporting journal.
    fileprivate var withoutOrigins: String {
        replacing("manual", with: "import").replacing(/[0-9a-f]{32}:[0-9]+/, with: "")
    }
}
