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

    /// Holds one key for longer than a second.
    private func hold(_ key: Key) throws {
        try remote.emit(frame: remote.frame(key, .down))
        pause(.milliseconds(1500))
        try remote.emit(frame: remote.frame(key, .up))
        pause(.apart)
    }

    /// Waits for a deck of so many cards, goes on with the up key until one is shown, and chooses it.
    private func choose(_ card: String, of count: Int = 6, in terminal: TerminalSession) throws {
        for _ in 1...count {
            let screen = try terminal.waitForScreen("\(count) cards") { $0.position?.count == count }
            if screen.contains(card) { return try both() }
            try remote.press(.volumeUp, then: .apart)
            try awaitCard(after: screen, in: terminal)
        }
        Issue.record("no card \(card)")
    }

    /// Waits until a press has led to the next card.
    private func awaitCard(after screen: Screen, in terminal: TerminalSession) throws {
        let position = try #require(screen.position)
        let next = position.number % position.count + 1
        try terminal.waitForScreen("card \(next)") { $0.position?.number == next }
    }

    /// Presses up until practice alone receives it, and the screen follows; from then on every press is its own.
    private func awaitKeys(_ terminal: TerminalSession) throws {
        try eventually("the keys are read") {
            // A press that others receive too may have led to the next card.
            let screen = try terminal.waitForScreen("cards") { $0.position != nil }
            try remote.press(.volumeUp, then: .apart)
            guard try reader.take().isEmpty else { return false }
            try awaitCard(after: screen, in: terminal)
            return true
        }
    }

    /// Presses a key once and waits until the screen follows, below the row with the time left.
    private func press(_ key: Key, in terminal: TerminalSession) throws -> PracticeScreen {
        let before = try terminal.screen().lines.dropFirst()
        try remote.press(key, then: .apart)
        return PracticeScreen(try terminal.waitForScreen("a press") { $0.lines.dropFirst() != before })
    }

    /// Counts the dots of the dice on the screen, and presses up for each.
    private func solveDice(in terminal: TerminalSession) throws {
        try choose("Dice", in: terminal)
        let dots = PracticeScreen(try terminal.waitForText("[Both done")).pips
        for press in 1...dots {
            try remote.press(.volumeUp, then: .apart)
            try terminal.waitForScreen("press \(press)") { screen in
                screen.lines.joined().count { $0 == "●" } == press
            }
        }
        try both()
        try goOn(terminal)
    }

    private func goOn(_ terminal: TerminalSession) throws {
        try terminal.waitForText("Solved!")
        try both()
        try terminal.waitForText(" of 6")
    }

    /// Copies the pattern, cell by cell.
    private func solvePattern(in terminal: TerminalSession) throws {
        try choose("Pattern", in: terminal)
        var screen = PracticeScreen(try terminal.waitForText("[Both done"))
        let pattern = screen.pattern
        let last = try #require(pattern.indices.last { screen.copy[$0] != pattern[$0] })
        for cell in 0...last {
            while screen.copy[cell] != pattern[cell] { screen = try press(.volumeDown, in: terminal) }
            if cell < last { screen = try press(.volumeUp, in: terminal) }
        }
        try both()
        try goOn(terminal)
    }

    /// Counts the things of each question, and goes to their number.
    private func solveCount(in terminal: TerminalSession) throws {
        try choose("Count", in: terminal)
        for question in 1...3 {
            // The numbers are drawn after the question and the things.
            let text = try terminal.waitForScreen("question \(question)") {
                $0.contains("\(question) of 3") && PracticeScreen($0).chosen != nil
            }
            let screen = PracticeScreen(text)
            let start = try #require(screen.chosen.flatMap(screen.numbers.firstIndex))
            let end = try #require(screen.numbers.firstIndex(of: screen.things))
            for _ in 0..<abs(end - start) {
                _ = try press(end > start ? .volumeUp : .volumeDown, in: terminal)
            }
            try both()
        }
        try goOn(terminal)
    }

    private func firstStart(_ terminal: TerminalSession) throws {
        for (title, text) in [
            ("choose a PIN", "1234"), ("once more", "1234"), ("Shall it speak?", "-"),
            ("player's name", "Mia"),
        ] {
            try terminal.waitForText(title)
            try terminal.type("\(text)\r")
        }
        try terminal.waitForText("1 of 12")
        try awaitKeys(terminal)
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
        try leave(terminal, to: "3 of 9")
        try leave(terminal, to: "Who plays?")
    }

    private func leave(_ terminal: TerminalSession, to text: String) throws {
        try terminal.sendKey("Escape")
        try terminal.waitForText(text)
    }

    // MARK: - The afternoon

    @Test func `A whole afternoon by real key presses: no press is lost, none reaches anybody else`() throws {
        let listener = try place.listen()
        try expectCount("1", by: listener)
        var terminal = try open()
        try listener.waitForErrorLine("\(remote.node) is left to counter practice")
        try firstStart(terminal)
        try approveVideo(terminal)
        try choose("Mia", of: 3, in: terminal)
        try terminal.waitForText("min left")
        try solveDice(in: terminal)
        try solvePattern(in: terminal)
        try terminal.waitForText("4 coins")
        try reader.expect([])
        try terminal.process.signal(SIGKILL)
        try expectCount("2", by: listener)
        terminal.close()
        terminal = try open()
        try listener.waitForErrorLine("\(remote.node) is left to counter practice")
        try terminal.waitForText("Who plays?")
        try awaitKeys(terminal)
        try choose("Mia", of: 3, in: terminal)
        try terminal.waitForText("4 coins")
        try solveCount(in: terminal)
        try quitLabyrinth(terminal)
        try watchVideo(terminal)
        try reachLimit(terminal)
        try reader.expect([])
        try terminal.process.signal(SIGTERM)
        try expectCount("3", by: listener)
        try expectReport()
    }

    /// Presses up once the listener has the keys. That it counts to this number shows that it has counted nothing else.
    private func expectCount(_ count: String, by listener: ChildProcess) throws {
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines([count])
        _ = try reader.take()
    }

    private func expectReport() throws {
        let report = try place.run("practice", "report").output
        #expect(report.contains("coins 5, earned in all 6\n"))
        #expect(report.contains(" of 1 minute, 3 levels solved, 1 video watched"))
        for activity in ["Dice", "Pattern", "Count"] {
            #expect(
                report.contains("\(activity): level 2, 1 solved, 0 quit, 0 mistakes, 0 hints"), "\(report)")
        }
        #expect(report.contains("Labyrinth: level 1, 0 solved, 1 quit"))
    }

    private func quitLabyrinth(_ terminal: TerminalSession) throws {
        try choose("Labyrinth", in: terminal)
        try terminal.waitForText("Walk to the *")
        try both(for: .milliseconds(2500))
        try terminal.waitForText("Stop this level?")
        try choose("Home", of: 2, in: terminal)
        try terminal.waitForText(" of 6")
    }

    private func watchVideo(_ terminal: TerminalSession) throws {
        try choose("Treasure", in: terminal)
        try terminal.waitForText("Foxes")
        try both()
        try terminal.waitForText("Foxes for 1 coin?")
        // For who cannot press both, one key that is held chooses.
        try remote.press(.volumeUp, then: .apart)
        try terminal.waitForText("2 of 2")
        try hold(.volumeDown)
        try terminal.waitForText("Have fun: Foxes")
        let opened = tools.path(of: "opened")
        try eventually("the browser is opened") { access(opened, R_OK) == 0 }
        #expect(
            try ChildProcess.run(["cat", opened]).output == "1:https://www.youtube.com/watch?v=abcdefghijk\n")
        try both()
        try terminal.waitForText("5 of 6")
    }

    /// The grown-up sets one minute for today; home says until when once it has been played.
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
        try terminal.type("1\r")
        try terminal.waitForText("1 of 8")
        try leave(terminal, to: "1 of 9")
        try leave(terminal, to: "Who plays?")
        try choose("Mia", of: 3, in: terminal)
        try terminal.waitForScreen("home") { $0.contains(" left") || $0.contains("On again tomorrow.") }
        try eventually("the limit") {
            try remote.press(.volumeUp, then: .apart)
            return try terminal.screen().contains("On again tomorrow.")
        }
        try leave(terminal, to: "Who plays?")
    }

    @Test func `Where practice was never started there is no file and no process of it`() throws {
        let terminal = try place.open()
        try terminal.waitForText("exclusive")
        try remote.press(.volumeUp, then: .apart)
        try terminal.waitForText("Count 1")
        let listener = try place.listen()
        try listener.waitForErrorLine("\(remote.node) is grabbed by another program")
        for program in [try terminal.process, listener.process] {
            #expect(program.children.map(\.name) == ["counter-keys"])
        }
        #expect(try files() == [])
        // The means of this test: the same look finds what practice makes.
        let practice = try open()
        try practice.waitForText("choose a PIN")
        #expect(try files().contains("\(place.directory)/practice/settings.sqlite"))
        try eventually("its precedence") { try files().contains { $0.hasPrefix("/run/counter/input") } }
    }

    /// The files of practice: its own, and those by which it takes precedence.
    private func files() throws -> [String] {
        try ChildProcess.run([
            "find", place.directory, "/run/counter", "-path", "*practice*", "-o", "-name", "*.user*",
        ])
        .output.split(separator: "\n").map(String.init)
    }
}

