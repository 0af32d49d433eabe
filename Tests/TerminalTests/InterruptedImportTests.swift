import Glibc
import TestSupport
import Testing

/// A long import is killed in the middle, and run again.
@Suite struct InterruptedImportTests {
    private static let lines = Volume.of(sample: 50_000, full: 1_000_000)

    /// How many lines are in the journal.
    private static let stored = "SELECT count(*) FROM journal WHERE fileKey IS NOT NULL"

    private let interrupted: Workplace
    private let clean: Workplace

    init() throws {
        interrupted = try Workplace.deaf()
        clean = try Workplace.deaf()
        let file = Array(Self.file().utf8)
        for place in [interrupted, clean] {
            try place.run("location", "add", "Hall")
            try place.write("in.csv", file)
        }
    }

    /// Two locations and three devices, one of which numbers its events and starts its numbers again now and then;
    /// times that go back, resets, and invalid lines.
    private static func file() -> String {
        var generator = SplitMix64(seed: 5)
        var file = "timestamp,delta,type,value,deviceId,sequenceNumber,locationId\n"
        for line in 0..<lines {
            let time = time(line / 60 + generator.below(3), second: line % 60)
            let location = generator.below(3) == 0 ? "Hall" : ""
            switch generator.below(10_000) {
            case 0: file += "\(time),,reset,\(generator.below(50)),,,\(location)\n"
            case 1: file += "\(time),7,,,,,\n"
            case 2...4_999: file += "\(time),1,,,door,\(line % 40_000),\(location)\n"
            default: file += "\(time),\(generator.element(of: [1, -1])),,,gate-\(line % 2),,\(location)\n"
            }
        }
        return file
    }

    /// A time by its minute since New Year, at most 31 days later.
    private static func time(_ minute: Int, second: Int) -> String {
        let parts = [1 + minute / 1_440, minute / 60 % 24, minute % 60, second]
        let digits = parts.map { ($0 < 10 ? "0" : "") + String($0) }
        return "2026-01-\(digits[0])T\(digits[1]):\(digits[2]):\(digits[3])Z"
    }

    private func start(in place: Workplace) throws -> ChildProcess {
        try ChildProcess(
            [BuiltProducts.counter, "import", place.directory + "/in.csv"], environment: place.environment)
    }

    /// Runs an import to its end; returns how many lines were accepted, duplicates, conflicts, refused.
    private func finish(in place: Workplace) throws -> [Int] {
        let program = try start(in: place)
        defer { program.end() }
        let summary = try program.readLine(timeout: .seconds(600)) ?? ""
        try program.wait()
        return summary.split { !$0.isNumber }.compactMap { Int($0) }
    }

    @Test func `Killed three times, an import gives the same journal as one that was left alone`() throws {
        let whole = try finish(in: clean)
        #expect(whole.reduce(0, +) == Self.lines)
        #expect(whole[1] == 0 && whole[2] > 0 && whole[3] > 0, "\(whole)")

        let journal = try OutsideJournal(interrupted)
        var stored = 0
        for part in 1...3 {
            let program = try start(in: interrupted)
            defer { program.end() }
            let wanted = max(stored + 1, (part - 1) * Self.lines / 4)
            try eventually("\(wanted) rows", timeout: .seconds(600)) {
                stored = try journal.number(Self.stored)
                try #require(program.process.isAlive)
                return stored >= wanted
            }
            try program.signal(SIGKILL)
            #expect(try program.wait() == .killed(SIGKILL))
        }
        stored = try journal.number(Self.stored)
        let rest = try finish(in: interrupted)
        #expect(stored > 0 && stored == rest[1])
        #expect(rest[0] + rest[1] + rest[2] == whole[0] + whole[2])
        #expect(rest[3] == whole[3])
        try expectEqualJournals(journal)
        #expect(try finish(in: interrupted) == [0, whole[0] + whole[2], 0, whole[3]])
        try expectEqualJournals(journal)
    }

    private func expectEqualJournals(_ journal: OutsideJournal) throws {
        // All columns but the time of receipt.
        let row = """
            position, kind, locationKey, deviceKey, userId, timestamp, lateAfter, delta, source, sequenceNumber, epoch,
            fileKey, line, value, levelBefore, target
            """
        try journal.execute("ATTACH '\(clean.directory)/journal.sqlite' AS clean")
        for (one, other) in [("main", "clean"), ("clean", "main")] {
            let sql = """
                SELECT \(row) FROM \(one).journal WHERE fileKey IS NOT NULL
                EXCEPT SELECT \(row) FROM \(other).journal
                """
            #expect(try journal.number("SELECT count(*) FROM (\(sql))") == 0)
        }
        try journal.execute("DETACH clean")
        for place in [interrupted, clean] {
            #expect(try place.verify() == .init(status: .exited(0), output: "", errors: ""))
        }
        #expect(try interrupted.run("location", "list").output == clean.run("location", "list").output)
    }
}
