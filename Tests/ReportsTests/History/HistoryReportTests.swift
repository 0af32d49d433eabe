import CounterModel
import Linux
import Testing

@testable import CounterModel
@testable import Reports

/// What `counter history` prints of figures.
@Suite struct HistoryReportTests {
    /// 2026-11-21, an ordinary Saturday.
    private static let start = Timestamp(seconds: 1_795_219_200)
    private static let hall = Location(id: "hall", name: "Hall\u{1B}", timezone: "UTC", maxCapacity: 20)

    /// A report of the day by hours, of which 15 are over, with entries in the hours from 9 on.
    private static func report(
        _ location: Location = hall, ins: [Int] = [4, 8, 0], outs: [Int] = [0, 1, 3],
        by unit: HistoryUnit = .hour, to end: Timestamp = hour(24), now: Timestamp = hour(15),
        _ change: (inout KPIs) -> Void = { _ in }
    ) -> HistoryReport {
        let span = LocationSpan(location, start..<end, by: unit)
        var kpis = KPIs(
            from: start, to: now, hours: (0..<24).map { Flow(start: hour($0)) },
            bars: span.buckets.map { Flow(start: $0.start) })
        for (index, (ins, outs)) in zip(ins, outs).enumerated() {
            (kpis.hours[9 + index].totalIn, kpis.hours[9 + index].totalOut) = (ins, outs)
            let bar = unit == .hour ? 9 + index : unit == .day ? 0 : index
            kpis.bars[bar].totalIn += ins
            kpis.bars[bar].totalOut += outs
        }
        (kpis.totalIn, kpis.totalOut) = (ins.reduce(0, +), outs.reduce(0, +))
        (kpis.closingLevel, kpis.highestLevel, kpis.averageOccupancy) = (kpis.net, 11, 2.5)
        change(&kpis)
        return HistoryReport(span, kpis)
    }

    private static func hour(_ hour: Int) -> Timestamp { Timestamp(seconds: start.seconds + hour * 3600) }

    private static let anomalies: [Anomaly] = [
        .overcrowding(hour(9)..<hour(10), highest: 23), .negativeDrift(hour(11)..<hour(12), lowest: -2),
        .silence(hour(12)..<hour(15)), .sequenceGap(deviceId: "d1", first: 4, last: 4, at: hour(10)),
        .sequenceGap(deviceId: "d1", first: 4, last: 6, at: hour(10)),
        .restart(deviceId: "d1", epoch: 2, at: hour(10)),
        .clockSkew(deviceId: "d1", timestamp: hour(23), receivedAt: hour(10)),
    ]
    private static let clocks: [Anomaly] = [
        .clockSkew(deviceId: "d2", timestamp: hour(10), receivedAt: hour(9)),
        .clockSkew(deviceId: "d1", timestamp: hour(12), receivedAt: hour(10)),
    ]

