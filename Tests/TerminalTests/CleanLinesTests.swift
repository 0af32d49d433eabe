import Foundation
import Glibc
import TestSupport
import Testing

/// Text from other users, such as names and reasons, never reaches a terminal as a control sequence, and is exported
/// so that it can be imported again.
@Suite final class CleanLinesTests: NewPlace {
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

    @Test(arguments: ["\u{202E}", "\u{200B}", "\u{2066}\u{2069}", "\u{301}", "  "])
    func `A typed reason or name that cannot be seen is refused with the rule`(text: String) throws {
        for words in [
            ["add", "--reason", text], ["correct", "+1", "--reason", text], ["location", "add", text],
            ["location", "add", "Hall", "--name", text],
            ["device", "rename", "a", text], ["journal", "rename", text],
        ] {
            expectFailure(try place.run(words), 64, "at least one of them visible")
        }
        // Rows of other journals have what they have.
        let row =
            "{\"type\":\"in\",\"timestamp\":\"2026-01-14T13:00:00Z\",\"source\":\"manual\",\"reason\":\"\(text)\"}\n"
        #expect(
            try place.run(["import", "-", "--format", "jsonl"], input: row).output.hasPrefix("accepted 1"))
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
        let line = try #require(try listener.readLine())
        #expect(line.contains("two  lines  [2J") && !line.holdsControls, "\(line)")
        // Another journal imports the line.
        let taken = try Workplace.deaf().run("ingest", input: line)
        #expect(taken.output.contains("accepted"), "\(taken.output)")
    }

    @Test func `What is refused, and what verify finds, is told without control characters`() throws {
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
        try place.run("add", "--reason", "=1+1")
        #expect(try place.run("export", "--safe-formulas").output.contains(",'=1+1,"))
        #expect(try place.run("export").output.contains(",=1+1,"))
        expectFailure(
            try place.run("export", "--format", "jsonl", "--safe-formulas"), 64,
            "--safe-formulas is for --format csv")
    }
}

extension Workplace {
    /// Changes rows as this program never does, without the triggers.
    func rewrite(_ sql: String, of table: String = "journal") throws {
        let journal = try database()
        let triggers = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '\(table)'"
        let definitions = try journal.texts("SELECT sql \(triggers)")
        for name in try journal.texts("SELECT name \(triggers)") {
            try journal.execute("DROP TRIGGER \(name)")
        }
        try journal.execute(sql)
        for definition in definitions { try journal.execute(definition) }
        journal.close()
    }
}

extension String {
    /// Whether it has a control character other than a line feed.
    fileprivate var holdsControls: Bool {
        unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
    }
}

/// Many lines that are almost valid, for the real programs.
@Suite struct ChangedLinesTests {
    /// A line without a line end in it, and not blank, because each is to be answered.
    private static func line(of valid: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        while true {
            let bytes = Mutation.of(
                valid[random.below(valid.count)], splicing: valid[random.below(valid.count)], &random)
            let line = bytes.map { $0 == 0xA || $0 == 0xD ? 0xB : $0 }
            if line.contains(where: { $0 > 0x20 && $0 < 0x7F }) { return line }
        }
    }

    /// Lines of a feed, and events of devices.
    private func feed() throws -> [[UInt8]] {
        let place = try Workplace.deaf()
        try place.run("add", "3")
        try place.run("sub", "1", "--reason", "gone again")
        try place.run("undo")
        try place.run("location", "capacity", "default", "50")
        try place.run("reset")
        let program = try place.listen(["--json", "--after", "0"])
        let rows = try (1...5).compactMap { _ in try program.readLine() }
        let origin = #""journal":"elsewhere","receivedAt":"2026-01-14T13:03:59Z","locationId":"default""#
        let more = [
            #"{"type":"void","timestamp":"2026-01-14T13:03:59Z","target":1,"position":70,\#(origin)}"#,
            #"{"type":"setting","timestamp":"2026-01-14T13:03:59Z","setting":"timezone","text":"UTC","position":71,\#(origin)}"#,
            event(1), event(2, number: 2), event(-3, location: "default"),
        ]
        return (rows + more).map { Array($0.utf8) }
    }

    @Test func `ingest answers each of them once, in bounded memory, and the journal stays whole`() throws {
        let valid = try feed()
        let place = try Workplace.deaf()
        let (program, path) = try place.ingestAtSocket()
        let client = try SocketClient(path)
        var random = SplitMix64(seed: 31)
        let atOnce = 100
        for batch in 0..<Volume.of(sample: 30, full: 10_000) {
            let before = program.process.processorTime
            let lines = (0..<atOnce).map { _ in Self.line(of: valid, &random) }
            try client.send(Array(lines.joined(separator: [0xA])) + [0xA])
            for number in 1...atOnce {
                let answer = try #require(try client.readLine())
                try #require(
                    answer.hasPrefix("{\"line\":\(batch * atOnce + number),\"result\":\""), "\(answer)")
                try #require(!answer.unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
            // Processor time, because a busy machine may let the program wait.
            #expect(program.process.processorTime - before < .seconds(1), "one of \(lines) takes long")
        }
        #expect(program.process.mostResidentBytes < 150 << 20)
        try program.terminate()
        #expect(try place.verify().status == .exited(0))
        #expect(try place.run("status").status == .exited(0))
    }
}
