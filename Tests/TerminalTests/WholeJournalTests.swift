import Glibc
import TestSupport
import Testing

/// `counter export --all`, imported into an empty journal.
@Suite final class WholeJournalTests: NewPlace {
    /// Commands whose text is compared.
    private static let figures = [
        ["status", "--json"], ["location", "list", "--all", "--json"], ["show", "--json"],
        ["day", "list", "--json"],
        ["day", "list", "--json", "--location", "Hall"],
        ["history", "--from", "2026-01-01", "--to", "2026-02-01", "--json"],
        ["history", "--from", "2026-01-01", "--to", "2026-02-01", "--json", "--location", "Hall"],
        ["history", "--from", "2026-01-01", "--entries", "--json", "--location", "Hall"],
        ["history", "--from", "2026-01-01", "--entries", "--json"],
    ]

    private func expectEqual(_ old: Workplace, _ new: Workplace, _ what: String) throws {
        for command in Self.figures {
            let (before, after) = (try old.run(command).output, try new.run(command).output)
            #expect(!before.isEmpty || command[0] == "day", "\(command)")
            #expect(after.withoutAges == before.withoutAges, "\(what): \(command)")
        }
        #expect(try new.verify().status == .exited(0), "\(what)")
    }

    /// A journal of counts by hand, devices, corrections, undos, settings and ended days.
    private func journal(_ random: inout SplitMix64) throws -> Workplace {
        let place = try Workplace.deaf(environment: ["TZ": "Asia/Kathmandu"])
        try place.run(
            "location", "add", "Hall", "--capacity", "5", "--from", "2026-01-01", "--group", "Museum",
            "--key",
            "h", "--target", "40")
        try place.run("location", "set", "default", "--name", "Field", "--timezone", "Europe/Zurich")
        var number = 0
        for _ in 0..<24 {
            let location = random.below(2) == 0 ? "Hall" : "default"
            let named = ["--location", location]
            switch random.below(9) {
            case 0: try place.run(["undo"] + named)
            case 1: try place.run(["correct", "=\(random.below(9))", "--reason", "counted"] + named)
            case 2: try place.run(["day", "end", "--yes"] + named)
            case 3: try place.run(["reset", "--to", "\(random.below(9))"] + named)
            case 4: try place.run(["location", "set", location, "--day-start", "\(random.below(24))"])
            case 5, 6:
                let lines = (0..<random.below(5)).map { _ in
                    number += 1 + random.below(2)
                    let second = random.below(3600)
                    return event(
                        random.below(3) == 0 ? -second - 1 : second + 1, number: number, location: location)
                }
                try place.run(["ingest"], input: lines.map { $0 + "\n" }.joined())
            default: try place.run([random.below(3) == 0 ? "sub" : "add"] + named)
            }
        }
        try place.run("device", "rename", "door", "Front door")
        try place.run("device", "assign", "door", "Hall")
        try place.run("ingest", input: event(1, number: 1, device: "old", location: "Hall"))
        try place.run("device", "forget", "old")
        return place
    }

