import Foundation
import TestSupport
import Testing

/// What somebody at a museum's door does: counts by hand beside a sensor, corrects, takes back.
@Suite struct DoorTests {
    private func sensor(_ place: Workplace, _ delta: Int, times: Int = 1) throws {
        let line = event(delta, device: "sensor") + "\n"
        let outcome = try place.run("ingest", input: String(repeating: line, count: times))
        #expect(outcome.status == .exited(0))
    }

    private func door(capacity: String = "50") throws -> Workplace {
        let place = try Workplace.deaf(environment: ["LC_ALL": "C.UTF-8"])
        try place.run("location", "set", "default", "--capacity", capacity)
        return place
    }

    @Test func `By hand is traffic, and a correction is one row that is none`() throws {
        let place = try door()
        #expect(try place.run("add", "50").output == "50\n")
        let corrected = try place.run("correct", "=45", "--reason", "I counted 45")
        #expect(corrected.output == "50 → 45\n")
        #expect(corrected.errors == "")
        #expect(try place.run("correct", "-3", "--reason", "left by the garden").output == "45 → 42\n")
        #expect(try place.run("correct", "+1", "--reason", "a child").output == "42 → 43\n")
        let again = try place.run("correct", "=43", "--reason", "again")
        #expect(again.status == .exited(0))
        #expect(again.output == "43\n")
        #expect(again.errors.contains("the count is 43 already"))
        #expect(try place.show() == "43")
        #expect(try place.exported().filter { $0.contains(",correction,-5,") }.count == 1)
        #expect(try place.exported().count == 53)
        #expect(try place.run("undo").output == "42\n")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `What a sensor drives below 0 is seen everywhere, and add says what it did`() throws {
        let place = try door()
        let terminal = try place.opened()
        try sensor(place, -1, times: 3)
        try terminal.waitForText("Count 0   0 %   3 more out than in")
        try terminal.type("2")
        try terminal.waitForText("3 more out than in")
        try terminal.type("4")
        try terminal.waitForText("0 of 50  3 more out than in")
        let shown = try jsonObject(try place.run("show", "--json").output)
        #expect(shown["count"] as? Int == 0)
        #expect(shown["level"] as? Int == -3)
        #expect(shown["moreLeftThanEntered"] as? Int == 3)
        #expect(try place.show() == "0")
        #expect(try place.run("status").output.contains("3 more out than in"))
        // Quoted, because zsh replaces a bare =N.
        expectFailure(
            try place.run("sub"), 69, "nobody is inside 'default'; nothing was counted",
            "counter correct '=N' --reason TEXT --location default")

        let still = try place.run("add", "2")
        #expect(still.output == "0\n")
        #expect(
            still.errors.contains("counted 2 in: 1 more out than in (3 before), so the count stays 0"))
        let over = try place.run("add", "5")
        #expect(over.output == "4\n")
        #expect(over.errors.contains("counted 5 in: 1 more were out than in, so the count is 4"))
        #expect(try place.run("add").errors == "")
        // Taken back, it is as the sensor has left it.
        for _ in 1...3 { try place.run("undo") }
        #expect(try jsonObject(try place.run("show", "--json").output)["level"] as? Int == -3)
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Any row is taken back by its number, with who and when`() throws {
        let place = try door()
        try place.run("location", "add", "Hall")
        try sensor(place, 1, times: 3)
        #expect(try place.run("undo", "--position", "4").output == "2\n")
        expectFailure(try place.run("undo", "--position", "4"), 69, "the row is taken back already")
        expectFailure(try place.run("undo", "--position", "0"), 64, "--position is 1 or more")
        expectFailure(try place.run("undo", "--position", "1"), 69, "row 1 is a setting")
        expectFailure(try place.run("undo", "--position", "2"), 69, "row 2 says what a location")
        expectFailure(try place.run("undo", "--position", "6"), 69, "takes another row back")
        expectFailure(
            try place.run("undo", "--position", "3", "--location", "Hall"), 64,
            "row 3 is of 'default', not of 'Hall'")
        let text = try place.run("history", "--entries", "--from", "2026-01-14", "--to", "2026-01-15").output
        #expect(text.contains("  in  sensor  taken back by "))
        #expect(text.contains("#4  2026-01-14 "))
        let rows = try place.objects(
            "history", "--entries", "--json", "--from", "2026-01-14", "--to", "2026-01-15")
        #expect(rows.map { $0["isVoid"] as? Bool } == [false, true, false])
        #expect(rows[1]["voidedBy"] as? String != nil)
        #expect(rows[1]["voidedAt"] as? String != nil)
        #expect(rows[0]["voidedAt"] == nil)
    }

    /// A click means the row that is under it while the notice is there: at one of these heights the rows move when the notice
    /// goes.
    @Test(arguments: [24, 25])
    func `In History a row is chosen by a key or a click, and taken back`(rows: Int) throws {
        let place = try door()
        try place.run("add", "3", "--reason", "a family")
        try place.run("correct", "=10", "--reason", "a class")
        let terminal = try place.opened(showing: 10, rows: rows)
        try terminal.type("3")
        try terminal.waitForText("corrected 3 → 10")
        // A row that is chosen at the first sight of the list is chosen no more when the list is read once more.
        try eventually("the question") {
            try terminal.sendKey("Down")
            try terminal.type("x")
            let screen = try terminal.waitForText("[Y Yes]")
            if screen.contains("+1 at ") && screen.contains("\"a family\"") { return true }
            try terminal.type("n")
            try terminal.waitForScreen("no question") { !$0.contains("Take this row back?") }
            try terminal.sendKey("Up")
            return false
        }
        try terminal.type("y")
        try terminal.waitForScreen("the mark") {
            $0.count == 9 && $0.contains("+1 taken back") && $0.contains("taken back, Count 9")
        }
        try terminal.type("x")
        try terminal.waitForText("was taken back by ")
        // A click chooses as well.
        try terminal.clickText("corrected 3 → 10")
        try terminal.type("xy")
        try terminal.waitForCount(2)
        #expect(try place.verify().status == .exited(0))
    }
}
