import TestSupport
import Testing

@Suite struct TerminalSessionTests {
    @Test func `A program sees what is typed, and its output is on the screen`() throws {
        let session = try TerminalSession(
            ["sh", "-c", "stty size; printenv NOTE; cat"], environment: ["NOTE": "a b;c"])
        defer { session.close() }
        try session.waitForText("a b;c")
        try session.type("grüß; $HOME \"x\"")
        try session.sendKey("Enter")
        let screen = try session.waitForScreen("the line and its echo") { $0.lines[3] != "" }
        #expect(screen.lines.prefix(4) == ["24 80", "a b;c", "grüß; $HOME \"x\"", "grüß; $HOME \"x\""])
        #expect(screen.lines.count == 24)
        #expect(try session.process.name == "sh")
        #expect(try session.process.children.map(\.name) == ["cat"])
    }

    @Test func `The size is the one asked for, and can change`() throws {
        let session = try TerminalSession(
            ["bash", "-c", "trap 'stty size' WINCH; echo ready; while :; do sleep 0.02; done"],
            columns: 200, rows: 60)
        defer { session.close() }
        #expect(try session.size == (200, 60))
        try session.waitForScreen("60 lines") { $0.lines.count == 60 && $0.contains("ready") }
        try session.resize(columns: 40, rows: 12)
        try session.waitForText("12 40")
    }

    @Test func `Clicks and focus arrive as the terminal's own sequences`() throws {
        let session = try TerminalSession(["sh", "-c", "stty -echo -icanon; echo ready; exec cat -v"])
        defer { session.close() }
        try session.waitForText("ready")
        try session.click(column: 9, row: 0)
        try session.report(focus: false)
        try session.waitForText("^[[<0;10;1M^[[<0;10;1m^[[O")
    }

    @Test func `Colours and the title can be read`() throws {
        let session = try TerminalSession(
            ["sh", "-c", #"printf '\033]2;Count 7\007\033[31mred\033[0m'; sleep 60"#])
        defer { session.close() }
        try session.waitForText("red")
        #expect(try session.screen(colours: true).contains("\u{1B}[31mred"))
        #expect(try session.title == "Count 7")
    }

    @Test func `The way a program ended is known, and its last screen stays`() throws {
        // tmux may lose what a program writes right before it ends, so this one ends after its text was seen.
        let exiting = try TerminalSession(["sh", "-c", "echo bye; read line; exit 3"])
        try exiting.waitForText("bye")
        try exiting.sendKey("Enter")
        #expect(try exiting.waitForExit() == .exited(3))
        #expect(try exiting.screen().lines[0] == "bye")
        let killed = try TerminalSession(["sleep", "60"])
        try eventually("sleep to start") { try killed.process.name == "sleep" }
        try killed.process.signal(9)
        #expect(try killed.waitForExit() == .killed(9))
    }

    @Test func `In a shell a program can be suspended`() throws {
        let session = try TerminalSession(["bash", "--norc", "-i"])
        defer { session.close() }
        try session.type("sleep 60\n")
        let program = try eventualValue("sleep to run") {
            try session.process.children.first { $0.name == "sleep" }
        }
        try session.sendKey("C-z")
        try eventually("it to stop") { program.isStopped }
        try session.type("fg\n")
        try eventually("it to go on") { !program.isStopped }
    }

    @Test func `A screen that never comes is reported with the last one`() throws {
        let session = try TerminalSession(["sh", "-c", "echo here; sleep 60"])
        defer { session.close() }
        try session.waitForText("here")
        #expect {
            try session.waitForText("there", timeout: .milliseconds(50))
        } throws: {
            "\($0)".contains("'there'") && "\($0)".contains("│here│")
        }
    }

    @Test func `Closing ends the program`() throws {
        let session = try TerminalSession(["sleep", "60"])
        let program = try session.process
        session.close()
        try eventually("sleep to end") { !program.isAlive }
    }
}
