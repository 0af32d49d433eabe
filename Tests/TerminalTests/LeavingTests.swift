import Glibc
import TestSupport
import Testing

/// However the program ends, the terminal is restored, and no process is left.
@Suite final class LeavingTests: NewPlace {
    /// A way to leave, and the status that the shell sees.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let leave: @Sendable (TerminalSession, RunningProcess) throws -> Void

        init(
            _ name: String, status: Int = 0,
            _ leave: @escaping @Sendable (TerminalSession, RunningProcess) throws -> Void
        ) {
            (testDescription, self.status, self.leave) = (name, status, leave)
        }

        static func signal(_ name: String, _ number: Int32, status: Int = 0) -> Way {
            Way(name, status: status) { try $1.signal(number) }
        }
    }

    static let ways = [
        Way("q") { terminal, _ in try terminal.type("q") },
        Way("Ctrl-C") { terminal, _ in try terminal.sendKey("C-c") },
        Way("Ctrl-C by kitty's protocol") { terminal, _ in try terminal.type("\u{1B}[99;5u") },
        Way("Ctrl-\\") { terminal, _ in try terminal.sendKey("C-\\") },
        .signal("SIGTERM", SIGTERM), .signal("SIGHUP", SIGHUP), .signal("SIGINT", SIGINT),
        .signal("SIGSEGV", SIGSEGV, status: 139), .signal("SIGABRT", SIGABRT, status: 134),
        .signal("SIGTRAP", SIGTRAP, status: 133), .signal("SIGBUS", SIGBUS, status: 135),
    ]

    @Test(arguments: ways)
    func `The terminal is as it was`(after way: Way) throws {
        let place = try Workplace.deaf(environment: ["SWIFT_BACKTRACE": "enable=no"])
        // The terminal's signals reach the shell too, which ignores them.
        let script = #"""
            trap : INT QUIT
            printf '\033]2;mine\007'; echo "modes $(stty -g)"
            "$0"; echo "status $?."
            echo "modes $(stty -g)"; exec cat
            """#
        let terminal = try place.open([], by: ["sh", "-c", script], columns: 160)
        try terminal.waitForCount(0)
        #expect(try terminal.modes == .fullScreen)
        try terminal.type("+++")
        try terminal.waitForCount(3)

        try way.leave(terminal, try terminal.program())
        let screen = try terminal.expectSameModes()
        #expect(screen.contains("status \(way.status)."))
        #expect(try terminal.modes == .shell)
        #expect(try terminal.title == "mine")
        #expect(try place.show() == "3")
        #expect(try place.verify().status == .exited(0))
    }

    @Test(arguments: ["", "trap '' HUP; "])
    func `When the terminal goes away so does the program, and its key server`(first: String) throws {
        let terminal = try place.open([], by: ["sh", "-c", first + "exec \"$0\""])
        try terminal.waitForCount(0)
        try terminal.type("+")
        try terminal.waitForCount(1)
        let program = try terminal.process
        let keyServer = try eventualValue("a key server") { program.children.first }
        try terminal.vanish()
        try eventually("the program to end") { !program.isAlive }
        try eventually("the key server to end") { !keyServer.isAlive }
        #expect(try place.show() == "1")
    }

    @Test func `Suspended it leaves a sane terminal, and comes back at the size of the day`() throws {
        let terminal = try place.shell()
        try terminal.resize(columns: 160, rows: 24)
        try terminal.type("echo \"modes $(stty -g)\"; counter\n")
        try terminal.waitForCount(0)
        try terminal.type("+")
        try terminal.waitForCount(1)

        try terminal.sendKey("C-z")
        try terminal.waitForText("Stopped")
        #expect(try terminal.modes == .shell)
        try terminal.type("echo \"modes $(stty -g)\"\n")
        try terminal.expectSameModes()

        // Another program counts meanwhile.
        try place.run("add", "5")
        try terminal.resize(columns: 60, rows: 15)
        try terminal.type("fg\n")
        try terminal.waitForScreen("the whole screen") { $0.count == 6 && $0.lines[14].contains("[Q Quit]") }
        #expect(try terminal.modes == .fullScreen)
        // The first arrow key is understood at once.
        try terminal.sendKey("Up")
        try terminal.waitForCount(7)

        // Stopped by SIGSTOP, it has the terminal again once it is in the foreground.
        try terminal.program().signal(SIGSTOP)
        try terminal.waitForText("Stopped")
        try terminal.type("fg\n")
        try terminal.waitForScreen("the whole screen") { $0.contains("[Q Quit]") && !$0.contains("Stopped") }
        try terminal.type("+")
        try terminal.waitForCount(8)
        try terminal.type("q")
        try terminal.waitForScreen("the shell") { !$0.contains("Count") && $0.contains("fg") }
        #expect(try terminal.modes == .shell)
        #expect(try place.show() == "8")
    }
}

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

extension TerminalSession {
    /// Waits until the terminal's modes were printed twice, before and after the program, and expects that they are the same.
    @discardableResult
    fileprivate func expectSameModes() throws -> Screen {
        func modes(_ screen: Screen) -> [String] { screen.lines.filter { $0.hasPrefix("modes ") } }
        let screen = try waitForScreen("both modes") { modes($0).count == 2 }
        #expect(Set(modes(screen)).count == 1)
        return screen
    }

    /// The program that a shell has started in the terminal.
    func program() throws -> RunningProcess {
        try eventualValue("the program to run") { try process.children.first { $0.name == "counter" } }
    }
}
