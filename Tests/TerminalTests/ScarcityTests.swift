import Glibc
import TestSupport
import Testing

/// A disk that becomes full during counting. The disk is a small tmpfs in a mount namespace of its own.
@Suite final class FullDiskTests: NewPlace {
    /// The screens on a disk of 512 KiB, which a file can fill.
    final class SmallDisk {
        let place: Workplace
        let terminal: TerminalSession
        private let program: RunningProcess

        init() throws {
            place = try Workplace.deaf()
            // The namespace exists as long as the program; a user other than root becomes root in it.
            let script = """
                mount -t tmpfs -o size=512k none "$1" && "$0"; echo "status $?."; exec cat
                """
            terminal = try place.open([place.directory], by: inOwnMounts + ["sh", "-c", script])
            try terminal.waitForCount(0)
            program = try terminal.program()
        }

        /// The prefix of a command that runs in the namespace of a process.
        static func enter(_ process: RunningProcess) -> [String] {
            ["nsenter", "--mount", "--target", "\(process.pid)"]
                + (getuid() == 0 ? [] : ["--user", "--preserve-credentials"])
        }

        /// Runs a script on that disk, in the directory of the journal.
        func run(_ script: String) throws -> ChildProcess.Outcome {
            try Self.run(script, beside: program, place)
        }

        static func run(
            _ script: String, beside process: RunningProcess, _ place: Workplace
        ) throws -> ChildProcess.Outcome {
            try place.run(place.directory, by: enter(process) + ["sh", "-c", "cd \"$1\" && " + script])
        }

        func fill() throws { _ = try run("cat /dev/zero >filling 2>&-; cat /dev/zero >>filling 2>&-") }
        func makeRoom() throws { #expect(try run("rm filling").status == .exited(0)) }

        /// Types until a count could not be stored; returns the last count that was shown as stored.
        func countUntilFull() throws -> Int {
            for _ in 1...400 {
                let before = try #require(try terminal.screen().count)
                try terminal.type("+")
                let screen = try terminal.waitForScreen("an answer") {
                    $0.count == before + 1 || $0.contains("not stored")
                }
                if screen.contains("not stored") { return before }
            }
            throw SupportError.refused(by: "the disk", why: "it takes everything though it is full")
        }
    }

    @Test func `What cannot be stored is shown as such, and stored in order once it can`() throws {
        let disk = try SmallDisk()
        try disk.terminal.type("+++")
        try disk.terminal.waitForCount(3)
        try disk.fill()
        let stored = try disk.countUntilFull()
        #expect(try disk.run("\"$0\" show").output == "\(stored)\n")
        try disk.terminal.waitForScreen("what is the matter") {
            $0.contains("1 not stored") && $0.contains("no space left on the disk")
        }
        try disk.terminal.type("-r++")
        try disk.terminal.waitForScreen("five, and the count that is stored") {
            $0.contains("5 not stored") && $0.count == stored
        }
        #expect(try disk.terminal.title == "Count \(stored)")

        try disk.makeRoom()
        try disk.terminal.type("+")
        try disk.terminal.waitForScreen("three, and no word of the disk") {
            $0.count == 3 && !$0.contains("not stored") && !$0.contains("no space")
        }
        #expect(try disk.run("\"$0\" show").output == "3\n")
        let rows = try disk.run("\"$0\" export").output.split(separator: "\n")
        let kinds = rows.suffix(6).map { $0.split(separator: ",")[1] }
        #expect(kinds == ["in", "out", "reset", "in", "in", "in"])
        #expect(try disk.run("\"$0\" verify").status == .exited(0))
        // The undo of a reset restores the level that was stored before it.
        try disk.terminal.type("uuuu")
        try disk.terminal.waitForCount(stored)
        try disk.terminal.type("q")
        try disk.terminal.waitForText("status 0.")
    }

    @Test func `A timer that ends on a full disk alerts, and is acknowledged once there is room`() throws {
        let disk = try SmallDisk()
        #expect(try disk.run("\"$0\" timer start 1s Robins").status == .exited(0))
        try disk.fill()
        _ = try disk.countUntilFull()
        try disk.terminal.waitForText("Robins ended")
        try disk.terminal.sendKey("Enter")
        try disk.terminal.waitForScreen("both") {
            $0.contains("no space left on the disk") && $0.contains("Robins ended")
        }
        try disk.makeRoom()
        try disk.terminal.sendKey("Enter")
        try disk.terminal.waitForScreen("no alarm") { !$0.contains("Robins ended") }
        #expect(try disk.run("\"$0\" verify").status == .exited(0))
    }

    @Test func `Leaving while something waits says so and ends with 74`() throws {
        let disk = try SmallDisk()
        try disk.fill()
        let stored = try disk.countUntilFull()
        try disk.terminal.type("+")
        try disk.terminal.waitForText("2 not stored")
        // Read while the program runs, because the disk goes with its last process.
        let shown = try disk.run("\"$0\" show").output
        #expect(shown == "\(stored)\n")
        try disk.terminal.type("q")
        let screen = try disk.terminal.waitForText("status 74.")
        let text = screen.lines.joined()
        #expect(text.contains("2 changes are not stored"))
        #expect(text.contains("no space left on the disk"))
        #expect(text.contains("Make room on the disk"))
    }

