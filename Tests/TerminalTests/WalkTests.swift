import Foundation
import TestSupport
import Testing

/// What people use it for, from beginning to end: an hour of birds, and a week at the doors of a museum.
@Suite struct WalkTests {
    @Test func `An hour of birds, with slips and a second species`() throws {
        let place = try Workplace.deaf(environment: ["LC_ALL": "C.UTF-8"])
        try place.run("location", "set", "default", "--name", "Robin", "--key", "a", "--group", "Birds")
        try place.run(
            "location", "add", "wren", "--name", "Wren", "--key", "s", "--group", "Birds", "--target", "4")
        var terminal = try place.opened()
        try terminal.type("aaas")
        try terminal.waitForText("[a Robin 3] [s Wren 1]")
        // One too many, taken back; the wrong species, put right; a reset that nobody meant.
        try terminal.type("au")
        try terminal.waitForText("[a Robin 3] [s Wren 1]")
        try terminal.type("sSa")
        try terminal.waitForText("[a Robin 4] [s Wren 1]")
        try terminal.type("r")
        try terminal.waitForText("[a Robin 0] [s Wren 1]")
        try terminal.type("u")
        try terminal.waitForText("[a Robin 4] [s Wren 1]")
        // A remote counts what was chosen last.
        try terminal.type("s\u{1B}[?7u\u{1B}[57439u\u{1B}[57439;1:3u")
        try terminal.waitForText("[a Robin 4] [s Wren 3]")
        try terminal.type("s")
        try terminal.waitForText("Wren: target of 4 reached")
        // The battery is empty.
        try terminal.process.signal(SIGKILL)
        #expect(try terminal.waitForExit() == .killed(SIGKILL))
        terminal.close()
        terminal = try place.opened(showing: 4)
        try terminal.waitForText("[a Robin 4] [s Wren 4]")
        try terminal.type("3f10min\r")
        try terminal.waitForText("in 4   out 0   net +4")
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))

        let brief = try place.run("history", "--range", "10min", "--brief", "--group", "Birds").output
        #expect(brief.contains("Robin: in 4, out 0, net +4, level 4\n"))
        #expect(brief.contains("Wren: in 5, out 1, net +4, level 4\n"))
        #expect(brief.contains("in 9, out 1, net +8"))
        let copy = try Workplace.deaf()
        let exported = try place.run("export", "--format", "jsonl", "--all").output
        #expect(try copy.run("import", "-", input: exported).status == .exited(0))
        #expect(try copy.run("history", "--range", "10min", "--brief", "--group", "Birds").output == brief)
        for place in [place, copy] { #expect(try place.verify().status == .exited(0)) }
    }

    @Test func `A week at a museum, with miscounts, a forgotten end and a full hall`() throws {
        let week = Week()
        let place = try Workplace.deaf(environment: ["TZ": week.zone, "LC_ALL": "C.UTF-8"])
        let since = ["--from", week.date(daysAgo: 7), "--open", "Mon-Sun 09:00-18:00", "--group", "Museum"]
        try place.run(
            ["location", "add", "hall", "--name", "Hall", "--capacity", "50", "--day-end", "automatic"]
                + since)
        try place.run(["location", "add", "wing", "--name", "Wing", "--capacity", "20"] + since)
        try place.run(["location", "add", "shop", "--name", "Shop"] + since)

        // Each day 15 come into the hall and 13 leave it by its door.
        let ingested = try place.run("ingest", input: week.hall)
        #expect(ingested.output.split(separator: "\n").allSatisfy { $0.contains("accepted") })
        let days = try place.run("day", "list", "--json", "--location", "hall").output.split(separator: "\n")
            .map { try jsonObject(String($0)) }
        #expect(days.map { $0["finalLevel"] as? Int } == Array(repeating: 2, count: 7))
        #expect(days.allSatisfy { $0["isAutomatic"] as? Bool == true && $0["totalIn"] as? Int == 15 })
        let days7 = ["--from", week.date(daysAgo: 7), "--to", week.date(daysAgo: 0), "--location", "hall"]
        let figures = try jsonObject(try place.run(["history", "--json"] + days7).output)
        #expect(figures["totalIn"] as? Int == 105)
        #expect((figures["anomalies"] as? [Any])?.count == 0, "an ordinary week has no anomaly: \(figures)")

        // In the wing nobody ended yesterday.
        try place.run("ingest", input: week.wing)
        let terminal = try place.open(["--location", "wing"])
        try terminal.waitForText("Yesterday was not ended (7 inside)")
        try terminal.type("e")
        try terminal.waitForText("7 becomes 0 at")
        try terminal.type("y")
        try terminal.waitForText("the day has ended with 7")
        try terminal.waitForText("Wing  0 % of 20  Count 0")
        let ended = try jsonObject(try place.run("day", "list", "--json", "--location", "wing").output)
        #expect((ended["totalIn"] as? Int, ended["finalLevel"] as? Int) == (7, 7))

        // Today: more leave than the sensor saw come, somebody counts, and one press was a mistake.
        try place.run("ingest", input: week.leaving(2))
        try terminal.type("[")
        try terminal.waitForText("2 more left than entered")
        #expect(
            try place.run("correct", "=45", "--reason", "counted", "--location", "hall").output == "-2 → 45\n"
        )
        try terminal.waitForText("Hall   WARNING  90 %  Count 45")
        try terminal.type("++++++")
        try terminal.waitForText("the location is full; nothing was counted")
        try terminal.type("u")
        try terminal.waitForText("Hall   WARNING  98 %  Count 49")
        #expect(try place.run("status", "--exit-code", "--location", "hall").status == .exited(2))
        try place.run("add", "--location", "hall")
        let ring = """
            "$0" status --exit-code --location hall >/dev/null; [ $(($? & 4)) = 4 ] && echo rings
            """
        let rung = try ChildProcess.run(
            ["sh", "-c", ring, BuiltProducts.counter], environment: place.environment)
        #expect(rung.output == "rings\n")
        #expect(
            try place.run("history", "--range", "today", "--brief", "--location", "hall").output
                == "Hall: in 5, out 2, net +50, corrections +47 -0, level 50\n")
        #expect(
            try place.run("history", "--range", "today", "--brief", "--group", "Museum").output.contains(
                "Shop: in 0"))
        #expect(try place.verify().status == .exited(0))
    }
}

