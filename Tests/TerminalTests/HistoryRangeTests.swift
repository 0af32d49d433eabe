import TestSupport
import Testing

/// Ranges of `counter history` as people say them, and reports of several locations.
@Suite struct HistoryRangeTests {
    private let place: Workplace

    init() throws { place = try Workplace.deaf() }

    @Test(arguments: [
        (
            ["--range", "2026-10-20 to 2026-11-03", "--by", "week"], "week",
            ["2026-10-20T00:00", "2026-10-26T00:00", "2026-11-02T00:00"], [1, 1, 0]
        ),
        (
            ["--from", "2026-10-25 09:29", "--to", "2026-10-25 09:32"], "minute",
            ["2026-10-25T09:29", "2026-10-25T09:30", "2026-10-25T09:31"], [0, 1, 0]
        ),
        (
            ["--range", "2026-10-24 to 2026-10-27", "--by", "day"], "day",
            ["2026-10-24T00:00", "2026-10-25T00:00", "2026-10-26T00:00"], [0, 1, 0]
        ),
    ])
    func `The unit of the lines can be chosen`(options: [String], unit: String, starts: [String], ins: [Int])
        throws
    {
        try place.run("location", "set", "default", "--timezone", "UTC")
        let lines = ["2026-10-25T09:30:30Z,1,door", "2026-11-01T10:00:00Z,1,door"]
        #expect(try place.imports(["timestamp,delta,deviceId"] + lines).status == .exited(0))
        let history = try jsonObject(try place.run(["history", "--json"] + options).output)
        let buckets = try #require(history["buckets"] as? [[String: Any]])
        #expect(history["unit"] as? String == unit)
        #expect(buckets.map { ($0["start"] as? String ?? "").prefix(16) } == starts.map { $0[...] })
        #expect(buckets.map { $0["totalIn"] as? Int } == ins)
    }

    @Test(arguments: [
        // Without opening hours each day is judged from its first event to its last.
        ("none", ["silent from 2026-11-02 10:00 to 2026-11-02 11:00"]),
        (
            "Mon-Fri 09:30-12:00",
            [
                "silent from 2026-11-02 10:00 to 2026-11-02 11:00",
                "silent from 2026-11-02 11:00 to 2026-11-02 12:00",
                "silent from 2026-11-03 09:30 to 2026-11-03 12:00",
            ]
        ),
        ("Sat-Sun 09:00-18:00", []), ("Mon 09:00-10:20, Mon 10:40-11:00", []),
    ])
    func `Silence is judged in opening hours`(open: String, silences: [String]) throws {
        try place.run("location", "set", "default", "--timezone", "UTC", "--open", open)
        let times = ["09:30", "10:00", "11:00"]
        let lines = (times.map { "2026-11-02T\($0):00Z" } + ["2026-11-05T10:00:00Z"]).map {
            #"{"timestamp":"\#($0)","delta":1,"deviceId":"door"}"#
        }
        #expect(
            try place.run("ingest", input: lines.joined(separator: "\n") + "\n").status == .exited(0))
        let text = try place.run("history", "--range", "2026-11-02 to 2026-11-04").output.split(
            separator: "\n")
        #expect(text.filter { $0.hasPrefix("silent") }.map(String.init) == silences)
    }

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
}
