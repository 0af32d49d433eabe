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

    @Test func `A capacity that is typed stands in the journal, and the screen says so`() throws {
        let terminal = try place.openedAdmin()
        try terminal.clickText("none: a tally")
        try terminal.waitForText("How many it holds")
        try terminal.type("x\r")
        try terminal.waitForText("a capacity is a number from 1 up, or none")
        try terminal.type("\u{7F}120\r")
        try terminal.waitForText("default: capacity 120")
        #expect(try location(place)["maxCapacity"] as? Int == 120)
        try terminal.waitForText("0 of 120")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `A zone that nobody knows leaves the field open with the reason`() throws {
        let terminal = try place.openedAdmin()
        try terminal.clickText("Time zone")
        try terminal.type("\u{15}Europe/Atlantis\r")
        try terminal.waitForText("time zone 'Europe/Atlantis': there is none")
        try terminal.type("\u{15}Asia/Kathmandu\r")
        try terminal.waitForText("default: zone Asia/Kathmandu")
        #expect(try location(place)["timezone"] as? String == "Asia/Kathmandu")
    }

    @Test func `The end of the day is asked for, archived and listed, and an undo takes it back`() throws {
        try place.run("add", "12")
        try place.run("sub", "2")
        let terminal = try place.openedAdmin(showing: 10)
        try terminal.type("e")
        try terminal.waitForText("final 10, in 12, out 2, highest 12")
        try terminal.type("n")
        try terminal.waitForScreen("no question") { !$0.contains("End the day?") }
        #expect(try place.run("day", "list").output == "")
        try terminal.type("e")
        try terminal.waitForText("[Y Yes]")
        try terminal.clickText("[Y Yes]")
        try terminal.waitForText("the day has ended with 10; U takes it back")
        try terminal.waitForScreen("0, and the day in the list") {
            $0.count == 0 && $0.contains("final 10, in 12, out 2") && !$0.contains("no days ended")
        }
        #expect(try place.run("day", "list").output.split(separator: "\n").count == 2)
        try terminal.type("u")
        try terminal.waitForScreen("10, and no day in the list") {
            $0.count == 10 && $0.contains("no days ended") && $0.contains("taken back; the count is 10")
        }
        #expect(try place.run("day", "list").output == "")
        #expect(try place.show() == "10")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `A correction by hand has a reason, and all of it goes in or none`() throws {
        try place.run("location", "set", "default", "--capacity", "5")
        let terminal = try place.openedAdmin()
        try terminal.type("c+6 too many\r")
        try terminal.waitForText("has room for 5 only; nothing was changed")
        try terminal.type("\u{15}-1 never came\r")
        try terminal.waitForText("nobody is inside; nothing was changed")
        #expect(try place.exported().isEmpty)
        try terminal.type("\u{15}+5 late guests\r")
        try terminal.waitForText("default: 0 → 5, late guests")
        try terminal.waitForCount(5)
        #expect(try place.run("history", "--entries").output.contains("late guests"))
        #expect(try place.exported().count == 1)
        try terminal.type("u")
        try terminal.waitForCount(0)
    }

    @Test func `A device gets a name and a place, and is switched off`() throws {
        try place.run("add")
        try place.run("undo")
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("location", "add", "Hall")
        let terminal = try place.openedAdmin(showing: 1)
        // Counting by hand is no device.
        #expect(try !terminal.screen().contains("command-line"))
        try terminal.clickText("door-1")
        try terminal.type("\u{15}Back door\r")
        try terminal.waitForText("the device is called Back door")
        try terminal.type("lCellar\r")
        try terminal.waitForText("there is no location 'Cellar'")
        try terminal.type("\u{15}Hall\r")
        try terminal.waitForText("the device counts into Hall")
        try terminal.type("x")
        try terminal.waitForText("the device is off")
        let devices = try OutsideJournal(place)
        #expect(
            try devices.texts("SELECT name || isActive || locationKey FROM device WHERE id = 'door-1'") == [
                "Back door02"
            ])
    }

    @Test func `A location is added, hidden after a question, and brought back`() throws {
        let terminal = try place.openedAdmin()
        try terminal.type("h")
        try terminal.waitForText("is what counter counts into where no location is named")
        try terminal.waitForText("config.toml or COUNTER_LOCATION first.")
        try terminal.type("aHall\r")
        try terminal.waitForText("Hall is added")
        try terminal.waitForText("< 2/2 > Hall")
        try place.run("add", "3", "--location", "Hall")
        try terminal.type("h")
        try terminal.waitForScreen("the question with the count") {
            $0.contains("Hall will not be shown. Nothing is deleted") && $0.contains("Its count is 3.")
        }
        try terminal.type("y")
        try terminal.waitForText("Hall: hidden")
        try terminal.waitForScreen("one location") { !$0.contains("2/2") }
        #expect(try location(place, "Hall")["isHidden"] as? Bool == true)
        try terminal.type("adefault\r")
        try terminal.waitForText("there is a location 'default' already")
        try terminal.type("\u{15}Hall\r")
        try terminal.waitForText("< 2/2 > Hall")
        #expect(try location(place, "Hall")["isHidden"] as? Bool == false)
    }

    @Test func `What is hidden here is counted here no more, and what is counted elsewhere cannot be hidden`()
        throws
    {
        try place.run("location", "add", "Hall")
        let terminal = try place.openedAdmin(["--location", "Hall"])
        try terminal.waitForText("< 2/2 > Hall")
        try terminal.type("h")
        try terminal.waitForText("Hide the location?")
        try terminal.type("y")
        try terminal.waitForText("Hall: hidden")
        try terminal.type("1+")
        try terminal.waitForText("Count 1")
        #expect(try place.show() == "1")
        try terminal.type("4h")
        try terminal.waitForText("is what counter counts into where no location is named")
        #expect(try location(place)["isHidden"] as? Bool == false)
    }

    @Test func `What hides the location that is counted is told on every tab, until it is back`() throws {
        try place.run("location", "add", "Room 1")
        let terminal = try place.open(["--location", "Room 1"])
        try terminal.waitForText("Count 0")
        try place.run("location", "remove", "Room 1")
        let remedy = "To show it again: counter location show 'Room 1'"
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
