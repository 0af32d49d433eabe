import Glibc
import TestSupport
import Testing

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
        defer { program.end() }
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
        defer { program.end() }
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
        try program.signal(SIGTERM)
        #expect(try program.wait() == .exited(0))
        #expect(try place.verify().status == .exited(0))
        #expect(try place.run("status").status == .exited(0))
    }

    @Test(arguments: ["csv", "jsonl"])
    func `import accounts for each of them, in bounded memory, and the journal stays whole`(format: String)
        throws
    {
        let header = "timestamp,delta,deviceId,sequenceNumber,locationId,reason"
        let rows = [
            "2026-01-14T13:03:59Z,1,door,1,default,",
            "2026-01-14T13:03:59.120+01:00,-1,door,,,\"a, \"\"b\"\"\"",
            "2026-01-14T13:04:00Z,1,,,,",
        ]
        let valid = (format == "csv" ? rows : [event(1), event(2, number: 2), event(-3)]).map {
            Array($0.utf8)
        }
        let place = try Workplace.deaf()
        var random = SplitMix64(seed: 32)
        let atOnce = 1_000
        for _ in 0..<Volume.of(sample: 2, full: 500) {
            let lines = (0..<atOnce).map { _ in Self.line(of: valid, &random) }
            let all = format == "csv" ? [Array(header.utf8)] + lines : lines
            try place.write("lines", Array(all.joined(separator: [0xA])))
            // A gigabyte of addresses; a second of processor time for all of them, so for none of them longer.
            let outcome = try ChildProcess.run(
                [
                    "sh", "-c", "ulimit -v 1048576; ulimit -t 1; exec \"$0\" import --format \"$1\" \"$2\"",
                    BuiltProducts.counter, format, place.directory + "/lines",
                ], environment: place.environment)
            try #require([.exited(0), .exited(65)].contains(outcome.status), "\(outcome.errors.suffix(500))")
            let figures = outcome.output.split { !$0.isNumber }.compactMap { Int($0) }
            try #require(figures.count == 4 && figures.reduce(0, +) == atOnce, "\(outcome.output)")
            let scalars = outcome.errors.unicodeScalars
            #expect(!scalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        }
        #expect(try place.verify().status == .exited(0))
        #expect(try place.run("status").status == .exited(0))
    }
}
