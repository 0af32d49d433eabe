import Glibc
import TestSupport
import Testing

/// Files of other programs, and the messages about their lines.
@Suite final class ImportTests: NewPlace {

    @Test func `Blanks around a column's name, a number and a time mean nothing`() throws {
        let outcome = try place.imports([
            " timestamp,\tdelta , sequenceNumber ,deviceId", "2026-01-14T13:03:59Z , 1, ,door",
            " 2026-01-14T13:03:59Z,1,7 , door",
        ])
        #expect(outcome.output == "accepted 2, duplicate 0, conflict 0, refused 0\n")
        // A name is imported unchanged.
        let devices = try place.exported().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)[4]
        }
        #expect(devices == ["door", " door"])
    }

    @Test func `A column that is named twice is refused before anything is taken`() throws {
        let lines = ["timestamp,delta, delta", "2026-01-14T13:03:59Z,1,-1"]
        expectFailure(try place.imports(lines), 65, "standard input:1: delta is named twice")
        #expect(
            try place.imports(["timestamp,delta,note,note", "2026-01-14T13:03:59Z,1,,"]).status == .exited(0))
    }

    @Test
    func
        `A number that another event has is a conflict: it counts, and is told of in the order of the lines`()
        throws
    {
        let outcome = try place.imports([
            "timestamp,delta,deviceId,sequenceNumber", "2026-01-14T13:03:59Z,1,door,1",
            "2026-01-14T13:04:00Z,1,door,2", "2026-01-14T13:04:00Z,1,door,2", "2026-01-14T13:05:00Z,1,door,1",
            "2026-01-14T13:05:01Z,1,door,2", "soon,1,door,4",
        ])
        #expect(outcome.status == .exited(65))
        #expect(outcome.output == "accepted 3, duplicate 1, conflict 1, refused 1\n")
        let expected = [
            "5: counted, though door has sent another event as number 1: it has started again",
            "7: timestamp 'soon' is no time such as 2026-01-14T13:03:59Z",
        ]
        #expect(outcome.errors.hasPrefix(expected.map { "counter: standard input:\($0)\n" }.joined()))
        #expect(outcome.errors.hasSuffix("to take this import back: … | counter import - --undo\n"))
        #expect(try place.show() == "4")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Last year's sheet comes in by the recipe of the page, and leaves today alone`() throws {
        for name in ["Main hall", "Gallery"] {
            try place.run("location", "add", name, "--capacity", "50", "--timezone", "Europe/Berlin")
        }
        try place.run("add", "7", "--location", "Main hall")
        let sheet =
            "Date;Room;In;Out\n17.11.2025;Main hall;10;4\n18.11.2025 10:00;Gallery;12;\n19.11.2025;Galery;1;\n"
        try place.write("visitors.csv", sheet)
        let words = [
            "import", place.directory + "/visitors.csv", "--columns",
            "timestamp=Date,locationId=Room,in=In,out=Out",
            "--timezone", "Europe/Berlin", "--end-days",
        ]
        let outcome = try place.run(words)
        #expect(outcome.status == .exited(65))
        #expect(outcome.output == "accepted 26, duplicate 0, conflict 0, refused 1, days ended 2\n")
        #expect(
            outcome.errors.hasSuffix(
                "visitors.csv:4: Room: there is no location with the id 'Galery'. Did you mean 'Gallery'?\n"))
        #expect(try place.run(words).output == "accepted 0, duplicate 26, conflict 0, refused 1\n")
        let status = try place.run("status").output
        #expect(status.contains(#/Main hall +7 +50 +14% +43 +ok +[0-9]+ s ago +7 +0 *\n/#), "\(status)")
        #expect(status.contains(#/Gallery +0 +50 +0% +50 +ok/#), "\(status)")
        let days = try place.run("day", "list", "--location", "Main hall").output
        #expect(days.contains(#/ 6 +10 +4 /#), "\(days)")
        let rows = try place.run(
            "history", "--entries", "--json", "--location", "Main hall", "--from", "2025-11-17", "--to",
            "2025-11-18")
        let end = try #require(rows.output.firstMatch(of: #/"position":([0-9]+),"type":"endOfDay"/#)).1
        expectFailure(try place.run("undo", "--position", String(end)), 64, "confirmation needed")
        // The end of today ends no day of the file again.
        try place.run("day", "end", "--yes", "--location", "Main hall")
        let ended = try place.run("day", "list", "--location", "Main hall").output
        #expect(ended.split(separator: "\n").count == days.split(separator: "\n").count + 1, "\(ended)")
        #expect(try place.verify().status == .exited(0))
        let journal = try place.run("export", "--format", "jsonl", "--all").output
        expectFailure(
            try place.run("import", "-", "--end-days", input: journal), 64, "--end-days is not for")
    }

    @Test
    func `What of a file moves the present count is told, with the ways out, and a file can be taken back`()
        throws
    {
        try place.run("location", "add", "Main hall", "--capacity", "50")
        try place.write(
            "last year.csv",
            "timestamp,delta,locationId\n2025-11-17T10:00:00Z,4,Main hall\n2999-11-18T10:00:00Z,1,Main hall\n"
        )
        let file = place.directory + "/last year.csv"
        let imported = try place.run("import", file)
        #expect(imported.status == .exited(0))
        #expect(imported.output == "accepted 5, duplicate 0, conflict 0, refused 0\n")
        let undo = "to take this import back: counter import '\(file)' --undo"
        let told = [
            "counter: \(file):3: 2999-11-18 10:00:00 is still to come: this line is counted now, at the time of the import",
            "  Check the year, and --timezone; \(undo)",
            "counter: days of the file that are over have moved the count of 'Main hall' by +4",
            "  To end these days: the same command with --end-days; \(undo)",
        ]
        #expect(imported.errors == told.map { $0 + "\n" }.joined())
        let again = try place.run("import", file)
        #expect(again.output == "accepted 0, duplicate 5, conflict 0, refused 0\n" && again.errors == "")
        let sheet = try place.run("export", "--spreadsheet").output.split(separator: "\n")
        #expect(sheet.count == 6 && !sheet[5].hasPrefix("2999"), "a row stands where it counts")
        let ended = try place.run("import", file, "--end-days")
        #expect(ended.output == "accepted 0, duplicate 5, conflict 0, refused 0, days ended 1\n")
        #expect(!ended.errors.contains("To end these days"))
        #expect(try place.run("show", "--location", "Main hall").output == "1\n")

        expectFailure(
            try place.run("import", file, "--undo"), 64, "confirmation needed: use --yes",
            "counter import '\(file)' --undo --yes")
        let kept = try place.asked("import", file, "--undo", answering: "n")
        #expect(kept.question.contains("Take back all 6 rows that \(file) has brought?"))
        #expect(kept.verdict.contains("nothing was changed"))
        #expect(try place.run("import", file, "--undo", "--yes").output == "taken back 6\n")
        #expect(try place.run("show", "--location", "Main hall").output == "0\n")
        #expect(try place.run("day", "list", "--location", "Main hall").output == "")
        expectFailure(try place.run("import", file, "--undo", "--yes"), 69, "is taken back already")
        expectFailure(try place.run("undo", "--redo"), 69, "there is nothing to redo")

        let anew = try place.run("import", file, "--end-days")
        #expect(anew.output == "accepted 5, duplicate 0, conflict 0, refused 0, days ended 1\n")
        #expect(
            anew.errors.hasPrefix(
                "counter: \(file): was imported before and taken back; now it counts again\n"))
        #expect(try place.run("show", "--location", "Main hall").output == "1\n")
        try place.write("other.csv", "timestamp,delta\n2025-11-17T10:00:00Z,1\n")
        expectFailure(
            try place.run("import", place.directory + "/other.csv", "--undo"), 69,
            "no row of it is in the journal",
            "has it changed since?")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Columns are found whatever their case, where no other has the very name`() throws {
        let lines = ["Timestamp,Delta,note", "2026-01-14T13:03:59Z,1,"]
        expectFailure(
            try place.imports(lines), 65, "standard input:1: the first line does not name the columns",
            "--columns timestamp=Timestamp,delta=Delta")
        let text = lines.joined(separator: "\n")
        #expect(
            try place.run("import", "-", "--columns", "timestamp=timestamp,delta=DELTA", input: text).output
                == "accepted 1, duplicate 0, conflict 0, refused 0\n")
        expectFailure(
            try place.run("import", "-", "--columns", "timestamp=a", input: "A,A\n1,2\n"), 65,
            "there is no column 'a'")
    }

    @Test func `On a terminal a bar tells how far it is, and goes`() throws {
        let lines = (0..<40_000).map { "2026-01-14T13:03:59Z,1,\($0)\n" }
        try place.write("in.csv", "timestamp,delta,note\n" + lines.joined())
        let program = try place.start(
            ["import", place.directory + "/in.csv"], streams: .terminal(columns: 80, rows: 24))
        let bar = try program.skipOutput(past: "]", timeout: .seconds(60))
        #expect(bar.contains(/^\r[ 0-9]{3} % \[#+\.*\]$/), "\(bar)")
        let rest = try program.skipOutput(past: "accepted 40000", timeout: .seconds(60))
        #expect(rest.hasSuffix("\r" + String(repeating: " ", count: 33) + "\raccepted 40000"), "\(rest)")
    }
}
