import Foundation
import TestSupport
import Testing

/// The Live screen of the real program shows the state of the journal, whichever program wrote it.
@Suite final class LiveTests: NewPlace {
    /// A journal with a hall for ten people, in which `count` are.
    private static func hall(_ count: Int) throws -> Workplace {
        let place = try Workplace.deaf(environment: ["COUNTER_LOCATION": "Hall"])
        #expect(try place.run("location", "add", "Hall", "--capacity", "10").status == .exited(0))
        if count > 0 { try place.run("add", "\(count)") }
        return place
    }

    /// The screens with the tab Live and one location large.
    private static func live(_ place: Workplace, showing count: Int) throws -> TerminalSession {
        let terminal = try place.opened(showing: count)
        try terminal.type("2")
        try terminal.waitForText("Enter Open")
        return terminal
    }

    @Test func `Flags and emoji in names keep the columns`() throws {
        try place.run("location", "add", "🇩🇪 Tür 👩‍👩‍👧")
        try place.run("location", "add", "xx Tür yy")
        // The name stands before the count, at the right end of the line: nine columns either way, of which the flag takes two
        // with one character, and the emoji too.
        let lengths = try ["🇩🇪 Tür 👩‍👩‍👧", "xx Tür yy"].map { name in
            let terminal = try place.opened(environment: ["COUNTER_LOCATION": name])
            return try terminal.waitForText("Tür").lines[0].count
        }
        #expect(lengths[0] == lengths[1] - 2)
    }

    @Test func `Another program's changes show within a second, at every location`() throws {
        let terminal = try place.opened()
        try terminal.type("2")
        try terminal.waitForText("No event yet")
        try place.run("add", "7")
        try terminal.waitForText("up       7")
        try place.run("location", "add", "Hall", "--capacity", "10")
        try terminal.waitForText("0 of 10")
        try place.run("add", "9", "--location", "Hall")
        try terminal.waitForText("9 of 10")
        try place.run("location", "set", "Hall", "--capacity", "8")
        try terminal.waitForText("OVERCROWDED")
        try place.run("location", "hide", "Hall", "--yes")
        try terminal.waitForScreen("one location") { !$0.contains("OVERCROWDED") }
    }

    @Test func `A device that falls silent is named, and its place is no longer called live`() throws {
        let place = try Self.hall(0)
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("device", "assign", "door-1", "Hall")
        place.environment["COUNTER_STALE_AFTER"] = "4s"
        let terminal = try Self.live(place, showing: 1)
        try terminal.sendKey("Enter")
        // An import is no sign of life, and what was never seen is not late.
        #expect(try !terminal.waitForText("O Overview").contains("Stale"))
        try place.run("ingest", input: event(1, device: "door-1"))
        try terminal.waitForScreen("a live place") { $0.contains("2 of 10") && $0.contains("OK  seen ") }
        try terminal.waitForScreen("one line that says so, and not that all is well") {
            $0.contains("Stale: door-1, seen ") && !$0.contains("OK")
        }
        try place.run(
            "location", "set", "Hall", "--timezone", Workplace.zoneAtNoon, "--open", "daily 01:00-02:00")
        try terminal.waitForScreen("a place that is closed") {
            $0.contains("OK  seen ") && !$0.contains("Stale")
        }
    }

    @Test func `The day's sums reach back to its start, and the line over the last sixty minutes`() throws {
        try place.run("location", "set", "default", "--timezone", Workplace.zoneAtNoon)
        let early = Date.now.addingTimeInterval(-2 * 3600).formatted(.iso8601)
        try place.imports(["timestamp,delta,deviceId", "\(early),1,door", "\(early),-1,door"])
        let terminal = try place.opened()
        try terminal.type("2")
        let screen = try terminal.waitForText("up       1")
        let out = try #require(screen.lines.first { $0.contains("down     1") })
        #expect(out.count { $0 == "▁" } == 60)
    }
}
