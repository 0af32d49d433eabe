import CounterModel
import TestSupport
import Testing

@Suite struct OpeningHoursTests {
    @Test(arguments: [
        ("Mon-Fri 09:00-18:00, Sat 10:00-16:00", "Mon-Fri 09:00-18:00, Sat 10:00-16:00"),
        ("Mo-Fr 9-18, Saturday 10-16", "Mon-Fri 09:00-18:00, Sat 10:00-16:00"),
        ("mon-fri 9:00-18:00 ,SAT 10:00-16:00", "Mon-Fri 09:00-18:00, Sat 10:00-16:00"),
        ("daily 00:00-24:00", "Mon-Sun 00:00-24:00"),
        ("Mon-Fri 9-18, Sat 10-16:30, Sun 0-24", "Mon-Fri 09:00-18:00, Sat 10:00-16:30, Sun 00:00-24:00"),
        ("Mon, Wed 09:00-12:00 13:00-18:00", "Mon 09:00-12:00 13:00-18:00, Wed 09:00-12:00 13:00-18:00"),
        ("Tue 09:00-12:00, 13:00-18:00", "Tue 09:00-12:00 13:00-18:00"),
        ("Sat-Mon 20:00-02:00", "Mon 20:00-02:00, Sat-Sun 20:00-02:00"),
        ("Sun 13:00-14:00, Sun 09:00-10:00", "Sun 09:00-10:00 13:00-14:00"),
    ])
    func `Hours are read and written`(text: String, canonical: String) throws {
        let hours = try #require(OpeningHours(text))
        #expect(hours.description == canonical)
        #expect(OpeningHours(canonical) == hours)
    }

    @Test(arguments: [
        "", " ", "Mon", "09:00-18:00", "Mon 9-", "Mon 9:-18", "Mon 9-25", "Mon 009-18", "Mon 24:00-25:00",
        "Mon 09:60-10:00", "Mon 24:00-02:00", "M 09:00-10:00", "Mondays 09:00-10:00",
        "Mon-Tue-Wed 09:00-10:00", "Mon 09:00-10:00,", "Mon 09:00–10:00", "Mon 09:00-10:00 Tue",
        "Mon 09:00-10:00, Tue", "Mon 09:00-24:01",
    ])
    func `What is no opening hours is refused`(text: String) {
        #expect(OpeningHours(text) == nil)
    }

    @Test func `Long texts are refused`() {
        #expect(OpeningHours(String(repeating: "Mon 09:00-10:00,", count: 32) + "Tue 09:00-10:00") == nil)
    }

    /// Clocks of Europe/Zurich skip 02:00 to 03:00 on Sunday 2026-03-29.
    @Test(arguments: [
        (
            "Mon-Fri 09:00-18:00", "2026-03-27T12:00:00+01:00", "2026-03-30T10:00:00+02:00",
            ["27 12:00-18:00", "30 09:00-10:00"]
        ),
        ("Sat 20:00-04:00", "2026-03-28T00:00:00+01:00", "2026-03-31T00:00:00+02:00", ["28 20:00-04:00"]),
        (
            "Sat 20:00-02:30, Sun 02:00-05:00", "2026-03-28T00:00:00+01:00", "2026-03-31T00:00:00+02:00",
            ["28 20:00-05:00"]
        ),
        ("Sun 02:10-02:50", "2026-03-28T00:00:00+01:00", "2026-03-31T00:00:00+02:00", []),
        ("Fri 23:00-03:00", "2026-03-28T01:00:00+01:00", "2026-03-28T02:00:00+01:00", ["28 01:00-02:00"]),
        ("daily 00:00-24:00", "2026-03-28T01:00:00+01:00", "2026-03-30T02:00:00+02:00", ["28 01:00-02:00"]),
    ])
    func `Openings follow the location's clocks`(text: String, from: String, to: String, expected: [String])
        throws
    {
        let zone = try #require(try DayReference()["Europe/Zurich"]).offsets
        let range = try #require(Timestamp(iso8601: from))..<#require(Timestamp(iso8601: to))
        let openings = try #require(OpeningHours(text)).openings(in: range, zone).map { opening in
            let (start, end) = (zone.local(at: opening.lowerBound), zone.local(at: opening.upperBound))
            return "\(start.date.day) \(start.timeOfDay.prefix(5))-\(end.timeOfDay.prefix(5))"
        }
        #expect(openings == expected)
    }
}
