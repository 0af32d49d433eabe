import Glibc
import TestSupport
import Testing

/// `counter watch` that is killed again and again.
@Suite struct WatchKillTests {
    private let place: Workplace

    init() throws {
        place = try Workplace.deaf(environment: ["XDG_STATE_HOME": nil])
        try place.run("add")
    }

    private var positions: [Int] {
        String(decoding: place.bytes(of: "log") ?? [], as: UTF8.self).split(separator: "\n").compactMap {
            Int($0)
        }
    }

    private func watch(_ environment: [String: String?] = [:]) throws -> ChildProcess {
        // One write of a short line, so that lines of two commands never mix.
        let command = ["sh", "-c", "echo $COUNTER_POSITION >>\(place.directory)/log"]
        return try ChildProcess(
            [BuiltProducts.counter, "watch", "--when", "change", "--"] + command,
            environment: place.environment.merging(environment) { $1 })
    }

    /// The same, once it follows the journal.
    private func follow() throws -> ChildProcess {
        let child = try watch()
        try eventually("it to follow the journal") {
            let records = try ChildProcess.run([
                "sh", "-c", "cat \(place.directory)/.local/state/counter/watch/*",
            ]).output
            return child.process.blocks(SIGTERM) && records.contains("position")
        }
        return child
    }

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
        try next.signal(SIGTERM)
        #expect(try next.wait() == .exited(0))
        #expect(try told(by: next) == [2])
        let last = try follow()
        try last.signal(SIGTERM)
        #expect(try last.wait() == .exited(0))
        #expect(try told(by: last) == [] && positions == [3])
    }

    @Test func `Killed at any moment, it runs no command twice, and says which it may have left out`() throws
    {
        let kills = Volume.of(sample: 30, full: 1000)
        var random = SystemRandomNumberGenerator()
        var told: [Int] = []
        try follow().end()
        for _ in 0..<kills {
            // Fewer than are run before a late kill, so that it also comes at rest and at the start.
            try place.run("add", "20")
            let child = try watch()
            pause(.microseconds(Int.random(in: 0..<120_000, using: &random)))
            try child.signal(SIGKILL)
            try child.wait()
            told += try self.told(by: child)
        }
        let last = try watch()
        // Row 1 was before the first start.
        let rows = 2...20 * kills + 1
        try eventually("the last change") { positions.contains(rows.upperBound) }
        try last.signal(SIGTERM)
        #expect(try last.wait() == .exited(0))
        told += try self.told(by: last)
        let ran = positions
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
