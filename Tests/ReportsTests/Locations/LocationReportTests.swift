import CounterModel
import Linux
import Testing

@testable import Reports

/// What `counter status`, `location list`, `show` and `day` print.
@Suite struct LocationReportTests {
    /// 2026-11-21 12:00 UTC.
    private static let noon = Timestamp(seconds: 1_795_262_400)

    private static func hall(_ change: (inout Location) -> Void = { _ in }) -> Location {
        var hall = Location(id: "hall", name: "The \"Hall\"", timezone: "UTC", maxCapacity: 20, dayStart: 4)
        change(&hall)
        return hall
    }

    private static func state(_ level: Int, capacity: Int? = 20, target: Int? = nil) -> CounterState {
        CounterState(
            locationId: "hall", level: level, maxCapacity: capacity, target: target,
            lastUpdated: Timestamp(seconds: noon.seconds - 3600), lastEventAt: noon, position: Position(9))
    }

    private static func status(
        _ state: CounterState, of location: Location = hall(), seen: Timestamp? = noon, stale: [Device] = [],
        neverSeen: [Device] = []
    ) -> StatusReport {
        StatusReport(
            location: location, state: state,
            day: location.calendar(about: noon).day(containing: noon), totalIn: 7, totalOut: 3,
            lastSeenAt: seen, staleDevices: stale, neverSeen: neverSeen, now: noon)
    }

    private static func device(_ name: String) -> Device {
        Device(id: Identifier(name), name: name, locationId: "hall", lastSeenAt: nil, isActive: true)
    }

