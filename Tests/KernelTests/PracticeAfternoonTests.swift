import Glibc
import TestSupport
import Testing

/// `counter practice` with a real remote, beside `counter listen`. What all its screens do with keys is tested in
/// PracticeTests and PracticeProgramTests.
@Suite(.serialized) struct PracticeAfternoonTests {
    private let place: Workplace
    private let remote: VirtualRemote
    private let reader: SecondReader

    init() throws {
        place = try Workplace()
        remote = try VirtualRemote()
        reader = try SecondReader(node: remote.node)
    }

    /// A terminal that, by its TERM, reports its focus.
    private func open() throws -> TerminalSession {
        try place.open(["practice"], environment: Workplace.window)
    }

    // MARK: - Keys

    /// Presses both keys of the remote together, and lets them go.
    private func both() throws {
        try remote.emit(frame: remote.frame(.volumeUp, .down) + remote.frame(.volumeDown, .down))
        pause(.quick)
        try remote.emit(frame: remote.frame(.volumeUp, .up) + remote.frame(.volumeDown, .up))
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

    /// Counts the pips of the dice on the screen, and presses up for each.
    private func solveDice(in terminal: TerminalSession) throws {
        try choose("Dice", in: terminal)
        let pips = try terminal.waitForText("[Both done").pips
        for press in 1...pips {
            try remote.press(.volumeUp, then: .apart)
            try terminal.waitForScreen("press \(press)") { $0.dots == press }
        }
        try both()
        try terminal.waitForText("Solved!")
        try both()
        try terminal.waitForText(" of 6")
    }

    private func firstStart(_ terminal: TerminalSession) throws {
        try terminal.addFirstPlayer()
        try terminal.waitForText("1 of 12")
        try awaitKeys(terminal)
        try both()
        try terminal.waitForText("Who plays?")
    }

    // MARK: - The afternoon

    @Test func `An afternoon by real key presses: no press is lost, none reaches anybody else`() throws {
        let listener = try place.listen()
        try expectCount("1", by: listener)
        // Where practice was never started there is no file and no process of it.
        #expect(listener.process.children.map(\.name) == ["counter-keys"])
        #expect(try files() == [])
        let terminal = try open()
        try listener.waitForErrorLine("\(remote.node) is left to counter practice")
        try firstStart(terminal)
        #expect(try files().contains { $0.hasPrefix("/run/counter/input") }, "its precedence")
        try choose("Mia", of: 3, in: terminal)
        try terminal.waitForText("min left")
        try solveDice(in: terminal)
        try terminal.waitForText("2 coins")
        try reader.expect([])
        try terminal.process.signal(SIGTERM)
        try expectCount("2", by: listener)
        let report = try place.run("practice", "report").output
        #expect(report.contains("coins 2, earned in all 2\n"), "\(report)")
        #expect(report.contains("Dice: level 2, 1 solved, 0 quit, 0 mistakes, 0 hints"), "\(report)")
    }

    /// Presses up once the listener has the keys. That it counts to this number shows that it has counted nothing else.
    private func expectCount(_ count: String, by listener: ChildProcess) throws {
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines([count])
        _ = try reader.take()
    }

    /// The files of practice: its own, and those by which it takes precedence.
    private func files() throws -> [String] {
        try ChildProcess.run([
            "find", place.directory, "/run/counter", "-path", "*practice*", "-o", "-name", "*.user*",
        ])
        .output.split(separator: "\n").map(String.init)
    }
}
