import CounterModel
import CounterStore
import Glibc
import Linux
import TestSupport
import Testing

/// Two journals, two programs and pipes between them: how long a count takes to the other journal, and how fast many rows are caught up.
/// Printed, and not asserted: the machine may be busy.
@Suite(.serialized) final class SyncSpeedTests: SyncPlace {
    override init() throws {
        try super.init()
        try share()
    }

    /// What programs count now, in seconds after noon.
    private var now: Int { Int(Clock.realtime.microseconds / 1_000_000) - Self.noon.seconds }

    private func sync(_ how: String) throws -> ChildProcess {
        let program = BuiltProducts.counter + "-sync"
        return try ChildProcess(
            [
                program, "sync", office.directory, "local", "connect", "door", "command",
                "'\(program)' sync '\(door.directory)' local serve", how,
            ], environment: ["HOME": folder.path, "XDG_STATE_HOME": nil])
    }

    @Test func `A count stands in the other journal`() throws {
        let live = try sync("live")
        try count(1, in: door, at: now)
        try eventually("it to connect") { try office.state(of: "default")?.level == 1 }
        var times: [Duration] = []
        for level in 2...Volume.of(sample: 41, full: 401) {
            let start = MonotonicTime.now
            try count(1, in: door, at: now)
            while try office.state(of: "default")?.level != level {
                usleep(500)
                try #require(MonotonicTime.now - start < testTimeout)
            }
            times.append(MonotonicTime.now - start)
        }
        times.sort()
        print(
            "measured: sync: a count is in the other journal after \(times[times.count / 2]) (p50), \(times[times.count * 95 / 100]) (p95)"
        )
        live.end()
    }

    @Test func `Many rows are caught up`() throws {
        let number = Volume.of(sample: 20_000, full: 100_000)
        try count(number, in: door, at: now)
        let lines = try door.feed(after: .start, limit: number + 1).map { $0.line + "\n" }
        try folder.write("rows.jsonl", lines.joined())
        let start = MonotonicTime.now
        let imported = try ChildProcess.run(
            [
                BuiltProducts.counter, "import", folder.path(of: "rows.jsonl"), "--data-dir",
                folder.path(of: "copy"),
            ],
            environment: ["HOME": folder.path])
        #expect(imported.status == .exited(0), "\(imported.errors)")
        let importing = MonotonicTime.now - start
        let begin = MonotonicTime.now
        let once = try sync("once")
        #expect(try once.wait() == .exited(0))
        let synced = MonotonicTime.now - begin
        #expect(try office.state(of: "default")?.level == number)
        print(
            "measured: sync: \(number) rows caught up in \(synced), imported in \(importing), \(importing / synced) of its rate"
        )
    }
}