    @Test func `The status of an occupancy and of a tally`() {
        let seen = Timestamp(seconds: Self.noon.seconds - 7300)
        let reports = [
            Self.status(Self.state(23, target: 30), seen: seen, stale: [Self.device("d1")]),
            Self.status(Self.state(-4), of: Self.hall { $0.isHidden = true }, seen: nil),
            Self.status(
                Self.state(5, capacity: nil, target: 5), of: Self.hall { $0.maxCapacity = nil },
                // By a clock that is ahead.
                seen: Self.noon + .seconds(9), neverSeen: [Self.device("d2"), Self.device("d3")]),
        ]
        #expect(
            StatusReport.table(of: reports).text(reports) == [
                "NAME        COUNT  CAPACITY  FULL  LEFT  STATUS       SEEN     IN  OUT  NOTES",
                "The \"Hall\"  23     20        115%  0     overcrowded  2 h ago  7   3    7 left to 30; stale: d1",
                "The \"Hall\"  0      20        0%    20    ok           never    7   3    hidden; 4 more out than in: somebody was missed",
                "The \"Hall\"  5      -         -     -     -            0 s ago  +7  -3   target 5 reached; never seen: d2, d3",
            ])
        #expect(
            StatusReport.table(of: [reports[2]]).text([reports[2]]) == [
                "NAME        COUNT  CAPACITY  FULL  LEFT  STATUS  SEEN     UP  DOWN  NOTES",
                "The \"Hall\"  5      -         -     -     -       0 s ago  7   3     target 5 reached; never seen: d2, d3",
            ])
        #expect(
            StatusReport.table(of: reports).json(reports[0])
                == #"{"locationId":"hall","name":"The \"Hall\"","count":23,"level":23,"moreLeftThanEntered":0,"#
                + #""maxCapacity":20,"percentage":115,"placesLeft":0,"status":"full","isOvercrowded":true,"targetCount":30,"leftToTarget":7,"#
                + #""lastUpdated":"2026-11-21T11:00:00.000000Z","lastEventAt":"2026-11-21T12:00:00.000000Z","#
                + #""lastSeenAt":"2026-11-21T09:58:20.000000Z","day":"2026-11-21","totalIn":7,"totalOut":3,"#
                + #""anomalies":["overcrowding","staleDevice"],"staleDevices":["d1"]}"#)
        #expect(
            StatusReport.table(of: reports).json(reports[2])
                == #"{"locationId":"hall","name":"The \"Hall\"","count":5,"level":5,"moreLeftThanEntered":0,"#
                + #""targetCount":5,"leftToTarget":0,"lastUpdated":"2026-11-21T11:00:00.000000Z","#
                + #""lastEventAt":"2026-11-21T12:00:00.000000Z","lastSeenAt":"2026-11-21T12:00:09.000000Z","day":"2026-11-21","#
                + #""totalIn":7,"totalOut":3,"anomalies":[],"staleDevices":[]}"#)
        #expect(StatusReport.table(of: reports).json(reports[1]).contains(#""anomalies":["negativeDrift"]"#))
        #expect(reports.map(\.exitCode) == [1 + 4 + 8, 16, 0])
        #expect(Self.status(Self.state(16)).exitCode == 2)
    }

    @Test func `The totals of a group and of all`() {
        let hall = Self.hall { $0.group = "house" }
        let rooms = [Self.status(Self.state(23), of: hall), Self.status(Self.state(-4), of: hall)]
        let bar = Self.status(Self.state(.max, capacity: nil), of: Self.hall { $0.maxCapacity = nil })
        let totals = (rooms + [bar]).totals
        #expect(
            StatusReport.table(of: rooms + totals).text(totals).dropFirst() == [
                "total house  23                   40        57%   20    ok      0 s ago  14  6",
                "total        9223372036854775807  -         -     -     -       0 s ago  21  9",
            ])
        #expect(rooms.totals.map(\.location.name) == ["total"])
        #expect([bar].totals.isEmpty)
    }

    @Test func `Locations with their counts`() {
        let rows = [
            LocationRow(Self.hall { $0.key = LocationKey("b") }, Self.state(16)),
            LocationRow(
                Self.hall {
                    ($0.isHidden, $0.group, $0.target, $0.dayStart) = (true, "doors", 50, 14)
                    $0.openingHours = OpeningHours("Mon-Fri 09:00-18:00")
                    $0.endsDaysAutomatically = true
                }, Self.state(-2)),
        ]
        #expect(
            LocationRow.table.text(rows) == [
                "NAME        KEY  COUNT  CAPACITY  STATUS   TARGET  GROUP  OPEN                 TIMEZONE  DAY STARTS  DAY ENDS       ID",
                "The \"Hall\"  b    16     20        warning  -       -      -                    UTC       04:00       by hand        hall",
                "The \"Hall\"  -    0      20        hidden   50      doors  Mon-Fri 09:00-18:00  UTC       14:00       automatically  hall",
            ])
        #expect(
            LocationRow.table.text([rows[0]])[0]
                == "NAME        KEY  COUNT  CAPACITY  STATUS   TIMEZONE  DAY STARTS  DAY ENDS  ID")
        #expect(
            LocationRow.table.json(rows[0])
                == #"{"locationId":"hall","name":"The \"Hall\"","timezone":"UTC","dayStart":4,"count":16,"#
                + #""maxCapacity":20,"status":"warning","admitsOverFull":false,"isHidden":false,"#
                + #""endsDaysAutomatically":false,"key":"b"}"#)
        #expect(
            LocationRow.table.json(rows[1])
                == #"{"locationId":"hall","name":"The \"Hall\"","timezone":"UTC","dayStart":14,"count":0,"#
                + #""maxCapacity":20,"status":"ok","admitsOverFull":false,"isHidden":true,"#
                + #""openingHours":"Mon-Fri 09:00-18:00","endsDaysAutomatically":true,"group":"doors","targetCount":50}"#
        )
    }

    @Test func `The count of a tally hides nothing, so it has no level beside it`() {
        #expect(
            Self.state(-2).report.text
                == #"{"locationId":"hall","count":0,"level":-2,"moreLeftThanEntered":2,"#
                + #""lastUpdated":"2026-11-21T11:00:00.000000Z","lastEventAt":"2026-11-21T12:00:00.000000Z"}"#
        )
        #expect(
            Self.state(-2, capacity: nil, target: 3).report.text
                == #"{"locationId":"hall","count":-2,"targetCount":3,"leftToTarget":5,"#
                + #""lastUpdated":"2026-11-21T11:00:00.000000Z","lastEventAt":"2026-11-21T12:00:00.000000Z"}"#
        )
    }

    @Test
    func `The end of a day that is taken back is named by the day, not by the midnight at which it ended`() {
        let hall = Self.hall { $0.dayStart = 0 }
        let midnight = Timestamp(seconds: Self.noon.seconds - 43_200)
        for (time, date) in [(midnight, "2026-11-20"), (Self.noon, "2026-11-21")] {
            let row = JournalRow(
                locationId: "hall", timestamp: Self.noon, receivedAt: Self.noon, .void(Position(5)))
            let receipt = Receipt(Request(row), .undone(Position(9), Undone(.endOfDay, at: time)), level: 4)
            #expect(
                receipt.undone(at: hall, now: Self.noon)
                    == "The \"Hall\": end of day \(date) taken back, Count 4")
        }
    }

    @Test func `A list of days fits into 80 columns`() {
        let (from, to) = (Timestamp(seconds: 1_792_882_800), Timestamp(seconds: 1_792_969_200))
        let day = DaySnapshot(
            from: from, to: to, finalLevel: 99_999, totalIn: 9999, totalOut: 9999,
            peakHour: .init(start: to, totalIn: 9999), highestLevel: 9999, averageOccupancy: 999.9,
            isAutomatic: true)
        let lines = DayRow.table.text([DayRow(snapshot: day, userId: nil, zone: TableTests.zurich)])
        #expect(lines.allSatisfy { $0.count < 80 }, "\(lines)")
    }

    @Test func `A day that was ended by a user, and one that ended by itself without entries`() {
        let (from, to) = (Timestamp(seconds: 1_792_882_800), Timestamp(seconds: 1_792_969_200))
        let ended = DaySnapshot(
            from: from, to: to, finalLevel: 5, totalIn: 9, totalOut: 4,
            peakHour: .init(start: Timestamp(seconds: 1_792_890_000), totalIn: 6), highestLevel: 8,
            averageOccupancy: 10.0 / 3)
        let empty = DaySnapshot(
            from: from, to: to, finalLevel: 0, totalIn: 0, totalOut: 0, peakHour: nil, highestLevel: 0,
            averageOccupancy: nil, isAutomatic: true)
        let rows = [
            DayRow(snapshot: ended, userId: "ada", zone: TableTests.zurich),
            DayRow(snapshot: empty, userId: nil, zone: TableTests.zurich),
        ]
        #expect(
            DayRow.table.text(rows) == [
                "FROM              TO           COUNT  IN  OUT  PEAK         HIGH  AVG  BY",
                "2026-10-25 01:00  10-26 00:00  5      9   4    02:00+01:00  8     3.3  ada",
                "2026-10-25 01:00  10-26 00:00  0      0   0    -            0     -    automatic",
            ])
        #expect(
            DayRow.table.json(rows[0])
                == #"{"from":"2026-10-25T01:00:00+02:00","to":"2026-10-26T00:00:00+01:00","finalLevel":5,"totalIn":9,"#
                + #""totalOut":4,"peakHour":{"start":"2026-10-25T02:00:00+01:00","totalIn":6},"highestLevel":8,"#
                + #""averageOccupancy":3.333333,"userId":"ada","isAutomatic":false}"#)
        #expect(
            DayRow.table.json(rows[1])
                == #"{"from":"2026-10-25T01:00:00+02:00","to":"2026-10-26T00:00:00+01:00","finalLevel":0,"totalIn":0,"#
                + #""totalOut":0,"highestLevel":0,"isAutomatic":true}"#)
    }
}
