import Glibc
import TestSupport
import Testing

/// In the foreground the program captures the keys, in the background it does not, as the terminal reports its focus.
@Suite(.serialized) struct FocusTests {
    private let rig: Rig<VirtualRemote>

    init() throws { rig = try Rig() }

    private func terminal() throws -> TerminalSession {
        try rig.open([], until: "Virtual Remote", environment: Workplace.window)
    }

    /// Expects that a press counts though another reader receives it too, for this reason.
    private func expectShared(_ terminal: TerminalSession, count: Int, because reason: String) throws {
        try rig.expectShared(on: terminal, count: count)
        try terminal.type("d")
        try terminal.waitForText(reason)
        try terminal.type("d")
    }

    @Test func `A window intercepts the keys in the foreground alone, unless v has given them back`() throws {
        let terminal = try terminal()
        try rig.expectExclusive(on: terminal, count: 1)
        try terminal.report(focus: false)
        try rig.expectShared(on: terminal, count: 1)
        try terminal.type("d")
        try terminal.waitForText("in the background: nothing counts")
        try terminal.type("d")
        try terminal.report(focus: true)
        try rig.expectExclusive(on: terminal, count: 2)

        try terminal.type("v")
        try rig.expectShared(on: terminal, count: 2)
        // Gaining the focus is no reason to intercept them.
        try terminal.report(focus: true)
        try rig.expectShared(on: terminal, count: 2)
        try terminal.type("d")
        try terminal.waitForText("v intercepts again")
        try terminal.type("dv")
        try rig.expectExclusive(on: terminal, count: 3)

        // A key that is down while the focus goes is taken as released.
        try rig.device.down(.volumeUp)
        try terminal.waitForScreen("a count more") { !$0.contains("Count 3") }
        try terminal.report(focus: false)
        try terminal.waitForText("Virtual Remote shared")
        let counted = try rig.place.show()
        // Long enough for several repeats, if the hold had gone on.
        pause(.milliseconds(600))
        try rig.device.up(.volumeUp)
        // The reader does not receive the release of a press that it has not received.
        try rig.reader.expect([])
        #expect(try rig.place.show() == counted)
    }

    @Test func `Ctrl-Z gives the keys back; after fg it is in front or in the background as before`() throws {
        let shell = try rig.place.shell(environment: Workplace.window)
        try shell.type("counter\n")
        try rig.expectExclusive(on: shell, count: 1)
        try shell.sendKey("C-z")
        try shell.waitForText("Stopped")
        try rig.reader.awaitMarker(of: rig.device)
        try rig.press(isHeard: true)
        try shell.type("fg\n")
        try rig.expectExclusive(on: shell, count: 2)

        try shell.report(focus: false)
        try shell.waitForText("Virtual Remote shared")
        try shell.sendKey("C-z")
        try shell.waitForScreen("stopped again") { $0.lines.count { $0.contains("Stopped") } == 2 }
        try shell.type("fg\n")
        try rig.expectShared(on: shell, count: 2)
        try shell.report(focus: true)
        try rig.expectExclusive(on: shell, count: 3)
    }

    // MARK: - tmux and screen

    private func tmux(focusEvents: Bool) throws -> TerminalSession {
        try rig.place.open([], tmuxOptions: ["focus-events": focusEvents ? "on" : "off"])
    }

    @Test func `In tmux with focus-events it follows the client, and is in the background while detached`()
        throws
    {
        let terminal = try tmux(focusEvents: true)
        try rig.expectShared(on: terminal, count: 0)
        let client = try terminal.attach()
        try rig.expectExclusive(on: terminal, count: 1)
        try client.write("\u{1B}[O")
        try rig.expectShared(on: terminal, count: 1)
        try client.write("\u{1B}[I")
        try rig.expectExclusive(on: terminal, count: 2)

        try terminal.detach()
        try rig.expectShared(on: terminal, count: 2)
        let another = try terminal.attach()
        try rig.expectExclusive(on: terminal, count: 3)
        // As when its window is closed or its connection breaks.
        try another.signal(SIGHUP)
        try rig.expectShared(on: terminal, count: 3)
    }

    @Test func `In tmux without focus-events they are shared, whoever comes and goes`() throws {
        let terminal = try tmux(focusEvents: false)
        try terminal.waitForText("Virtual Remote shared")
        let start = ContinuousClock.now
        try expectShared(terminal, count: 1, because: "tmux set -g focus-events on")
        // Longer than the program waits for an answer: later reports of tmux are no answer.
        pause(max(.zero, Duration.seconds(2) - (ContinuousClock.now - start)))
        let client = try terminal.attach()
        defer { client.end() }
        try expectShared(
            terminal, count: 2, because: "tmux or screen does not report when to stop intercepting")
    }

    @Test(arguments: [
        ("screen-256color", "tmux or screen does not report when to stop intercepting"),
        ("vt100", "this terminal does not report when to stop intercepting"),
    ])
    func `On a terminal that does not tell they are shared, with the remedy`(
        type: String, reason: String
    ) throws {
        let terminal = try rig.open(
            [], until: "Virtual Remote", environment: Workplace.window.merging(["TERM": type]) { $1 })
        try expectShared(terminal, count: 1, because: reason)
    }
}

/// On a Linux virtual terminal the kernel reports which terminal is in the foreground.
@Suite(.serialized) struct VirtualTerminalTests {
    private static let front = 1
    private static let ours = 2

    private func open(_ place: Workplace, _ command: [String]) throws -> ConsoleSession {
        try ConsoleSession(
            command, on: Self.ours, environment: place.environment.merging(["TMUX": nil, "STY": nil]) { $1 })
    }

    @Test func `In the background nothing is intercepted and nothing counts, in the foreground both`() throws
    {
        let rig = try Rig()
        let console = try open(rig.place, [BuiltProducts.counter])
        try console.waitForText("Virtual Remote shared")
        try console.type("d")
        try console.waitForText("in the background: nothing counts")
        try console.type("d")
        defer { try? ConsoleSession.show(Self.front) }
        for count in 1...2 {
            try rig.press(isHeard: true)
            try ConsoleSession.show(Self.ours)
            try rig.expectExclusive(on: console, count: count)
            try ConsoleSession.show(Self.front)
            try console.waitForText("Virtual Remote shared")
        }
        #expect(try rig.place.show() == "2")
    }

    @Test func `With --always it counts and intercepts in the background too`() throws {
        let rig = try Rig()
        let console = try open(rig.place, [BuiltProducts.counter, "--always"])
        try rig.expectExclusive(on: console, count: 1)
    }

    @Test func `Continued in the background it intercepts nothing`() throws {
        let rig = try Rig()
        try ConsoleSession.show(Self.ours)
        defer { try? ConsoleSession.show(Self.front) }
        let shell = try open(rig.place, ["bash", "--norc", "-i"])
        try shell.type("\(BuiltProducts.counter)\n")
        try shell.waitForText("Virtual Remote exclusive")
        try shell.type("\u{1A}")
        try shell.waitForText("Stopped")
        try ConsoleSession.show(Self.front)
        try shell.type("fg\n")
        try shell.waitForText("Virtual Remote shared")
        try rig.press(isHeard: true)
    }
}
