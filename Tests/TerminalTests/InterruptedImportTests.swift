import Glibc
import TestSupport
import Testing

/// A file is imported by a program that is killed while it writes, and imported again.
@Suite struct InterruptedImportTests {
    private static let (locations, devices) = (20, 40)
    /// More than a transaction has, of both.
    private static let (connections, rows) = (12_000, 12_000)

    /// Two locations and three devices, one of which numbers its events and starts its numbers again now and then; times
    /// that go back, resets, and invalid lines.
    private static func events() -> String {
        var generator = SplitMix64(seed: 5)
        var file = "timestamp,delta,type,value,deviceId,sequenceNumber,locationId\n"
        for line in 0..<rows {
            let time = time(line + generator.below(180))
            let location = generator.below(3) == 0 ? "l0" : "l1"
            switch generator.below(1_000) {
            case 0: file += "\(time),,reset,\(generator.below(50)),,,\(location)\n"
            case 1: file += "\(time),7.5,,,,,\n"
            case 2...499: file += "\(time),1,,,d0,\(line % 10_000),\(location)\n"
            default: file += "\(time),\(generator.element(of: [1, -1])),,,d\(1 + line % 2),,\(location)\n"
            }
        }
        return file
    }

    private static func time(_ second: Int) -> String {
        let parts = [second / 3600, second / 60 % 60, second % 60]
        return "2026-01-14T" + parts.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":") + "Z"
    }

    /// An export in which two devices are forgotten, and their rows are the last.
    private static func journal() -> String {
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

    enum Format: String, CaseIterable {
        case csv, jsonl
    }

    /// A place with the file, and with the locations that it names.
    private func prepared(_ format: Format, _ file: String) throws -> Workplace {
        let place = try Workplace.deaf()
        try place.write("in.\(format)", file)
        if format == .csv { for name in ["l0", "l1"] { try place.run("location", "add", name) } }
        return place
    }

    private func imports(
        _ format: Format, into place: Workplace, _ environment: [String: String]
    ) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            [BuiltProducts.counter, "import", "\(place.directory)/in.\(format)"],
            environment: place.environment.merging(environment) { $1 })
    }

    /// All rows, without what differs from one import to another.
    private func contents(of place: Workplace, _ format: Format) throws -> String {
        let exported = try place.run(format == .csv ? ["export"] : ["export", "--format", "jsonl", "--all"])
        #expect(exported.status == .exited(0), "\(exported.errors)")
        // What was beside the rows of the file is set when it is imported.
        let times = /"(timestamp|receivedAt|orderedAt)":"[^"]*",/
        return exported.output.withoutRowIds.replacing(/"journal":"[0-9a-f]{32}"/, with: "")
            .split(separator: "\n").map {
                $0.contains("originJournal") ? $0 : $0.replacing(times, with: "")[...]
            }
            .joined(separator: "\n")
    }

    @Test(arguments: Format.allCases)
    func `Killed at any write and run again, an import gives the same journal, with what is forgotten`(
        format: Format
    ) throws {
        let file = format == .csv ? Self.events() : Self.journal()
        let clean = try prepared(format, file)
        let library = try clean.library("recorder", Self.recorder)
        let whole = try imports(
            format, into: clean, library.merging(["CALLS": clean.directory + "/calls"]) { $1 })
        let figures = whole.output.split { !$0.isNumber }.compactMap { Int($0) }
        #expect(figures.reduce(0, +) == Self.rows, "\(whole)")
        #expect(format == .jsonl ? figures[0] == Self.rows : figures[2] > 0 && figures[3] > 0, "\(figures)")
        let calls = String(decoding: clean.bytes(of: "calls") ?? [], as: UTF8.self).split(separator: " ")
            .compactMap { Int($0) }
        try #require(calls.count == 2)
        // Three transactions, and the checkpoints that their size makes due.
        #expect(format == .csv || calls[1] < 30, "fdatasync(2)")
        let expected = try contents(of: clean, format)
        #expect(
            try format == .csv
                || OutsideJournal(clean).texts("SELECT id FROM knownDevice WHERE isForgotten") == [
                    "old", "older",
                ])
        var random = SplitMix64(seed: 14)
        for _ in 0..<Volume.of(sample: 3, full: 200) {
            let place = try prepared(format, file)
            for _ in 0...random.below(2) {
                let last = 1 + random.below(calls[0])
                _ = try imports(format, into: place, library.merging(["LAST_WRITE": "\(last)"]) { $1 })
            }
            let rest = try imports(format, into: place, [:])
            #expect(rest.status == whole.status, "\(rest)")
            #expect(try contents(of: place, format) == expected)
            #expect(try place.verify().status == .exited(0))
        }
    }
}
