import Glibc
import TestSupport
import Testing

/// `counter --plain`: a line for each change, and nothing else.
@Suite struct PlainTests {
    private let place: Workplace

    init() throws { place = try Workplace.deaf() }

    private func plain(firstLine: String = "Count 0") throws -> ChildProcess {
        let program = try place.openUnseen(["--plain"])
        #expect(try program.readLine() == firstLine)
        return program
    }

    @Test func `Each change is one line, without a control sequence`() throws {
        let program = try plain()
        defer { program.end() }
        for (keys, lines) in [
            ("+", ["Count 1"]), ("+=-", ["Count 2", "Count 3", "Count 2"]), ("\u{1B}[A", ["Count 3"]),
            ("r", ["Count 0"]), ("u", ["Count 3"]), ("5d3tx\t", []), ("-", ["Count 2"]),
        ] {
            try program.write(keys)
            for line in lines { #expect(try program.readLine() == line) }
        }
        try place.run("add", "5")
        #expect(try program.readLine() == "Count 7")
        try program.write("q")
        #expect(try program.wait() == .exited(0))
    }

    @Test func `The configuration can ask for it, and the terminal is as it was afterwards`() throws {
        try place.configure("plain = true\n")
        let terminal = try place.open([])
        defer { terminal.close() }
        try terminal.waitForText("Count 0")
        #expect(try !terminal.isAlternateScreen && terminal.title != "Count 0")
        try terminal.type("+?")
        try terminal.waitForText("Q or Ctrl-C: leave")
        #expect(
            try terminal.screen().lines.prefix(3) == ["Count 0", "Count 1", "Volume keys: count; both reset"])
        try terminal.sendKey("C-c")
        #expect(try terminal.waitForExit() == .exited(0))
        expectFailure(try place.run("--plain"), 69, "terminal")
    }

    @Test func `Locations are named, and the end of a timer is told once, with its result`() throws {
        try place.run("location", "add", "Hall", "--key", "h")
        let program = try plain(firstLine: "default: Count 0")
        defer { program.end() }
        try program.write("h")
        #expect(try program.readLine() == "Hall: Count 0")
        #expect(try program.readLine() == "Hall: Count 1")
        try place.run("timer", "start", "1s", "Robins", "--location", "Hall")
        #expect(try program.readLine() == "Robins has ended: 0 in, 0 out. Enter acknowledges")
        try program.write("\r")
        let line = try program.readLine()
        #expect(line?.drop { $0 == "\u{7}" } == "acknowledged")
        try eventually("it to be acknowledged") {
            try place.run("timer", "list").output.contains("completed")
        }
    }
}
