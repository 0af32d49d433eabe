import TestSupport
import Testing

/// The History screen of the real program: any range, its KPIs, and the rows behind them.
@Suite struct HistoryScreenTests {
    /// A journal in Zurich with these entries of a door, and the History screen.
    private static func history(
        _ entries: [String], locations: [String] = [], then work: (Workplace, TerminalSession) throws -> Void
    ) throws {
        let place = try Workplace.deaf()
        for location in locations { try place.run("location", "add", location) }
        try place.run("location", "set", "default", "--timezone", "Europe/Zurich")
        let lines = entries.map { "\($0),door" }
        #expect(try place.imports(["timestamp,delta,deviceId"] + lines).status == .exited(0))
        let terminal = try place.open([])
        try terminal.waitForText("[Q Quit]")
        try terminal.type("3")
        try terminal.waitForText("[From-to]")
        try work(place, terminal)
    }

    private static let long = [
        "2025-10-26T02:30:00+02:00,1", "2025-10-26T02:30:00+01:00,1", "2025-10-26T02:40:00+01:00,1",
        "2025-10-26T03:00:00+01:00,-1",
    ]

    @Test func `A day of 25 hours is typed, and its neighbours are one key or click away`() throws {
        try Self.history(Self.long) { _, terminal in
            try terminal.waitForText("No entries.")
            try terminal.type("f2025-10-26 to 2025-10-27\r")
            let screen = try terminal.waitForText("peak hour 02:00+01:00 (2)")
            for text in [
                "Sunday  2025-10-26", "up 3   down 1   net +2", "02:30:00+02:00  +1", "02:40:00+01:00  +1",
            ] {
                #expect(screen.contains(text), "\(text)\n\(screen)")
            }
            try terminal.sendKey("Left")
            try terminal.waitForScreen("the empty day before") {
                $0.contains("Saturday  2025-10-25") && $0.contains("No entries.")
            }
            let place = try terminal.screen().place(of: "[>]")
            try terminal.click(column: place.column, row: place.row)
            try terminal.waitForText("Sunday  2025-10-26")
        }
    }

    @Test func `What another program counts shows within a second, and is marked once it is taken back`()
        throws
    {
        try Self.history([]) { place, terminal in
            try terminal.waitForText("up 0")
            try place.run("add", "--reason", "a coach")
            try terminal.waitForScreen("the entry") {
                $0.contains("up 1") && $0.contains("  +1  ") && $0.contains("command-line, manual, ")
                    && $0.contains("\"a coach\"")
            }
            try place.run("undo")
            try terminal.waitForScreen("the mark") {
                $0.contains("up 0") && $0.contains("+1 taken back")
            }
        }
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
