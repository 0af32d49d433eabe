import TestSupport
import Testing

/// The KPIs of a range of history, as the command line prints them.
@Suite struct HistoryTests {
    /// A location in a zone with entries at these times, each in or out by a device.
    private func place(_ zone: String, dayStart: Int = 0, _ entries: [(String, Int)]) throws -> Workplace {
        let place = try Workplace.deaf()
        try place.run("location", "set", "default", "--timezone", zone, "--day-start", "\(dayStart)")
        let lines = entries.map { "\($0),\($1),door" }
        #expect(try place.imports(["timestamp,delta,deviceId"] + lines).status == .exited(0))
        return place
    }

    private func history(_ place: Workplace, _ options: String...) throws -> [String: Any] {
        let outcome = try place.run(["history", "--json"] + options)
        #expect(outcome.errors == "")
        return try jsonObject(outcome.output)
    }

    private func buckets(_ history: [String: Any]) throws -> [[String: Any]] {
        try #require(history["buckets"] as? [[String: Any]])
    }

    @Test func `A day of 25 hours has 25 bars, and the repeated hour is two of them`() throws {
        let place = try place(
            "Europe/Zurich",
            [
                ("2025-10-26T02:30:00+02:00", 1), ("2025-10-26T02:30:00+01:00", 1),
                ("2025-10-26T02:40:00+01:00", 1), ("2025-10-26T03:00:00+01:00", -1),
            ])
        let day = try history(place, "--from", "2025-10-26", "--to", "2025-10-27")
        let bars = try buckets(day)
        #expect(bars.count == 25)
        #expect(day["unit"] as? String == "hour")
        #expect(bars[2]["start"] as? String == "2025-10-26T02:00:00+02:00")
        #expect(bars[3]["start"] as? String == "2025-10-26T02:00:00+01:00")
        #expect(bars.map { $0["totalIn"] as? Int }[..<5] == [0, 0, 1, 2, 0])
        #expect(bars[4]["totalOut"] as? Int == 1)
        let peak = try #require(day["peakHour"] as? [String: Any])
        #expect(peak["start"] as? String == "2025-10-26T02:00:00+01:00")
        #expect(peak["totalIn"] as? Int == 2)
        let text = try place.run("history", "--from", "2025-10-26", "--to", "2025-10-27").output
        #expect(text.contains("2025-10-26 02:00+02:00"))
        #expect(text.contains("2025-10-26 02:00+01:00"))
    }

    @Test func `Days are the location's own, from the hour at which they start`() throws {
        let place = try place(
            "Asia/Kathmandu", dayStart: 4,
            [
                ("2026-11-02T03:59:59+05:45", 1), ("2026-11-02T04:00:00+05:45", 1),
                ("2026-11-02T12:00:00+05:45", 1),
            ])
        let days = try history(place, "--from", "2026-11-01", "--to", "2026-11-04")
        let bars = try buckets(days)
        #expect(days["unit"] as? String == "day")
        #expect(bars.map { $0["start"] as? String } == [1, 2, 3].map { "2026-11-0\($0)T04:00:00+05:45" })
        #expect(bars.map { $0["totalIn"] as? Int } == [1, 2, 0])
        let csv = try place.run("history", "--csv", "--from", "2026-11-01", "--to", "2026-11-04").output
        #expect(
            csv == """
                start,end,totalIn,totalOut,net
                2026-11-01T04:00:00+05:45,2026-11-02T04:00:00+05:45,1,0,1
                2026-11-02T04:00:00+05:45,2026-11-03T04:00:00+05:45,2,0,2
                2026-11-03T04:00:00+05:45,2026-11-04T04:00:00+05:45,0,0,0

                """)
    }
}

/// The rows behind a range.
@Suite struct HistoryRowTests {
    @Test func `The rows are in the order of time, with who, why, and what was taken back`() throws {
        let place = try Workplace.deaf(environment: ["TZ": "Europe/Zurich"])
        try place.run("location", "set", "default", "--timezone", "UTC", "--day-start", "0")
        try place.run("add", "--reason", "a school class, \"3b\"")
        try place.run("sub")
        try place.run("undo")
        try place.run("reset", "--to", "7")
        try place.run("day", "end", "--yes")
        let rows = try place.objects("history", "--entries", "--json")
        #expect(rows.map { $0["type"] as? String } == ["setting", "in", "out", "reset", "endOfDay"])
        #expect(rows.map { $0["isVoid"] as? Bool } == [false, false, true, false, false])
    }

    @Test func `Thousands of rows come page by page, each once`() throws {
        let place = try Workplace.deaf()
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
}
