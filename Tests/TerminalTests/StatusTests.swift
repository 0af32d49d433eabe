import TestSupport
import Testing

/// The occupancy of each location, as text and as JSON.
@Suite final class StatusTests: NewPlace {
    @Test func `An assigned device is stale once it was seen, until it is disabled or forgotten`() throws {
        let place = try Workplace.deaf(environment: ["COUNTER_STALE_AFTER": "1s"])
        // An import is no sign of life.
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("device", "assign", "door-1", "default")
        try place.run("device", "rename", "door-1", "Front Door")
        let unseen = try place.run("status", "--exit-code")
        #expect(unseen.status == .exited(0))
        #expect(unseen.output.contains("never seen: Front Door"))
        #expect(!unseen.output.contains("stale"))
        try place.run("ingest", input: event(1, device: "door-1"))
        try eventually("it to be stale") { try place.run("status", "--exit-code").status == .exited(1) }
        let status = try jsonObject(try place.run("status", "--json").output)
        #expect(status["anomalies"] as? [String] == ["staleDevice"])
        #expect(status["staleDevices"] as? [String] == ["door-1"])
        let told = try place.run("status", "--exit-code")
        #expect(told.output.contains("stale: Front Door"))
        #expect(told.status == .exited(1))
        try place.run("device", "disable", "door-1")
        #expect(try place.run("status", "--exit-code").status == .exited(0))
        try place.run("device", "enable", "door-1")
        #expect(try place.run("status", "--exit-code").status == .exited(1))
        try place.run("device", "forget", "door-1")
        #expect(try place.run("status", "--exit-code").status == .exited(0))
    }

    @Test func `A device that is connected is not stale, however long ago it counted`() throws {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        let client = try SocketClient(path)
        try client.answer(to: event(1))
        func seen() throws -> String? {
            try jsonObject(try place.run("status", "--json").output)["lastSeenAt"] as? String
        }
        let first = try seen()
        try eventually("a later sign of life") { try seen() != first }
    }

    @Test func `Whoever was heard of today is missed; a hand on a key never is, nor who was here before`()
        throws
    {
        let place = try Workplace.deaf(environment: ["COUNTER_STALE_AFTER": "1s"])
        try place.run("location", "set", "default", "--timezone", Workplace.zoneAtNoon)
        func stale() throws -> [String]? {
            try jsonObject(try place.run("status", "--json").output)["staleDevices"] as? [String]
        }
        try place.run("add")
        let live = try place.opened(showing: 1)
        try live.type("2")
        try place.run("ingest", input: event(1))
        try eventually("the door to be missed, and it alone") { try stale() == ["door"] }
        try live.waitForText("Stale: door, seen ")
        for (hours, missed) in [("daily 01:00-02:00", []), ("daily 08:00-16:00", ["door"])]
            as [(String, [String])]
        {
            try place.run("location", "set", "default", "--open", hours)
            #expect(try stale() == missed)
            try live.waitForScreen("\(missed)") { $0.contains("Stale: door") == !missed.isEmpty }
        }
        try place.database().execute("UPDATE device SET lastSeenAt = lastSeenAt - 86400000000")
        #expect(try stale() == [])
    }

    @Test func `All locations have a line each, and the exit code sums up what applies`() throws {
        try place.run("location", "add", "Hall", "--capacity", "2")
        try place.run("location", "add", "Cellar")
        try place.run("sub", "--location", "Cellar")
        try place.run("location", "set", "Cellar", "--capacity", "5")
        try place.run("location", "add", "Attic")
        try place.run("location", "remove", "Attic")
        try place.run("add", "2", "--location", "Hall")
        let rooms = try place.objects("status", "--json")
        #expect(rooms.map { $0["name"] as? String } == ["default", "Hall", "Cellar"])
        #expect(rooms[1]["lastEventAt"] as? String == rooms[1]["lastSeenAt"] as? String)
        #expect(try place.run("status", "--exit-code").status == .exited(20))
        #expect(try place.run("status", "--exit-code", "--location", "Cellar").status == .exited(16))
        #expect(try place.run("status", "--exit-code", "--location", "default").status == .exited(0))
        let attic = try jsonObject(try place.run("status", "--json", "--location", "Attic").output)
        #expect(attic["name"] as? String == "Attic")
    }

    @Test func `A location whose zone this system lost is told in UTC, with a note, and breaks nothing`()
        throws
    {
        try place.run("location", "set", "default", "--timezone", "Europe/Zurich")
        try place.run("location", "add", "Hall", "--timezone", "UTC")
        try place.run("add", "3")
        let lost = ["TZDIR": "/nowhere"]
        let note = "time zone 'Europe/Zurich': there is none in /nowhere; times are in UTC"
        let status = try place.run(["status"], environment: lost)
        #expect(status.status == .exited(0))
        let lines = status.output.split(separator: "\n")
        #expect(lines.count == 4 && lines[3].hasPrefix("total "))
        #expect(lines[1].hasSuffix(note) && !lines[2].contains("UTC"))
        let object = try jsonObject(
            try place.run("status", "--location", "default", "--json", environment: lost).output)
        #expect(object["anomalies"] as? [String] == ["unknownZone"])
        let history = try place.run(["history"], environment: lost)
        #expect(
            history.status == .exited(0) && history.output.contains(note) && history.output.contains("up 3"))
        let report = try jsonObject(try place.run(["history", "--json"], environment: lost).output)
        #expect(report["timezoneNote"] as? String == note)
        let end = try place.run(["day", "end", "--yes"], environment: lost)
        #expect(end.status == .exited(0) && end.errors == "counter: \(note)\n")
        #expect(try place.run(["day"], environment: lost).errors == "counter: \(note)\n")
    }
}
