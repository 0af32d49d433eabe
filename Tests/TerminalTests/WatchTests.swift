import Glibc
import TestSupport
import Testing

/// A place for watches, whose commands write into one log.
class WatchPlace {
    let place: Workplace
    var log: String { place.directory + "/log" }
    var lines: [String] {
        String(decoding: place.bytes(of: "log") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    init() throws { place = try Workplace.deaf(environment: ["XDG_STATE_HOME": nil]) }

    /// What watches keep of what they have run.
    func record() throws -> String {
        try ChildProcess.run(["sh", "-c", "cat \(place.directory)/.local/state/counter/watch/*"]).output
    }

    /// Waits until a watch follows the journal, or has ended.
    func following(_ watch: ChildProcess) throws -> ChildProcess {
        try eventually("it to follow the journal") {
            try !watch.process.isAlive || watch.process.blocks(SIGTERM) && record().contains("position")
        }
        return watch
    }
}

/// `counter watch` runs a command for each change of a state, once.
@Suite final class WatchTests: WatchPlace {
    override init() throws {
        try super.init()
        try place.run("location", "set", "default", "--capacity", "5", "--admits-over-full", "true")
    }

    /// A watch whose command writes its facts into the log, once it follows the journal.
    private func watch(
        _ options: [String] = [], script: String = "", environment: [String: String?] = [:]
    ) throws -> ChildProcess {
        try following(
            place.start(
                ["watch"] + options + ["--"] + command(script: script), environment: environment))
    }

    private func command(script: String) -> [String] {
        let facts = "$COUNTER_EVENT $COUNTER_COUNT $COUNTER_PERCENTAGE $COUNTER_STATUS $COUNTER_LOCATION_NAME"
        return ["sh", "-c", "echo \"\(facts)\" >>\(log); \(script)"]
    }

    private func expect(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        try eventually("\(expected)") { lines.count >= expected.count }
        #expect(lines == expected, sourceLocation: sourceLocation)
    }

    @Test func `Each state is reported once and in order, however slow the command`() throws {
        // A command lasts until the test has made all changes.
        let gate = place.directory + "/gate"
        let child = try watch(script: "while [ ! -e \(gate) ]; do sleep 0.02; done")
        try place.run("add", "4")
        try place.run("add")
        try place.run("sub", "3")
        try place.run("undo")
        try place.run("add", "1")
        #expect(lines.count <= 1)
        try place.write("gate", [])
        let expected = [
            "warning 4 80 warning default", "full 5 100 full default", "warning 4 80 warning default",
            "ok 3 60 ok default", "warning 4 80 warning default", "full 5 100 full default",
            "overcrowded 6 120 full default",
        ]
        try expect(expected)
        // One that is ended with its watch is told.
        try eventually("the end of the last command") {
            try ChildProcess.run(["pgrep", "-P", "\(child.process.pid)"]).status != .exited(0)
        }
        try child.terminate()
        #expect(try child.readErrorLine() == nil)
        #expect(lines == expected)
    }

    @Test func `A restart goes on where it ended, and repeats nothing`() throws {
        let first = try watch()
        try place.run("add", "5")
        try expect(["warning 4 80 warning default", "full 5 100 full default"])
        try first.signal(SIGINT)
        #expect(try first.wait() == .exited(0))
        try place.run("sub", "2")
        try place.run("add", "2")
        let second = try watch()
        try expect([
            "warning 4 80 warning default", "full 5 100 full default", "warning 4 80 warning default",
            "ok 3 60 ok default", "warning 4 80 warning default", "full 5 100 full default",
        ])
        try second.terminate()
        #expect(lines.count == 6)
    }

    @Test func `Killed while a command runs, it runs the next one and not that one again`() throws {
        let gate = place.directory + "/gate"
        let script = "while [ ! -e \(gate) ]; do sleep 0.02; done"
        let first = try watch(script: script)
        try place.run("add", "6")
        try eventually("the first command") { lines.count == 1 }
        // The record is written before the command is started, and again after that.
        try eventually("the record") {
            let record = try record()
            return record.contains("started 1") && !record.contains("starting")
        }
        first.end()
        try place.write("gate", [])
        let second = try watch(script: script)
        defer { second.end() }
        try expect([
            "warning 4 80 warning default", "full 5 100 full default", "overcrowded 6 120 full default",
        ])
    }

    @Test func `Only what was asked for runs the command, for the location that was named`() throws {
        try place.run("location", "add", "Hall", "--capacity", "2")
        let child = try watch(["--when", "full,change", "--location", "Hall"])
        defer { child.end() }
        try place.run("add", "5")
        try place.run("add", "2", "--location", "Hall")
        try expect(["change 1 50 ok Hall", "change 2 100 full Hall", "full 2 100 full Hall"])
    }

    @Test func `A hall that fills again and again is told at most so often`() throws {
        let child = try watch(["--when", "full,ok", "--at-most-every", "1h"])
        defer { child.end() }
        try place.run("add", "5")
        for _ in 0..<3 {
            try place.run("sub")
            try place.run("add")
        }
        try place.run("sub", "3")
        try expect(["full 5 100 full default", "ok 3 60 ok default"])
        expectFailure(
            try place.run("watch", "--at-most-every", "soon", "--", "true"), 64,
            "'soon' is no time up to 24h, such as 10min")
    }

    @Test func `A device that is silent makes its location stale, and live again`() throws {
        try place.run("device", "assign", "door", "default")
        let stale = ["COUNTER_STALE_AFTER": "1s"]
        try place.run(["ingest"], environment: stale, input: event(1))
        let child = try watch(["--when", "stale,live"], environment: stale)
        defer { child.end() }
        try expect(["stale 1 20 ok default"])
        try place.run(["ingest"], environment: stale, input: event(2))
        try eventually("three lines") { lines.count >= 3 }
        #expect(lines.map { $0.split(separator: " ")[0] }.prefix(3) == ["stale", "live", "stale"])
    }

    @Test func `A command that fails is told, and the next change runs it again`() throws {
        let child = try watch(["--when", "full"], script: "exit 3")
        try place.run("add", "5")
        #expect(try child.readErrorLine() == "counter: sh ended with exit code 3 (default: full)")
        try place.run("sub")
        try place.run("add")
        #expect(try child.readErrorLine() == "counter: sh ended with exit code 3 (default: full)")
        let zombies = try ChildProcess.run(["ps", "--ppid", "\(child.process.pid)", "-o", "stat="])
        #expect(zombies.output == "")
    }

    @Test func `It lets the running command end, and a second signal kills it`() throws {
        let child = try watch(
            ["--when", "full"], script: "trap 'echo TERM >>\(log)' TERM; while :; do sleep 0.02; done")
        try place.run("add", "5")
        try eventually("the command") { lines.count == 1 }
        try child.signal(SIGTERM)
        // The command gets the signal too, and goes on.
        try eventually("the signal") { lines.last == "TERM" }
        #expect(child.process.isAlive)
        try child.terminate()
    }

    @Test func `A kernel without pidfd_open is enough, and so is a program that ignores SIGCHLD`() throws {
        let child = try watch(["--when", "change"], environment: place.oldKernel())
        try place.run("add")
        try expect(["change 1 20 ok default"])
        try place.run("add", "2")
        try expect(["change 1 20 ok default", "change 2 40 ok default", "change 3 60 ok default"])
        // A command is a zombie between its end and the SIGCHLD.
        try eventually("no zombie") {
            let zombies = try ChildProcess.run(["ps", "--ppid", "\(child.process.pid)", "-o", "stat="])
            return !zombies.output.contains("Z")
        }
        try child.terminate()
    }

    @Test func `Without a free descriptor it ends with the reason, and the change waits for the next start`()
        throws
    {
        let child = try watch(["--when", "change"])
        try child.process.limitDescriptors(to: RunningProcess.fewerThanInUse)
        try place.run("add")
        #expect(try child.wait() == .exited(74))
        #expect(try child.readErrorLine()?.contains("Too many open files") ?? false)
        #expect(lines == [])
        let next = try watch(["--when", "change"])
        defer { next.end() }
        try expect(["change 1 20 ok default"])
    }

    @Test func `A location whose id begins with a combining mark can be stale over a restart`() throws {
        let (id, stale) = ("\u{301}x", ["COUNTER_STALE_AFTER": "1s"])
        try place.run("location", "add", id, "--name", "Hall")
        try place.run("device", "assign", "door", id)
        try place.run(["ingest"], environment: stale, input: event(1))
        let first = try watch(["--when", "stale"], environment: stale)
        try expect(["stale 1   Hall"])
        try first.terminate()
        let second = try watch(["--when", "stale"], environment: stale)
        try second.terminate()
        #expect(lines == ["stale 1   Hall"])
    }

    @Test func `Stale devices stand on a line each`() throws {
        let script = "printf '[%s]\\n' \"$COUNTER_STALE_DEVICES\" >>\(log)"
        let environment = ["COUNTER_STALE_AFTER": "1s"]
        let first = try watch(["--when", "stale"], script: script, environment: environment)
        try first.terminate()
        for device in ["door a", "b"] {
            try place.run("device", "assign", device, "default")
            try place.run(["ingest"], input: event(1, device: device))
        }
        try eventually("both devices to be stale") {
            let status = try place.run(["status", "--json"], environment: environment).output
            return status.contains("\"door a\"") && status.contains("\"b\"")
        }
        let second = try watch(["--when", "stale"], script: script, environment: environment)
        defer { second.end() }
        try eventually("the command") { lines.count >= 3 }
        #expect([["[b", "door a]"], ["[door a", "b]"]].contains(Array(lines.dropFirst())))
    }

    @Test func `No inherited variable of that name is passed beside ours`() throws {
        // Without a shell, which would take one of the two.
        let child = try following(
            place.start(
                ["watch", "--when", "change", "--", "printenv", "COUNTER_COUNT"],
                environment: ["COUNTER_COUNT": "\u{301}9"]))
        try place.run("add")
        try place.run("add")
        #expect(try [child.readLine(), child.readLine()] == ["1", "2"])
    }

    @Test func `A name that turns the direction of text does not reach standard error`() throws {
        try place.run("location", "set", "default", "--name", "H\u{202E}all")
        let child = try watch(["--when", "full"], script: "exit 1")
        try place.run("add", "5")
        #expect(try child.readErrorLine() == "counter: sh ended with exit code 1 (H?all: full)")
    }

    @Test func `What cannot be run or watched is refused at the start`() throws {
        expectFailure(try place.run("watch"), 64, "Missing expected argument '-- <command> ...'")
        expectFailure(try place.run("watch", "--", "no-such-command"), 66, "no-such-command: No such file")
        expectFailure(try place.run("watch", "--", "/etc/passwd"), 77, "/etc/passwd: Permission denied")
        expectFailure(
            try place.run("watch", "--when", "empty", "--", "true"), 64, "'empty' is not a condition", "full")
        expectFailure(
            try place.run("watch", "--location", "Cellar", "--", "true"), 66, "there is no location 'Cellar'")
        let child = try watch()
        defer { child.end() }
        expectFailure(
            try place.run(["watch", "--"] + command(script: "")), 75, "the same watch runs already")
    }
}

/// `counter watch` that is killed again and again.
@Suite final class WatchKillTests: WatchPlace {
    override init() throws {
        try super.init()
        try place.run("add")
    }

    private var positions: [Int] { lines.compactMap { Int($0) } }

    private func watch(_ environment: [String: String?] = [:]) throws -> ChildProcess {
        // One write of a short line, so that lines of two commands never mix.
        let command = ["sh", "-c", "echo $COUNTER_POSITION >>\(log)"]
        return try place.start(["watch", "--when", "change", "--"] + command, environment: environment)
    }

    /// The same, once it follows the journal.
    private func follow() throws -> ChildProcess { try following(watch()) }

    /// The positions of the changes that the program says may have been left out.
    private func told(by child: ChildProcess) throws -> [Int] {
        var told: [Int] = []
        while let line = try child.readErrorLine() {
            if let match = line.firstMatch(of: /change \((\d+)\): the program was killed/),
                let number = Int(match.1)
            {
                told.append(number)
            }
        }
        return told
    }

    @Test
    func `Killed between the record and the start of the command, it says so and leaves the command out`()
        throws
    {
        try follow().end()
        let killed = try place.library(
            "killed",
            """
            #include <csignal>
            #include <spawn.h>
            extern "C" int posix_spawnp(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                                        char *const *, char *const *) { return raise(SIGKILL); }
            """)
        try place.run("add")
        let child = try watch(killed.mapValues { $0 })
        #expect(try child.wait() == .killed(SIGKILL))
        try place.run("add")
        let next = try watch()
        try eventually("the next change") { positions == [3] }
        try next.terminate()
        #expect(try told(by: next) == [2])
        let last = try follow()
        try last.terminate()
        #expect(try told(by: last) == [] && positions == [3])
    }

    @Test func `Killed at any moment, it runs no command twice, and says which it may have left out`() throws
    {
        let kills = Volume.of(sample: 30, full: 1000)
        var random = SystemRandomNumberGenerator()
        var told: [Int] = []
        try follow().end()
        // The last row; row 1 was before the first start.
        var end = 1
        for _ in 0..<kills {
            // Fewer than are run before a late kill, so that it also comes at rest and at the start. On a busy machine several
            // runs share them, so that no more than these are left for the last one.
            if max(positions.last ?? 1, told.last ?? 1) == end {
                try place.run("add", "20")
                end += 20
            }
            let child = try watch()
            pause(.microseconds(Int.random(in: 0..<120_000, using: &random)))
            try child.signal(SIGKILL)
            try child.wait()
            told += try self.told(by: child)
        }
        let last = try follow()
        // The last row before this one may be left out, and never run.
        try place.run("add")
        end += 1
        try eventually("the last change", last: { "\(positions.suffix(1)) of \(end)" }) {
            positions.last == end
        }
        try last.terminate()
        told += try self.told(by: last)
        let ran = positions
        let rows = 2...end
        #expect(
            Set(ran).count == ran.count,
            "twice: \(Dictionary(grouping: ran) { $0 }.filter { $1.count > 1 }.keys.sorted())")
        #expect(Set(ran).union(told) == Set(rows))
        // A command that is known to have run is hardly ever among those that may not have: the second write tells.
        print(
            "measured: \(kills) kills, \(rows.count) changes, \(told.count) told of, \(rows.count - ran.count) left out"
        )
    }
}
