import Foundation
import Glibc
import TestSupport
import Testing

/// The program adapts to each terminal type and locale.
@Suite final class TerminalTypeTests: NewPlace {
    @Test(arguments: ["vt100", "linux", "screen-256color", "xterm-256color"])
    func `It counts on any terminal that can place a character`(type: String) throws {
        let terminal = try place.opened(environment: ["TERM": type])
        try terminal.type("++-?")
        let screen = try terminal.waitForScreen("one, and the help") {
            $0.count == 1 && $0.contains("Esc closes")
        }
        #expect(screen.lines.count == 24)
        try terminal.type("?q")
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(try place.show() == "1")
    }

    @Test(arguments: [
        ("dumb", "a terminal of type 'dumb' cannot show a screen; use `counter --plain`, which writes lines"),
        (
            "nonsense",
            "the terminal type 'nonsense' is unknown here; install ncurses-term, or set TERM=xterm-256color"
        ),
        ("", "TERM is not set; set it to the terminal's type, such as TERM=xterm-256color"),
        (nil, "TERM is not set; set it to the terminal's type, such as TERM=xterm-256color"),
    ])
    func `A terminal that cannot show a screen is refused with the remedy`(type: String?, why: String) throws
    {
        let terminal = try place.openUnseen(environment: ["TERM": type])
        // It is all that the terminal receives: no control sequence comes before or after it.
        #expect(try terminal.readLine() == "counter: \(why)")
        #expect(try terminal.readLine() == nil)
        #expect(try terminal.wait() == .exited(69))
    }

    @Test func `Without UTF-8 all of the screen is ASCII`() throws {
        try place.run("reset", "--to", "88")
        for locale in ["C", "POSIX", "xx_YY"] {
            let terminal = try place.opened(
                showing: 88, environment: ["LANG": locale, "LC_ALL": locale])
            let digits = try terminal.screen()
            try terminal.type("d")
            let screen = try terminal.waitForText("Esc closes")
            #expect(screen.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
            #expect(digits.contains("#####"))
        }
    }

    @Test(arguments: [("1", false), ("", true), (nil, true)])
    func `NO_COLOR takes all colours away, unless it is empty`(value: String?, hasColours: Bool) throws {
        let terminal = try place.opened(environment: ["NO_COLOR": value, "TERM": "screen-256color"])
        let text = try terminal.screen(colours: true).description
        // 3x, 4x, 9x, 10x and 38;5;n choose colours; 39 and 49 are the terminal's own.
        let sequences = text.split(separator: "\u{1B}[").dropFirst().map { $0.prefix { $0 != "m" } }
        let codes = sequences.flatMap { $0.split(separator: ";") }.compactMap { Int($0) }
        let colours = codes.filter { (30...48).contains($0) && $0 != 39 || (90...107).contains($0) }
        #expect(colours.isEmpty != hasColours)
    }

    /// As by `su`: the program may not open the terminal by its name. A descriptor that blocks would stop counting.
    @Test(.enabled(if: geteuid() == 0))
    func `On another user's terminal it writes without waiting too`() throws {
        let other = try place.openUnseen(
            by: asNobody, environment: place.letNobodyIn().merging(["TERM": "tmux-256color"]) { $1 })
        try other.skipOutput(past: "[D Details]")
        let folder = "/proc/\(other.process.pid)"
        let own = try #require(
            (3..<64).first {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")
                return target == "/dev/tty"
            })
        let flags = try String(contentsOfFile: "\(folder)/fdinfo/\(own)", encoding: .utf8).split(
            separator: "\n"
        )
        .first { $0.hasPrefix("flags:") }?.split(separator: "\t").last.flatMap { Int32($0, radix: 8) }
        #expect(try #require(flags) & O_NONBLOCK != 0)
    }
}

/// `counter --plain`: a line for each change, and nothing else.
@Suite final class PlainTests: NewPlace {
    @Test func `The configuration can ask for it, and the terminal is as it was afterwards`() throws {
        try place.configure("plain = true\n")
        let terminal = try place.open([])
        try terminal.waitForText("Count 0")
        #expect(try !terminal.modes.isAlternateScreen && terminal.title != "Count 0")
        try terminal.type("+?")
        try terminal.waitForText("Q or Ctrl-C: leave")
        #expect(
            try terminal.screen().lines.prefix(3) == [
                "Count 0", "Count 1", "Volume keys: count up, count down; both together reset",
            ])
        try terminal.sendKey("C-c")
        #expect(try terminal.waitForExit() == .exited(0))
        expectFailure(try place.run("--plain"), 69, "terminal")
    }

    @Test func `Locations are named, and the end of a timer is told once, with its result`() throws {
        try place.run("location", "add", "Hall", "--key", "h")
        let program = try place.openUnseen(["--plain"])
        #expect(try program.readLine() == "default: Count 0")
        try program.write("h")
        #expect(try program.readLine() == "Hall: Count 1")
        try place.run("timer", "start", "1s", "Robins", "--location", "Hall")
        #expect(try program.readLine() == "Robins has ended: 0 up, 0 down. Enter acknowledges")
        try program.write("\r")
        let line = try program.readLine()
        #expect(line?.drop { $0 == "\u{7}" } == "acknowledged")
        try eventually("it to be acknowledged") {
            try place.run("timer", "list", "--json").output.contains("acknowledgedAt")
        }
    }
}