    @Test func `An empty journal that imports an export has the same figures`() throws {
        for seed in 0..<UInt64(Volume.of(sample: 2, full: 40)) {
            var random = SplitMix64(seed: seed &+ 77)
            let old = try journal(&random)
            let exported = try old.run("export", "--format", "jsonl", "--all")
            try #require(exported.status == .exited(0), "\(exported.errors)")
            let new = try Workplace.deaf()
            let rows = exported.output.split(separator: "\n").count { $0.contains("\"position\":") }
            let imported = try new.run("import", "-", input: exported.output)
            #expect(
                imported.output == "accepted \(rows), duplicate 0, conflict 0, refused 0\n", "seed \(seed)")
            #expect(imported.errors.isEmpty, "seed \(seed): \(imported.errors)")
            try expectEqual(old, new, "seed \(seed)")
            #expect(
                try new.run("devices", "--json").output.withoutAges
                    == old.run("devices", "--json").output.withoutAges)
            for (journal, file) in [(old, exported.output), (new, exported.output)] {
                let again = try journal.run("import", "-", input: file)
                #expect(again.output == "accepted 0, duplicate \(rows), conflict 0, refused 0\n")
                try expectEqual(old, journal, "seed \(seed), again")
            }
            let own = try new.run("export", "--format", "jsonl", "--all").output
            #expect(
                try new.run("import", "-", input: own).output
                    == "accepted 0, duplicate \(rows), conflict 0, refused 0\n")
            try expectEqual(old, new, "seed \(seed), its own")
        }
    }

    @Test func `A location whose name another one has is added too, and what is no such line is refused`()
        throws
    {
        let old = try Workplace.deaf()
        try old.run("location", "add", "Hall")
        try old.run("add", "2", "--location", "Hall")
        let exported = try old.run("export", "--format", "jsonl", "--all").output
        let new = try Workplace.deaf()
        try new.run("location", "add", "Other")
        try new.run("location", "set", "Other", "--name", "Hall")
        let outcome = try new.run("import", "-", input: exported + "{\"type\":\"in\",\"delta\":1}\n")
        #expect(outcome.status == .exited(65))
        #expect(outcome.errors == "counter: standard input:4: is no line of an exported journal\n")
        let names = try new.objects("location", "list", "--json").map { $0["name"] as? String }
        #expect(names == ["default", "Hall", "Hall"])
        #expect(try new.run("show", "--location", "Hall").output == "2\n")
        #expect(try new.run("location", "set", "Other", "--name", "Other hall").status == .exited(0))
        expectFailure(
            try new.run("import", "-", "--location", "Hall", input: exported), 64, "--location is not for")
        expectFailure(try new.run("export", "--all"), 64, "--all is for --format jsonl")
    }

    @Test func `An error that a thousand lines have is told once, with their number`() throws {
        let lines = (0..<1000).map { "0\($0)/01/2026,1" }
        let outcome = try place.imports(["timestamp,delta"] + lines + ["2026-01-14T13:04:00Z,x"])
        #expect(outcome.output == "accepted 0, duplicate 0, conflict 0, refused 1001\n")
        #expect(
            outcome.errors == """
                counter: standard input:2: timestamp '00/01/2026' is no time such as 2026-01-14T13:03:59Z (1000 lines such as \
                this: 2, 3, 4, 5, 6, …)
                counter: standard input:1002: delta is a whole number, not 'x'

                """)
    }

    @Test func `The capacity of a location whose past is imported holds from the date that is given`() throws
    {
        try place.run(
            "location", "add", "Hall", "--capacity", "2", "--from", "2026-01-01", "--timezone", "UTC")
        let lines = (1...4).map { "2026-01-14T13:0\($0):00Z,1,Hall" }
        try place.imports(["timestamp,delta,locationId"] + lines)
        let history = try place.run(
            "history", "--location", "Hall", "--from", "2026-01-14", "--to", "2026-01-15", "--json")
        #expect(history.output.contains("\"type\":\"overcrowding\""), "\(history.output)")
        expectFailure(
            try place.run("location", "add", "Later", "--capacity", "2", "--from", "2199-01-01"), 64, "--from"
        )
        expectFailure(try place.run("location", "add", "Later", "--from", "soon"), 64, "'soon'")
    }

    @Test func `A reader that has enough ends the program quietly`() throws {
        try place.run("add", "10000")
        let shell = try place.run(script: "set -o pipefail; \"$0\" export | head -1", by: "bash")
        #expect(shell.errors.isEmpty)
        #expect(shell.status == .exited(141))
    }
}

extension String {
    /// Without what differs though the rows are the same: ages, and in which journal a row was made.
    fileprivate var withoutAges: String {
        replacing(/"lastSeenAt":"[^"]*",?/, with: "").replacing(/"averageOccupancy":[-0-9.e]*,?/, with: "")
            .replacing(/,"journalName":"[^"]*"/, with: "")
    }
}