    @Test func `The figures, a bar for each hour that has begun, and empty hours at both ends joined`() {
        let bar =
            TextTable.isUTF8
            ? ["████████████", "████████████████████████"] : ["############", "########################"]
        #expect(
            Self.report().text == [
                "Hall?: 2026-11-21 00:00 to 2026-11-22 00:00, UTC",
                "in 12, out 4, net +8",
                "count 0 at the start, 8 at the end, highest 11, average inside 2.5",
                "peak hour 2026-11-21 10:00 with 8 in",
                "",
                "HOUR                                  IN  OUT",
                "2026-11-21 00:00 to 2026-11-21 08:00  0   0",
                "2026-11-21 09:00                      4   0    \(bar[0])",
                "2026-11-21 10:00                      8   1    \(bar[1])",
                "2026-11-21 11:00                      0   3",
                "2026-11-21 12:00 to 2026-11-21 14:00  0   0",
            ])
        #expect(Self.report().brief == "Hall?: in 12, out 4, net +8, count 8")
    }

    @Test func `Silences of many days are one line`() {
        let days = (0..<18).map { Timestamp(seconds: 1_793_793_600 + $0 * 86_400) }
        func anomalies(_ count: Int) -> [String] {
            Self.report(ins: [], outs: []) { kpis in
                kpis.anomalies = days.prefix(count).map { .silence($0..<$0 + .seconds(7_200)) }
                kpis.anomalies.append(.restart(deviceId: "door", epoch: 1, at: days[0]))
            }.text.suffix(2).map(\.self)
        }
        #expect(anomalies(18)[0] == "silent for a time on 18 days, from 2026-11-04 to 2026-11-21")
        #expect(anomalies(4)[0] == "silent for a time on 4 days, from 2026-11-04 to 2026-11-07")
        #expect(anomalies(3)[0] == "silent from 2026-11-06 12:00 to 2026-11-06 14:00")
    }

    @Test func `Without entries there is no table, and corrections are told beside the totals`() {
        let empty = Self.report(ins: [], outs: []) { $0.averageOccupancy = nil }
        #expect(
            empty.text == [
                "Hall?: 2026-11-21 00:00 to 2026-11-22 00:00, UTC", "in 0, out 0, net 0",
                "count 0 at the start, 0 at the end, highest 11", "no entries",
            ])
        let corrected = Self.report(ins: [], outs: []) { ($0.correctedUp, $0.correctedDown) = (2, 5) }
        #expect(corrected.text[1] == "in 0, out 0, net -3 with corrections +2 -5")
        #expect(
            corrected.text.suffix(2) == [
                "HOUR                                  IN  OUT",
                "2026-11-21 00:00 to 2026-11-21 14:00  0   0",
            ])
        #expect(corrected.brief == "Hall?: in 0, out 0, net -3, corrections +2 -5, count 0")
    }

    @Test func `Anomalies as text`() {
        #expect(
            Self.report { $0.anomalies = Self.anomalies + Self.clocks }.text.suffix(9) == [
                "",
                "overcrowded from 2026-11-21 09:00 to 2026-11-21 10:00, up to 23",
                "more out than in from 2026-11-21 11:00 to 2026-11-21 12:00, down to -2",
                "silent from 2026-11-21 12:00 to 2026-11-21 15:00",
                "d1: number 4 is missing, noticed 2026-11-21 10:00:00",
                "d1: numbers 4 to 6 are missing, noticed 2026-11-21 10:00:00",
                "d1: its numbers started again (epoch 2) 2026-11-21 10:00:00",
                "d1: clock 2 h to 13 h ahead, 2 events at 2026-11-21 10:00",
                "d2: clock 1 h ahead, 1 event at 2026-11-21 09:00",
            ])
    }

    @Test func `A device is called by its name, and the average is of the opening hours`() {
        var location = Self.hall
        location.openingHours = OpeningHours("daily 09:00-18:00")
        let report = Self.report(location) { $0.anomalies = Self.anomalies.suffix(1) }
        let named = HistoryReport(report.span, report.kpis) { $0 == "d1" ? "Front door" : $0.text }
        #expect(named.text.last == "Front door: clock 13 h ahead, 1 event at 2026-11-21 10:00")
        #expect(named.text[2].hasSuffix("highest 11, average inside while open 2.5"))
    }

    @Test func `A day as JSON, with its anomalies`() {
        let report = Self.report(by: .day) { $0.anomalies = Self.anomalies }
        #expect(
            report.json.text
                == #"{"locationId":"hall","timezone":"UTC","from":"2026-11-21T00:00:00+00:00","to":"2026-11-22T00:00:00+00:00","#
                + #""totalIn":12,"totalOut":4,"correctedUp":0,"correctedDown":0,"net":8,"#
                + #""peakHour":{"start":"2026-11-21T10:00:00+00:00","totalIn":8},"averageOccupancy":2.5,"highestLevel":11,"#
                + #""openingLevel":0,"closingLevel":8,"anomalies":["#
                + #"{"type":"overcrowding","start":"2026-11-21T09:00:00+00:00","end":"2026-11-21T10:00:00+00:00","level":23},"#
                + #"{"type":"negativeDrift","start":"2026-11-21T11:00:00+00:00","end":"2026-11-21T12:00:00+00:00","level":-2},"#
                + #"{"type":"silence","start":"2026-11-21T12:00:00+00:00","end":"2026-11-21T15:00:00+00:00"},"#
                + #"{"type":"sequenceGap","start":"2026-11-21T10:00:00+00:00","deviceId":"d1","first":4,"last":4},"#
                + #"{"type":"sequenceGap","start":"2026-11-21T10:00:00+00:00","deviceId":"d1","first":4,"last":6},"#
                + #"{"type":"restart","start":"2026-11-21T10:00:00+00:00","deviceId":"d1","epoch":2},"#
                + #"{"type":"clockSkew","start":"2026-11-21T10:00:00+00:00","deviceId":"d1","timestamp":"2026-11-21T23:00:00+00:00"}],"#
                + #""unit":"day","buckets":[{"start":"2026-11-21T00:00:00+00:00","end":"2026-11-22T00:00:00+00:00","totalIn":12,"totalOut":4}]}"#
        )
        #expect(
            report.csv == [
                "start,end,totalIn,totalOut,net",
                "2026-11-21T00:00:00+00:00,2026-11-22T00:00:00+00:00,12,4,8",
            ])
    }

    @Test func `Several locations and their total`() {
        let door = Location(id: "door", name: "Door, left", timezone: "UTC")
        let report = LocationsReport([
            Self.report(by: .day), Self.report(door, ins: [1], outs: [6], by: .day) { $0.correctedUp = 2 },
        ])
        #expect(
            report.text == [
                "NAME        IN  OUT  CORRECTED  NET  COUNT",
                "Hall?       12  4    -          +8   8",
                "Door, left  1   6    +2 -0      -3   -5",
                "total       13  10   +2 -0      +5   3",
            ])
        #expect(
            report.brief == [
                "Hall?: in 12, out 4, net +8, count 8",
                "Door, left: up 1, down 6, net -3, corrections +2 -0, count -5",
                "total: in 13, out 10, net +5, corrections +2 -0, count 3",
            ])
        #expect(
            report.csv == [
                "locationId,name,from,to,totalIn,totalOut,correctedUp,correctedDown,net,openingLevel,closingLevel",
                "hall,Hall ,2026-11-21T00:00:00+00:00,2026-11-22T00:00:00+00:00,12,4,0,0,8,0,8",
                "door,\"Door, left\",2026-11-21T00:00:00+00:00,2026-11-22T00:00:00+00:00,1,6,2,0,-3,0,-5",
            ])
        let json = report.json.text
        #expect(json.hasPrefix(#"{"locations":[{"locationId":"hall","#))
        #expect(
            json.hasSuffix(
                #"],"total":{"totalIn":13,"totalOut":10,"correctedUp":2,"correctedDown":0,"net":5,"closingLevel":3}}"#
            ))
    }

    /// From a Saturday on for ten days.
    private static func weeks(_ location: Location, _ ins: [Int]) -> HistoryReport {
        report(location, ins: ins, outs: ins.map { min($0, 1) }, by: .week, to: hour(240), now: hour(230))
    }

    @Test func `A week is named by its first day and its last in the range`() {
        #expect(
            Self.weeks(Self.hall, [0, 0, 4]).text.suffix(2).map { $0.prefix(30) }
                == ["2026-11-21 to 2026-11-29  0   ", "2026-11-30 to 2026-11-30  4   "].map { $0.prefix(30) })
    }

    @Test func `Several locations by weeks, with the totals of both`() {
        let garden = Location(id: "garden", name: "Garden", timezone: "UTC")
        let report = LocationsReport(
            [Self.weeks(Self.hall, [3, 5, 0]), Self.weeks(garden, [2, 0, 0])], by: .week)
        #expect(
            report.text == [
                "WEEK                      Hall?  Garden  total",
                "2026-11-21 to 2026-11-22  3      2       5",
                "2026-11-23 to 2026-11-29  5      0       5",
                "2026-11-30 to 2026-11-30  0      0       0",
                "total                     8      2       10",
            ])
        #expect(
            report.csv == [
                "start,end,Hall  in,Hall  out,Garden in,Garden out,total in,total out",
                "2026-11-21T00:00:00+00:00,2026-11-23T00:00:00+00:00,3,1,2,1,5,2",
                "2026-11-23T00:00:00+00:00,2026-11-30T00:00:00+00:00,5,1,0,0,5,1",
                "2026-11-30T00:00:00+00:00,2026-12-01T00:00:00+00:00,0,0,0,0,0,0",
            ])
        #expect(
            report.json.text.hasSuffix(
                #""unit":"week","buckets":["#
                    + #"{"start":"2026-11-21T00:00:00+00:00","end":"2026-11-23T00:00:00+00:00","totalIn":5,"totalOut":2},"#
                    + #"{"start":"2026-11-23T00:00:00+00:00","end":"2026-11-30T00:00:00+00:00","totalIn":5,"totalOut":1},"#
                    + #"{"start":"2026-11-30T00:00:00+00:00","end":"2026-12-01T00:00:00+00:00","totalIn":0,"totalOut":0}]}"#
            ))
    }

    @Test func `Days of locations with other starts of the day are one line by their date`() {
        let late = Location(id: "bar", name: "Bar", timezone: "UTC", dayStart: 6)
        let report = LocationsReport(
            [Self.report(by: .day), Self.report(late, ins: [1], outs: [0], by: .day)], by: .day)
        #expect(
            report.text == [
                "DAY         Hall?  Bar  total", "2026-11-20  -      1    1", "2026-11-21  12     0    12",
                "total       12     1    13",
            ])
    }
}

@Suite struct ReadingPaceTests {
    @Test func `A reading of a second is not repeated for ten`() {
        let start = MonotonicTime.now
        var pace = ReadingPace(at: start)
        #expect(pace.next == start)
        pace.note(from: start, to: start + .seconds(1))
        #expect(pace.next == start + .seconds(11))
    }
}
