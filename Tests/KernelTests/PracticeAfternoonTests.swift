import Glibc
import TestSupport
import Testing

/// `counter practice` as a player and a grown-up use it, with a real remote, beside `counter listen`.
@Suite(.serialized) struct PracticeAfternoonTests {
    private let place: Workplace
    private let remote: VirtualRemote
    private let reader: SecondReader
    private let tools: ScratchFolder

    init() throws {
        place = try Workplace()
        remote = try VirtualRemote()
        reader = try SecondReader(node: remote.node)
        tools = try ScratchFolder()
        // What the browser was given is recorded.
        try tools.write("xdg-open", "#!/bin/sh\necho \"$#:$1\" >>\(tools.path)/opened\n")
        chmod(tools.path(of: "xdg-open"), 0o755)
    }

    /// A terminal that, by its TERM, reports its focus.
    private func open() throws -> TerminalSession {
        let path = "\(tools.path):\(environment("PATH"))"
        return try place.open(
            ["practice"],
            environment: ["TERM": "xterm-256color", "TMUX": nil, "STY": nil, "PATH": path, "DISPLAY": ":0"])
    }

    private func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    // MARK: - Keys

    /// Presses both keys of the remote together, and lets them go.
    private func both(for duration: Duration = .milliseconds(60)) throws {
        try remote.emit(frame: remote.frame(.volumeUp, .down) + remote.frame(.volumeDown, .down))
        pause(duration)
        try remote.emit(frame: remote.frame(.volumeUp, .up) + remote.frame(.volumeDown, .up))
        pause(.apart)
    }

    /// Goes on with the up key until the screen shows a text, and chooses it.
    private func choose(_ card: String, in terminal: TerminalSession) throws {
        for _ in 0..<12 {
            let screen = try terminal.screen()
            if screen.contains(card) { return try both() }
            try remote.press(.volumeUp, then: .apart)
            try terminal.waitForScreen("another card") { $0.description != screen.description }
        }
        Issue.record("no card \(card)")
    }

    /// Presses up until the screen follows: the keys are read from then on.
    private func awaitKeys(_ terminal: TerminalSession) throws {
        let before = try terminal.screen().description
        try eventually("the keys are read") {
            try remote.press(.volumeUp, then: .apart)
            return try terminal.screen().description != before
        }
    }

    /// Counts the dots of the dice on the screen, and presses up for each.
    private func solveDice(in terminal: TerminalSession) throws {
        try choose("Dice", in: terminal)
        let screen = try terminal.waitForText("[Both done")
        let dots = screen.lines.reduce(0) { $0 + $1.ranges(of: "▟██▙").count }
        for press in 1...dots {
            try remote.press(.volumeUp, then: .apart)
            try terminal.waitForScreen("press \(press)") { screen in
                screen.lines.joined().count { $0 == "●" } == press
            }
        }
        try both()
        try terminal.waitForText("Solved!")
        try both()
        try terminal.waitForText(" of 6")
    }

    private func firstStart(_ terminal: TerminalSession) throws {
        for (title, text) in [("choose a PIN", "1234"), ("once more", "1234"), ("player's name", "Mia")] {
            try terminal.waitForText(title)
            try terminal.type("\(text)\r")
        }
        try terminal.waitForText("1 of 12")
        try remote.press(.volumeUp, then: .apart)
        try terminal.waitForText("2 of 12")
        try both()
        try terminal.waitForText("Who plays?")
    }

    /// The grown-up approves a video, by keyboard.
    private func approveVideo(_ terminal: TerminalSession) throws {
        try terminal.type("\u{1B}[C\r")
        try terminal.waitForText("PIN of the grown-up")
        try terminal.type("1234\r")
        try terminal.waitForText("1 of 9")
        try terminal.type("\u{1B}[C\u{1B}[C\r")
        try terminal.waitForText("Add a video")
        try terminal.type("\r")
        try terminal.waitForText("Address of the video")
        try terminal.type("https://youtu.be/abcdefghijk?t=5\r")
        try terminal.waitForText("What is it called?")
        try terminal.type("Foxes\r")
        try terminal.waitForText("price in coins")
        try terminal.type("1\r")
        try terminal.waitForText("Add a video")
        try leave(terminal, to: "1 of 9")
        try leave(terminal, to: "Who plays?")
    }

    private func leave(_ terminal: TerminalSession, to text: String) throws {
        try terminal.sendKey("Escape")
        try terminal.waitForText(text)
    }

    // MARK: - The afternoon

    @Test func `A whole afternoon by real key presses: no press is lost, none reaches anybody else`() throws {
        defer { remote.destroy() }
        var terminal = try open()
        try firstStart(terminal)
        var listener = try place.listen()
        defer { listener.end() }
        try approveVideo(terminal)
        try choose("Mia", in: terminal)
        try terminal.waitForText("min left")
        try solveDice(in: terminal)
        try solveDice(in: terminal)
        try terminal.waitForText("4 coins")
        try reader.expect([])
        // What already reads the device when practice starts would go on counting.
        listener.end()
        try terminal.process.signal(SIGKILL)
        terminal.close()
        terminal = try open()
        defer { terminal.close() }
        try terminal.waitForText("Who plays?")
        try awaitKeys(terminal)
        // Presses before practice intercepted them were everybody's.
        _ = try reader.take()
        listener = try place.listen()
        try choose("Mia", in: terminal)
        try terminal.waitForText("4 coins")
        try solveDice(in: terminal)
        try quitLabyrinth(terminal)
        try watchVideo(terminal)
        try reachLimit(terminal)
        try reader.expect([])
        #expect(try place.show() == "0")
        let report = try place.run("practice", "report").output
        #expect(report.contains("Mia, cat\ncoins 5, earned in all 6\n"))
        #expect(report.contains("Dice: level 4, 3 solved, 0 quit, 0 mistakes, 0 hints"))
        #expect(report.contains("Labyrinth: level 1, 0 solved, 1 quit"))
        #expect(report.contains("3 levels solved, 1 videos watched"))
    }

    private func quitLabyrinth(_ terminal: TerminalSession) throws {
        try choose("Labyrinth", in: terminal)
        try terminal.waitForText("Walk to the *")
        try both(for: .milliseconds(2500))
        try terminal.waitForText(" of 6")
    }

    private func watchVideo(_ terminal: TerminalSession) throws {
        try choose("Treasure", in: terminal)
        try terminal.waitForText("Foxes")
        try both()
        try terminal.waitForText("Have fun: Foxes")
        let opened = tools.path(of: "opened")
        try eventually("the browser is opened") { access(opened, R_OK) == 0 }
        #expect(
            try ChildProcess.run(["cat", opened]).output == "1:https://www.youtube.com/watch?v=abcdefghijk\n")
        try both()
        try terminal.waitForText("1 of 6")
    }

    /// The grown-up sets no minutes for today; home then says until when.
    private func reachLimit(_ terminal: TerminalSession) throws {
        try leave(terminal, to: "Who plays?")
        try terminal.type("\u{1B}[C\r")
        try terminal.waitForText("PIN of the grown-up")
        try terminal.type("1234\r")
        try terminal.waitForText("1 of 9")
        try terminal.type("\r")
        try terminal.waitForText("Minutes per day")
        try terminal.type("\r")
        try terminal.waitForText("0 to 1440")
        try terminal.type("0\r")
        try terminal.waitForText("1 of 8")
        try leave(terminal, to: "1 of 9")
        try leave(terminal, to: "Who plays?")
        try choose("Mia", in: terminal)
        try terminal.waitForText("On again at 0:00")
        try leave(terminal, to: "Who plays?")
    }
}
