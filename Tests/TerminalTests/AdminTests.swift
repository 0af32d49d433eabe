import Glibc
import TestSupport
import Testing

/// The Admin screen of the real program.
@Suite struct AdminTests {
    private let place: Workplace

    init() throws { place = try Workplace.deaf() }

    private func location(_ place: Workplace, _ name: String = "default") throws -> [String: Any] {
        let lines = try place.run("location", "list", "--json", "--all").output.split(separator: "\n")
        return try #require(
            lines.map { try jsonObject(String($0)) }.first { $0["locationId"] as? String == name })
    }

    @Test func `The end of the day is asked for, archived and listed, and taken back by choosing it`() throws
    {
        try place.run("add", "12")
        try place.run("sub", "2")
        let terminal = try place.openedAdmin(showing: 10)
        try terminal.type("e")
        try terminal.waitForText("count 10, up 12, down 2, highest 12")
        try terminal.type("n")
        try terminal.waitForScreen("no question") { !$0.contains("End the day?") }
        #expect(try place.run("day", "list").output == "")
        try terminal.type("e")
        try terminal.waitForText("[Y Yes]")
        try terminal.clickText("[Y Yes]")
        try terminal.waitForText("the day has ended with 10; X on it below takes it back")
        try terminal.waitForScreen("0, and the day in the list") {
            $0.count == 0 && $0.contains("count 10, up 12, down 2") && !$0.contains("no days ended")
        }
        #expect(try place.run("day", "list").output.split(separator: "\n").count == 2)
        try terminal.type("u")
        try terminal.waitForText("there is nothing to undo since the last day ended")
        try terminal.clickText(" to 2")
        try terminal.type("x")
        try terminal.waitForText("0 becomes 10")
        try terminal.type("y")
        try terminal.waitForScreen("10, and no day in the list") {
            $0.count == 10 && $0.contains("no days ended") && $0.contains("taken back, Count 10")
        }
        #expect(try place.run("day", "list").output == "")
        #expect(try place.show() == "10")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `What hides the location that is counted is told on every tab, until it is back`() throws {
        try place.run("location", "add", "Room 1")
        let terminal = try place.open(["--location", "Room 1"])
        try terminal.waitForText("Count 0")
        try place.run("location", "remove", "Room 1")
        let remedy = "To show it again: counter location unhide 'Room 1'"
        for tab in ["1", "2", "3", "4", "1"] {
            try terminal.type(tab)
            try terminal.waitForScreen("what helps") {
                $0.contains("'Room 1' is hidden, yet counted here.") && $0.contains(remedy)
            }
        }
        try place.run("location", "add", "Room 1")
        try terminal.waitForScreen("no warning") { !$0.contains("is hidden") }
    }

    @Test func `What is changed here another screen follows within a second, and the other way round`() throws
    {
        let terminal = try place.openedAdmin()
        let other = try place.openedAdmin()
        try place.run("location", "set", "default", "--name", "Porch", "--capacity", "7", "--day-start", "4")
        for screen in [terminal, other] {
            try screen.waitForScreen("the new settings") {
                $0.contains("Porch  0 of 7") && $0.contains("04:00")
            }
        }
        try terminal.clickText("Capacity")
        try terminal.type("\u{15}99\r")
        try other.waitForText("0 of 99")
    }

    @Test func `A field stays open while another program holds the journal`() throws {
        let terminal = try place.openedAdmin()
        let journal = try OutsideJournal(place)
        try journal.execute("BEGIN IMMEDIATE")
        try terminal.clickText("Capacity")
        try terminal.type("5\r")
        try terminal.waitForText("another program holds it")
        try journal.execute("COMMIT")
        try terminal.type("\r")
        try terminal.waitForText("capacity 5")
    }
}

extension Workplace {
    /// The Admin screen, once it shows this count.
    func openedAdmin(_ options: [String] = [], showing count: Int = 0) throws -> TerminalSession {
        let terminal = try open(options)
        try terminal.waitForText("Count \(count)")
        try terminal.clickText("Admin")
        try terminal.waitForText("Ended days")
        return terminal
    }
}

extension TerminalSession {
    /// Clicks on a text once it is shown.
    func clickText(_ text: String) throws {
        let (column, row) = try waitForText(text).place(of: text)
        try click(column: column, row: row)
    }
}
