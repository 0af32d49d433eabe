import Glibc
import TestSupport
import Testing

/// The program is killed at any moment, and nothing that it has shown is lost.
@Suite struct KillTests {
    private static let rounds = Volume.of(sample: 4, full: 20)

    @Test func `Killed again and again while it counts, it loses nothing that the screen has shown`() throws {
        let place = try Workplace.deaf()
        var generator = SystemRandomNumberGenerator()
        var least = 0
        for round in 1...Self.rounds {
            let terminal = try place.open([])
            // The count at the kill, and the most that the typed keys could have added.
            let start = try #require(terminal.waitForScreen("a count") { $0.count != nil }.count)
            #expect(start >= least, "round \(round)")
            // Keys that are typed at once are stored at once, so they are typed one by one.
            let process = try terminal.process
            let bursts = Int.random(in: 2...8, using: &generator)
            let typed = bursts * 3
            for _ in 1...bursts {
                try terminal.type("+++")
                // At most as long as a commit takes.
                pause(.microseconds(Int64.random(in: 0...3000, using: &generator)))
            }
            try process.signal(SIGKILL)
            #expect(try terminal.waitForExit() == .killed(SIGKILL))
            // If it was killed while it drew, the screen may show two counts.
            let shown = try #require(try terminal.screen().counts.min())
            let verdict = try place.verify()
            #expect(verdict == .init(status: .exited(0), output: "", errors: ""), "round \(round)")
            let kept = try #require(Int(try place.show()))
            #expect(kept >= shown && kept <= start + typed, "round \(round): shown \(shown), kept \(kept)")
            least = kept
        }
    }
}

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
        return try place.start(["watch", "--when", "change", "--"] + command, environment: environment)
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
