import Foundation
import TestSupport
import Testing

/// What `counter history` prints and the screens History and Live show: figures, and the rows behind them. Formats are tested in
/// ReportsTests.
@Suite final class HistoryTests: NewPlace {
    @Test func `Several locations have their figures, and their rows in one order`() throws {
        for (name, count) in [("North", "5"), ("South", "2"), ("Roof", "7")] {
            try place.run("location", "add", name)
            try place.run("add", count, "--location", name)
        }
        try place.run("sub", "--location", "South")
        let all = try jsonObject(try place.run("history", "--all", "--json").output)
        #expect((all["total"] as? [String: Any])?["totalIn"] as? Int == 14)
        let csv = try place.run("history", "--all", "--csv").output.split(separator: "\n")
        #expect(csv.map { $0.prefix { $0 != "," } } == ["locationId", "default", "North", "South", "Roof"])
        let rows = try place.run("history", "--entries", "--all").output.split(separator: "\n")
            .map { $0.split(separator: " ") }.filter { $0[4].hasPrefix("in") || $0[4].hasPrefix("out") }
        #expect(
            rows.map { $0[3] } == Array(repeating: "North", count: 5) + ["South", "South"]
                + Array(repeating: "Roof", count: 7) + ["South"])
    }

    @Test func `Thousands of rows come page by page, each once`() throws {
        try place.imports(
            ["timestamp,delta,deviceId"]
                + (0..<2500).map { "2026-11-02T08:\(10 + $0 / 60 % 50):\(10 + $0 % 50)Z,1,door" })
        let lines = try place.run(
            "history", "--entries", "--csv", "--from", "2026-11-02T08:00:00Z", "--to", "2026-11-02T10:00:00Z"
        ).output.split(separator: "\n").dropFirst()
        #expect(lines.count == 2500)
        #expect(Set(lines.map { $0.prefix { $0 != "," } }).count == 2500)
        let times = lines.map { $0.split(separator: ",")[2] }
        #expect(times == times.sorted())
    }

    // MARK: - The screens

    @Test func `A zone that this system lost is told as UTC, of its own location only`() throws {
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
