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

/// A whole journal is imported by a program that is killed while it writes, and imported again.
@Suite struct InterruptedJournalImportTests {
    private static let (locations, devices) = (20, 40)
    /// More than a transaction has, of both.
    private static let (connections, rows) = (12_000, 12_000)
    private let file: [UInt8]

    init() { file = Array(Self.file().utf8) }

    /// An export in which two devices are forgotten, and their rows are the last.
    private static func file() -> String {
        func time(_ second: Int) -> String {
            let parts = [second / 3600, second / 60 % 60, second % 60]
            return "2026-01-14T" + parts.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
                + "Z"
        }
        var lines = [#"{"type":"journal","journal":"elsewhere"}"#]
        for number in 0..<locations {
            lines.append(
                #"{"type":"location","locationId":"l\#(number)","name":"L \#(number)","timezone":"UTC"}"#)
        }
        for number in 0..<devices {
            let seen = #""lastSeenAt":"\#(time(80_000))","keysReadBy":"ada""#
            lines.append(
                #"{"type":"device","deviceId":"d\#(number)","name":"D \#(number)","isActive":true,\#(seen)}"#)
        }
        for id in ["old", "older"] {
            lines.append(#"{"type":"device","deviceId":"\#(id)","isForgotten":true}"#)
        }
        for number in 0..<connections {
            let (device, location) = ("d\(number % devices)", "l\(number % locations)")
            lines.append(
                #"{"type":"connection","deviceId":"\#(device)","locationId":"\#(location)","#
                    + #""from":"\#(time(number))","to":"\#(time(number + 60))"}"#)
        }
        for number in 1...rows {
            let device = number > rows - 9 ? ["old", "older"][number % 2] : "d\(number % devices)"
            let origin = #""journal":"elsewhere","position":\#(number),"receivedAt":"\#(time(number))""#
            let what =
                number % 500 == 0
                ? #""type":"reset","value":3"# : #""type":"in","delta":1,"source":"hardware""#
            lines.append(
                #"{\#(what),"timestamp":"\#(time(number))","locationId":"l\#(number % locations)","#
                    + #""deviceId":"\#(device)",\#(origin)}"#)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Counts the writes of a process and its calls of `fdatasync(2)`, and kills it in the middle of a write.
    private static let recorder = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        static long writes, syncs;
        extern "C" ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
            static ssize_t (*real)(int, const void *, size_t, off64_t);
            if (!real) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
            const char *last = getenv("LAST_WRITE");
            if (++writes == (last ? atol(last) : -1)) {
                real(file, bytes, count / 2, offset);
                kill(getpid(), SIGKILL);
            }
            return real(file, bytes, count, offset);
        }
        extern "C" ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
            return pwrite64(file, bytes, count, offset);
        }
        extern "C" int fdatasync(int file) {
            static int (*real)(int);
            if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
            syncs++;
            return real(file);
        }
        __attribute__((destructor)) static void tell() {
            const char *path = getenv("CALLS");
            FILE *file = path ? fopen(path, "w") : NULL;
            if (file) fprintf(file, "%ld %ld", writes, syncs), fclose(file);
        }
        """

    private func imports(into place: Workplace, _ environment: [String: String]) throws
        -> ChildProcess.Outcome
    {
        try ChildProcess.run(
            [BuiltProducts.counter, "import", place.directory + "/in.jsonl"],
            environment: place.environment.merging(environment) { $1 })
    }

    /// The whole journal, without the time of the first line's journal, which is random.
    private func contents(of place: Workplace) throws -> String {
        let exported = try place.run("export", "--format", "jsonl", "--all")
        #expect(exported.status == .exited(0), "\(exported.errors)")
        return exported.output.replacing(/"journal":"[0-9a-f]{32}"/, with: "\"journal\":\"\"")
    }

    @Test func `Killed at any write and run again, an import gives the same journal, with what is forgotten`()
        throws
    {
        let clean = try Workplace.deaf()
        let library = try clean.library("recorder", Self.recorder)
        try clean.write("in.jsonl", file)
        let whole = try imports(into: clean, library.merging(["CALLS": clean.directory + "/calls"]) { $1 })
        #expect(
            whole.output == "accepted \(Self.rows), duplicate 0, conflict 0, refused 0\n", "\(whole.errors)")
        let calls = String(decoding: clean.bytes(of: "calls") ?? [], as: UTF8.self).split(separator: " ")
            .compactMap { Int($0) }
        try #require(calls.count == 2)
        // Three transactions, and the checkpoints that their size makes due.
        #expect(calls[1] < 30, "fdatasync(2)")
        let expected = try contents(of: clean)
        #expect(
            try OutsideJournal(clean).texts("SELECT id FROM device WHERE isForgotten") == ["old", "older"])
        var random = SplitMix64(seed: 14)
        for _ in 0..<Volume.of(sample: 3, full: 200) {
            let place = try Workplace.deaf()
            try place.write("in.jsonl", file)
            for _ in 0...random.below(2) {
                let last = 1 + random.below(calls[0])
                _ = try imports(into: place, library.merging(["LAST_WRITE": "\(last)"]) { $1 })
            }
            #expect(try imports(into: place, [:]).status == .exited(0))
            #expect(try contents(of: place) == expected)
            #expect(try place.verify().status == .exited(0))
        }
    }
}
