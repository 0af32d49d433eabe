import TestSupport
import Testing

/// The History screen of the real program.
@Suite struct HistoryScreenTests {
    @Test func `What another program counts shows within a second, and is marked once it is taken back`()
        throws
    {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        try terminal.type("3")
        try terminal.waitForText("up 0")
        try place.run("add", "--reason", "a coach")
        try terminal.waitForScreen("the entry") {
            $0.contains("up 1") && $0.contains("  +1  ") && $0.contains("command-line, manual, ")
                && $0.contains("\"a coach\"")
        }
        try place.run("undo")
        try terminal.waitForScreen("the mark") { $0.contains("up 0") && $0.contains("+1 taken back") }
    }

    @Test func `A zone that this system lost is told as UTC, of its own location only`() throws {
        let place = try Workplace.deaf()
        try place.run("location", "set", "default", "--timezone", "Europe/Zurich")
        try place.run("location", "add", "Hall", "--timezone", "Asia/Kathmandu")
        try place.run("add", "3")
        let zones = place.directory + "/zones"
        #expect(
            try ChildProcess.run([
                "install", "-D", "-t", zones + "/Europe", "/usr/share/zoneinfo/Europe/Zurich",
            ]).status == .exited(0))
        let terminal = try place.opened(showing: 3, environment: ["TZDIR": zones])
        try terminal.type("3")
        try terminal.waitForText("up 3")
        try terminal.type("]")
        try terminal.waitForScreen("the zone that is missing") {
            $0.contains("UTC; Asia/Kathmandu is unknown here") && !$0.contains("up 3")
        }
    }
}