/// What a player reads from the screen of a level, of 80 columns and 24 rows in UTF-8.
struct PracticeScreen {
    private let lines: [String]

    init(_ screen: Screen) { lines = screen.lines }

    /// How often texts are on the screen.
    private func count(of texts: [String]) -> Int {
        lines.reduce(0) { sum, line in texts.reduce(sum) { $0 + line.ranges(of: $1).count } }
    }

    /// The dots of all dice.
    var pips: Int { count(of: ["▟██▙"]) }

    // MARK: Count

    /// How many things are shown: each has three rows, and the middle one is unlike any other's.
    var things: Int { count(of: ["--*--", "(   )", "/o \\/", "/_\\", "|~~|)", "<o )_"]) }

    /// The numbers to choose from.
    var numbers: [Int] {
        guard let row = lines.first(where: { $0.contains(/>\d+</) }) else { return [] }
        return row.matches(of: /\d+/).compactMap { Int($0.0) }
    }

    /// The number between the marks.
    var chosen: Int? { lines.compactMap { $0.firstMatch(of: />(\d+)</).flatMap { Int($0.1) } }.first }

    // MARK: Pattern

    /// The shapes of the pattern, row by row.
    var pattern: [String] { shapes(box: 1) }
    /// The shapes of the copy.
    var copy: [String] { shapes(box: 3) }

    /// The upper halves of the shapes in a frame: a cell is six columns wide and three rows high, with marks around the shape.
    private func shapes(box: Int) -> [String] {
        let boxes = lines.map { $0.split(separator: "│", omittingEmptySubsequences: false) }
            .filter { $0.count == 5 }.map { Array($0[box].dropFirst().dropLast()) }
        return stride(from: 0, to: boxes.count, by: 3).flatMap { row in
            stride(from: 0, to: boxes[row].count, by: 6).map { String(boxes[row][$0 + 1..<$0 + 5]) }
        }
    }
}
