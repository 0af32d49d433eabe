import TestSupport
import Testing

/// Ranges of `counter history` as people say them, and reports of several locations.
@Suite struct HistoryRangeTests {
    private let place: Workplace

    init() throws { place = try Workplace.deaf() }

    @Test func `The last minutes are one line for a shell`() throws {
        try place.run("add", "3")
        try place.run("sub")
        let brief = try place.run("history", "--range", "10min", "--brief")
        #expect(brief.output == "default: up 3, down 1, net +2, count 2\n")
        #expect(
            try place.run("history", "--range", "yesterday", "--brief").output
                == "default: up 0, down 0, net 0, count 0\n")
    }

    @Test func `Empty lines before the first event and after the last are joined`() throws {
        try place.run("location", "set", "default", "--timezone", "UTC")
        let lines = [
            "2026-11-01T09:30:00Z,1,door", "2026-11-01T09:40:00Z,1,door", "2026-11-01T11:00:00Z,-1,door",
        ]
        #expect(try place.imports(["timestamp,delta,deviceId"] + lines).status == .exited(0))
        let text = try place.run("history", "--range", "2026-11-01").output.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        let table = text.drop { !$0.hasPrefix("HOUR") }.dropFirst().prefix(5).map {
            $0.filter { !"█▏▎▍▌▋▊▉#".contains($0) }
        }
        #expect(
            table == [
                "2026-11-01 00:00 to 2026-11-01 08:00 0 0", "2026-11-01 09:00 2 0 ", "2026-11-01 10:00 0 0",
                "2026-11-01 11:00 0 1", "2026-11-01 12:00 to 2026-11-01 23:00 0 0",
            ])
    }

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

    @Test func `Opening hours that cannot be read are refused`() throws {
        let outcome = try place.run("location", "set", "default", "--open", "9 to 5")
        #expect(outcome.status == .exited(64))
        #expect(
            outcome.errors.contains("opening hours are written as 'Mon-Fri 09:00-18:00, Sat 10:00-16:00'"))
        try place.run("location", "set", "default", "--open", "Mon-Fri 9:00-18:00")
        let listed = try jsonObject(try place.run("location", "list", "--json").output)
        #expect(listed["openingHours"] as? String == "Mon-Fri 09:00-18:00")
    }

    @Test func `Several locations have a line each and a total`() throws {
        for (name, count) in [("North", "5"), ("South", "2"), ("Roof", "7")] {
            try place.run("location", "add", name)
            try place.run("add", count, "--location", name)
        }
        try place.run("sub", "--location", "South")
        for name in ["North", "South"] { try place.run("location", "set", name, "--group", "Ground floor") }
        let brief = try place.run("history", "--group", "Ground floor", "--brief").output
        #expect(
            brief == """
                North: up 5, down 0, net +5, count 5
                South: up 2, down 1, net +1, count 1
                total: up 7, down 1, net +6, count 6

                """)
        let all = try jsonObject(try place.run("history", "--all", "--json").output)
        #expect((all["total"] as? [String: Any])?["totalIn"] as? Int == 14)
        #expect(
            (all["locations"] as? [[String: Any]])?.map { $0["locationId"] as? String } == [
                "default", "North", "South", "Roof",
            ])
        let table = try place.run("history", "--all").output.split(separator: "\n")
        #expect(table.last?.split(separator: " ") == ["total", "14", "1", "-", "+13", "13"])
        let weeks = try place.run("history", "--group", "Ground floor", "--by", "week").output
            .split(separator: "\n").map { $0.split(separator: " ").suffix(3) }
        #expect(weeks == [["North", "South", "total"], ["5", "2", "7"], ["5", "2", "7"]])
        let rows = try place.run("history", "--entries", "--all").output.split(separator: "\n")
            .map { $0.split(separator: " ") }.filter { $0[4].hasPrefix("in") || $0[4].hasPrefix("out") }
        #expect(
            rows.map { $0[3] } == Array(repeating: "North", count: 5) + ["South", "South"]
                + Array(repeating: "Roof", count: 7) + ["South"])
        // What is no traffic stands beside it.
        try place.run("correct", "=9", "--reason", "counted", "--location", "South")
        try place.run("correct", "-1", "--reason", "counted", "--location", "North")
        let corrected = try place.run("history", "--group", "Ground floor").output.split(separator: "\n")
        #expect(corrected[0].split(separator: " ").contains("CORRECTED"))
        #expect(corrected[2].split(separator: " ") == ["South", "2", "1", "+8", "-0", "+9", "9"])
        #expect(corrected.last?.split(separator: " ") == ["total", "7", "1", "+8", "-1", "+13", "13"])
        #expect(
            try place.run("history", "--group", "Ground floor", "--brief").output.contains(
                "total: up 7, down 1, net +13, corrections +8 -1, count 13\n"))
        let sums = try jsonObject(try place.run("history", "--all", "--json").output)["total"]
        #expect((sums as? [String: Any])?["correctedUp"] as? Int == 8)
        #expect((sums as? [String: Any])?["correctedDown"] as? Int == 1)
        let csv = try place.run("history", "--all", "--csv").output.split(separator: "\n")
        #expect(csv.count == 5)
        #expect(csv[2].hasPrefix("North,North,"))
    }
}
