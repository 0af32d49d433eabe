import Foundation
import TestSupport
import Testing

/// `counter listen --json` writes the rows of a journal, and `counter ingest` imports them into another.
@Suite final class FeedTests: NewPlace {
    @Test func `Changes of other programs are told as they come, each row once`() throws {
        try place.run("add")
        let listener = try place.listen(["--json"])
        try eventually("it to run") { !listener.process.children.isEmpty }
        var told: [[String: Any]] = []
        for (command, rows) in [(["add", "2"], 2), (["undo"], 2), (["reset", "--to=7"], 1)] {
            try place.run(command)
            for _ in 1...rows { told.append(try jsonObject(try #require(try listener.readLine()))) }
        }
        #expect(told.map { $0["type"] as? String } == ["in", "in", "void", "void", "reset"])
        #expect(told.map { $0["position"] as? Int } == [2, 3, 4, 5, 6])
        #expect(told[2]["target"] as? Int == 3)
        #expect(told[4]["value"] as? Int == 7)
        // A row has the level if no row followed it.
        #expect(told[1]["count"] as? Int == 3)
        #expect(told[0]["count"] == nil)
        #expect(Set(told.compactMap { $0["journal"] as? String }).count == 1)
    }

    @Test func `It begins after the position that is named, and tells what comes then`() throws {
        try place.run("add", "600")
        let listener = try place.listen(["--json", "--after", "3"])
        // The last one names the journal.
        for position in 4...601 {
            let line = try #require(try listener.readLine())
            try #require(line.contains("\"position\":\(position)"), "\(line)")
        }
        try place.run("sub")
        #expect(try #require(try listener.readLine()).contains("\"position\":602,\"count\":599"))
    }

    @Test func `A journal is named when its rows are first sent, and History says where they were made`()
        throws
    {
        let (door, office) = (try Workplace.deaf(), try Workplace.deaf())
        func names(_ place: Workplace) throws -> [String?] {
            try place.objects("journal", "--json").map { $0["name"] as? String }
        }
        try door.run("add", "--reason", "by hand")
        #expect(try names(door) == [nil])
        #expect(try door.run("journal").output.contains(" (this one)  1  "))
        for _ in 1...2 {
            let listener = try door.listen(["--json", "--after", "0"])
            #expect(try #require(try listener.readLine()).contains("by hand"))
            let name = try jsonObject(try #require(try listener.readLine()))
            #expect(try name["type"] as? String == "journal" && name["name"] as? String == names(door)[0])
        }
        #expect(try door.run("journal", "rename", "door-3").status == .exited(0))
        #expect(try names(door) == ["door-3"])
        try office.run("import", "-", input: door.run("export", "--format", "jsonl", "--all").output)
        #expect(try office.run("history", "--entries").output.contains(" on door-3  by hand"))
        #expect(try names(office) == [nil, "door-3"])
        #expect(try office.verify().status == .exited(0))
    }

    @Test func `A position that cannot be is refused`() throws {
        try place.run("add")
        expectFailure(try place.run("listen", "--after", "0"), 64, "--after is for --json")
        expectFailure(
            try place.run("listen", "--json", "--after", "2"), 65, "--after 2: the journal ends at 1",
            "--after 0")
    }

    @Test func `A pipe that nobody reads leaves nothing out`() throws {
        try place.run("add", "5000")
        let listener = try place.listen(["--json", "--after", "0"])
        // More than a pipe buffers; the program goes on counting meanwhile.
        try place.run("add")
        #expect(try place.show() == "5001")
        for position in 1...5002 {
            try #require(try listener.readLine()?.contains("\"position\":\(position)") == true)
        }
    }

    @Test(arguments: UInt64(1)...UInt64(Volume.of(sample: 1, full: 20)))
    func `Cut and resumed at random while both count, the second journal ends equal`(seed: UInt64) throws {
        var pair = try Pair()
        var random = SplitMix64(seed: seed)
        for _ in 1...8 {
            // Rows that have arrived may be sent again; others must not be left out.
            let pipe = try pair.pipe(after: random.below(pair.second.history().count + 1))
            for _ in 0...random.below(4) { try pair.change(&random) }
            pause(.milliseconds(random.below(300)))
            pipe.cut()
        }
        let last = try pair.pipe(after: 0)
        defer { last.cut() }
        try eventually("equal histories") {
            try pair.first.history() == pair.second.history()
        }
        #expect(try pair.first.history().count > 20)
        #expect(try pair.first.minutes() == pair.second.minutes())
        #expect(try pair.first.run("show").output == pair.second.run("show").output)
        for place in [pair.first, pair.second] { #expect(try place.verify().status == .exited(0)) }
        #expect(try pair.second.run("show", "--location", "own").output != "0\n")
    }
}

/// A journal, and another that imports its rows.
private struct Pair {
    let first: Workplace
    let second: Workplace
    private var number = 0

    init() throws {
        first = try .deaf()
        second = try .deaf()
        try first.run("location", "add", "Hall")
        try second.run("location", "add", "own")
    }

    /// `listen` of the first into `ingest` of the second.
    func pipe(after position: Int) throws -> ChildProcess {
        let script =
            "\"$0\" listen --json --after \(position) | COUNTER_DATA_DIR=\(second.directory) \"$0\" ingest > /dev/null"
        return try ChildProcess(["sh", "-c", script, BuiltProducts.counter], environment: first.environment)
    }

    /// Makes a change of the first by one of its programs, and one of the second.
    mutating func change(_ random: inout SplitMix64) throws {
        number += 1
        let location = random.below(2) == 0 ? "default" : "Hall"
        switch random.below(5) {
        case 0: try first.run("undo", "--location", location)
        case 1: try first.run("reset", "--to=\(random.below(9) - 4)", "--location", location)
        case 2: try first.run("sub", "--location", location)
        case 3:
            // Late, with gaps, and with numbers that another event has.
            let events = (0..<5).map { _ in
                event(random.below(600), number: random.below(30), location: location)
            }
            try first.run("ingest", input: events.joined(separator: "\n"))
        default: try first.run("add", "\(1 + random.below(4))", "--location", location)
        }
        try second.run("add", "--location", "own")
    }
}

extension ChildProcess {
    /// Kills both ends of a pipe at once.
    fileprivate func cut() {
        process.children.forEach { try? $0.signal(SIGKILL) }
        end()
    }
}

extension Workplace {
    /// All rows of the locations that both have, in order, without the fields that name positions.
    fileprivate func history() throws -> [String] {
        try OutsideJournal(self).texts(
            """
            SELECT json_array(kind, location.id, device.id, userId, timestamp, receivedAt, delta, source,
                continuesHold, sequenceNumber, value, levelBefore, text, setting,
                EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position), orderedAt)
            FROM journal JOIN location ON location.key = journal.locationKey
            LEFT JOIN device ON device.key = deviceKey
            WHERE location.id <> 'own' ORDER BY position
            """)
    }

    /// The minute rollups.
    fileprivate func minutes() throws -> [String] {
        try OutsideJournal(self).texts(
            """
            SELECT json_array(location.id, minute, ins, outs, correctedUp, correctedDown, moment, high, low, last, early)
            FROM rollup JOIN location ON location.key = locationKey
            WHERE location.id <> 'own' ORDER BY location.id, reset, minute
            """)
    }
}