/// Seven days of a museum until yesterday, in a zone in which it is about noon.
private struct Week {
    let zone = Workplace.zoneAtNoon
    private let midnight: Int
    private let ahead: Int

    init() {
        let now = Int(Date.now.timeIntervalSince1970)
        ahead = (12 - now / 3600 % 24) * 3600
        midnight = (now + ahead) / 86_400 * 86_400 - ahead
    }

    /// A local date.
    func date(daysAgo: Int) -> String {
        let noon = Date(timeIntervalSince1970: TimeInterval(midnight + ahead - daysAgo * 86_400 + 43_200))
        return String(noon.formatted(.iso8601).prefix(10))
    }

    private func line(_ second: Int, _ delta: Int, _ location: String, number: Int) -> String {
        let time = Date(timeIntervalSince1970: TimeInterval(second)).formatted(.iso8601)
        return #"{"timestamp":"\#(time)","delta":\#(delta),"deviceId":"door-\#(location)","#
            + #""locationId":"\#(location)","sequenceNumber":\#(number)}"# + "\n"
    }

    /// From 09:00 to 18:00 every 20 minutes somebody comes or goes.
    var hall: String {
        (0..<7).flatMap { day in
            (0..<28).map { step in
                let second = midnight - (7 - day) * 86_400 + 9 * 3600 + step * 1200
                return line(second, step < 2 || step % 2 == 0 ? 1 : -1, "hall", number: day * 28 + step)
            }
        }.joined()
    }

    /// Seven came yesterday.
    var wing: String {
        (0..<7).map { line(midnight - 12 * 3600 + $0 * 60, 1, "wing", number: $0) }.joined()
    }

    /// So many leave the hall in the first hours of today.
    func leaving(_ count: Int) -> String {
        (0..<count).map { line(midnight + 3600 + $0, -1, "hall", number: 196 + $0) }.joined()
    }
}