    @Test func `Leaving stores what waits, where there is room again`() throws {
        let disk = try SmallDisk()
        try disk.fill()
        let stored = try disk.countUntilFull()
        try disk.makeRoom()
        try disk.terminal.type("q")
        try disk.terminal.waitForText("status 0.")
        let shell = try disk.terminal.process
        let show = try SmallDisk.run("\"$0\" show", beside: shell, disk.place)
        #expect(show.output == "\(stored + 1)\n")
    }

    @Test func `Ingest waits for room, also at its start, and answers lines once they are stored`() throws {
        let script = """
            mount -t tmpfs -o size=512k none "$1" && cat /dev/zero >"$1/filling" 2>&-; exec "$0" ingest
            """
        let program = try place.start([place.directory], by: inOwnMounts + ["sh", "-c", script])
        let run = { [place] script in try SmallDisk.run(script, beside: program.process, place) }
        try program.write(event(1, number: 1) + "\n")
        let complaint = try #require(try program.readErrorLine(timeout: .seconds(180)))
        #expect(complaint.contains("no space left on the disk"))
        #expect(try run("rm filling").status == .exited(0))
        #expect(try program.readLine() == #"{"line":1,"result":"accepted","position":1}"#)
        // Also what the program has of the disk already: pages of the log.
        _ = try run("cat /dev/zero >filling 2>&-; cat /dev/zero >>filling 2>&-")
        var line = 1
        var answer: String? = ""
        while answer != nil, line < 2_000 {
            line += 1
            try program.write(event(line % 60, number: line) + "\n")
            answer = try? program.readLine(timeout: .seconds(2))
        }
        #expect(answer == nil, "nothing is answered on a full disk")
        #expect(program.process.isAlive)
        #expect(try run("\"$0\" show").output == "\(line - 1)\n")
        #expect(try run("rm filling").status == .exited(0))
        let last = try program.readLine()
        #expect(last == "{\"line\":\(line),\"result\":\"accepted\",\"position\":\(line)}")
        #expect(try run("\"$0\" show").output == "\(line)\n")
        #expect(try run("\"$0\" verify").status == .exited(0))
        program.closeInput()
        #expect(try program.wait() == .exited(0))
    }
}

/// Programs that may have few files open say so, with what to do about it.
@Suite final class FewDescriptorsTests: NewPlace {
    /// The words before a command that may have so many files open.
    private static func limited(_ limit: Int) -> [String] {
        ["sh", "-c", "ulimit -n \(limit) && exec \"$@\"", "sh"]
    }

    private static let what = "Too many open files"
    private static let remedy = "raise its limit with ulimit -n"

    @Test(arguments: [
        ["show"], ["add"], ["listen"], ["ingest"], ["ingest", "--socket", "SOCKET"], ["timer", "list"],
        ["export"], ["history"],
    ])
    func `A command that cannot open a file names the limit, whichever file it is`(words: [String]) throws {
        try place.run("add")
        let command = words.map { $0 == "SOCKET" ? place.directory + "/socket" : $0 }
        for limit in 5...7 {
            let outcome = try place.run(command, by: Self.limited(limit))
            if limit > 5, outcome.status == .exited(0) { continue }
            #expect(outcome.status == .exited(71), "\(limit): \(outcome)")
            for text in [Self.what, Self.remedy] {
                #expect(outcome.errors.contains(text), "\(limit): \(outcome.errors)")
            }
        }
    }

    @Test func `A watch that cannot open its record names the limit too`() throws {
        try place.run("add")
        let watch = ["watch", "--when", "change", "--", "true"]
        var refused = 0
        for limit in 7...12 {
            let outcome = try place.run(watch, by: Self.limited(limit) + ["timeout", "5"])
            guard outcome.errors.contains(Self.what) else { continue }
            refused += 1
            #expect(outcome.errors.contains(Self.remedy), "\(limit): \(outcome.errors)")
        }
        #expect(refused > 3)
    }

    @Test(arguments: [[], ["practice"]])
    func `A screen does not blame the terminal or the disk`(words: [String]) throws {
        var refused = 0
        for limit in 6...10 {
            let terminal = try place.start(
                words, by: Self.limited(limit), environment: ["TERM": "xterm-256color"],
                streams: .terminal(columns: 200, rows: 24))
            // It ends with the reason, or shows a screen.
            var shown = ""
            try eventually("the reason, or a screen", last: { shown }) {
                shown += try terminal.takeOutput()
                return shown.contains(Self.remedy) || shown.contains("Quit]") || shown.contains("Esc")
            }
            for wrong in ["is unknown here", "cannot be written", "max_user_instances"] {
                #expect(!shown.contains(wrong), "\(limit): \(shown)")
            }
            refused += shown.contains(Self.remedy) ? 1 : 0
        }
        #expect(refused > 0)
    }

    @Test func `What fails each second is told of once`() throws {
        let place = try Workplace.deaf(environment: ["COUNTER_KEYS_SOCKET": ""])
        // The program ends at the third attempt to start a key server.
        let library = try place.library(
            "full",
            """
            #include <errno.h>
            #include <signal.h>
            #include <unistd.h>
            extern "C" int socketpair(int, int, int, int *) {
                static int attempts;
                if (++attempts == 3) kill(getpid(), SIGTERM);
                errno = EMFILE;
                return -1;
            }
            """)
        let outcome = try place.run(["listen"], environment: library.mapValues { $0 })
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors.ranges(of: Self.what).count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains(Self.remedy))
    }
}
