import Linux
import Testing

@testable import CounterModel
@testable import CounterTUI
@testable import Reports

@Suite("Words of History") struct HistoryTextsTests {
    /// 15:20 on Saturday, 2026-11-21.
    private static let now = Timestamp(seconds: 1_795_270_800)

    private func texts(
        _ range: String, startHour: Int = 0, by unit: HistoryUnit? = nil,
        zone: ZoneOffsets = HistorySample.calendar.zone
    ) throws -> HistoryTexts {
        let calendar = OperationalCalendar(zone: zone, startHour: startHour)
        let range = try HistorySelection(range).range(in: calendar, now: Self.now)
        return HistoryTexts(
            HistorySample.span(range, by: unit, in: calendar), now: Self.now, deviceName: \.text)
    }

    private func summary(_ range: String, startHour: Int = 0) throws -> HistorySummary {
        let texts = try texts(range, startHour: startHour)
        let hours = texts.span.calendar.zone.hours(in: texts.span.range)
        var kpis = KPIs(
            from: texts.span.range.start, to: min(Self.now, texts.span.range.end),
            hours: hours.map { Flow(start: $0.start) })
        for index in kpis.hours.indices { kpis.hours[index].totalIn = index + 1 }
        return texts.summary(kpis.withBars(texts.span.buckets))
    }

    /// The bars of a range without entries, up to a time.
    private func bars(
        _ texts: HistoryTexts, to end: Timestamp = now, _ anomalies: [Anomaly] = []
    ) -> [HistoryBar] {
        var kpis = KPIs(from: texts.span.range.start, to: end, hours: []).withBars(texts.span.buckets)
        kpis.anomalies = anomalies
        return texts.summary(kpis).bars
    }

    @Test(
        arguments: [
            ("today", "Today", "2026-11-21"), ("yesterday to today", "Yesterday", "2026-11-20"),
            ("2026-11-19 to 2026-11-20", "Thursday", "2026-11-19"),
            ("2026-11-15 to 2026-11-22", "7 days", "2026-11-15 to 11-21"),
            ("2025-12-31 to 2026-01-02", "2 days", "2025-12-31 to 2026-01-01"),
            ("2026-11-21 14:00 to 2026-11-21 15:30", "", "2026-11-21 14:00 to 11-21 15:30"),
            (
                "2026-10-25 02:30+02:00 to 2026-10-25 02:30+01:00", "",
                "2026-10-25 02:30+02:00 to 10-25 02:30+01:00"
            ),
        ])
    func `A range has a name and a period`(range: String, title: String, period: String) throws {
        let summary = try summary(range)
        #expect(summary.title == title)
        #expect(summary.period == period)
    }

    @Test func `A day that starts at five says so`() throws {
        let summary = try summary("2026-11-20 to 2026-11-21", startHour: 5)
        #expect(summary.title == "Yesterday")
        #expect(summary.period == "2026-11-20 05:00 to 11-21 05:00")
        #expect(summary.bars.map(\.label).first == "05")
    }

    @Test func `A repeated hour is two bars and what comes later is ahead`() throws {
        let long = try summary("2026-10-25 to 2026-10-26")
        #expect(long.bars.map(\.label).prefix(5) == ["00", "01", "02", "02", "03"])
        #expect(long.bars.map(\.ins) == Array(1...25))
        let today = try summary("today")
        #expect(today.bars.map(\.isAhead) == (0..<24).map { $0 > 15 })
    }

    @Test func `The hour that begins now is ahead`() throws {
        let bars = bars(try texts("today"), to: Self.now - .seconds(20 * 60))
        #expect(bars.map(\.isAhead) == (0..<24).map { $0 >= 15 })
    }

    @Test func `A skipped hour is none`() throws {
        let zone = ZoneOffsets(
            initial: UTCOffset(seconds: 3600),
            changes: [
                ZoneOffsets.Change(start: Timestamp(seconds: 1_774_746_000), offset: UTCOffset(seconds: 7200))
            ])
        let bars = bars(try texts("2026-03-29 to 2026-03-30", zone: zone))
        #expect(bars.count == 23)
        #expect(bars.map(\.label).prefix(4) == ["00", "01", "03", "04"])
    }

    @Test func `Hours add up to days`() throws {
        let summary = try summary("2026-10-24 to 2026-10-27")
        #expect(summary.bars.map(\.label) == ["24", "25", "26"])
        // The hours have 1, 2, 3 … entries; the second day has 25 of them.
        #expect(summary.bars.map(\.ins) == [300, 925, 1_476])
        #expect(try self.summary("2026-10-01 to 2026-11-02").bars.first?.label == "10-01")
        let weeks = try texts("2026-10-21 to 2026-11-02", by: .week)
        #expect(bars(weeks).map(\.label) == ["10-19", "10-26"])
    }

    @Test func `Corrections stand beside in and out where there are any`() throws {
        #expect(
            try summary("today").facts.map(\.label) == ["in", "out", "net", "peak hour", "highest"])
        var kpis = KPIs(from: Self.now, to: Self.now, hours: [])
        kpis.averageOccupancy = 2.5
        #expect(try texts("today").summary(kpis).facts.last == .init("average inside", "2.5"))
        (kpis.correctedUp, kpis.correctedDown) = (42, 3)
        #expect(try texts("today").summary(kpis).facts[2] == .init("corrected", "+42 -3"))
    }

    @Test func `Silences of many days are one note`() throws {
        let texts = try texts("2026-11-01 to 2026-11-21")
        var kpis = KPIs(from: texts.span.range.start, to: Self.now, hours: [])
        kpis.anomalies = (1...5).reversed().map { day in
            let noon = Self.now - .seconds(day * 86_400)
            return .silence(noon..<noon + .seconds(3_600))
        }
        #expect(
            texts.summary(kpis).anomalies == [
                .init(.silent, "11-16 to 11-20 silent for a time on 5 days")
            ])
        kpis.anomalies.removeLast(2)
        #expect(texts.summary(kpis).anomalies.count == 3)
    }

    @Test func `The peak has its hour, with the date where that is needed`() throws {
        #expect(try summary("today").facts[3] == .init("peak hour", "23:00 (24)"))
        #expect(try summary("2026-10-24 to 2026-10-27").facts[3] == .init("peak hour", "10-26 23:00 (73)"))
    }

    @Test(arguments: [
        ("2026-10-24 to 2026-10-27", "10-24 11:00"), ("2025-11-20 to 2026-11-21", "2025-11-20 11:00"),
        ("2025-10-24 to 2025-10-27", "2025-10-24 11:00"),
        ("2025-12-31 to 2026-01-01 12:00", "2025-12-31 11:00"),
    ])
    func `Dates have their year where it is not the present one all the time`(range: String, text: String)
        throws
    {
        let texts = try texts(range)
        let eleven = texts.span.range.start.seconds + 11 * 3600
        #expect(texts.time(Timestamp(seconds: eleven)) == text)
        let note = Anomaly.restart(deviceId: "door", epoch: 1, at: Timestamp(seconds: eleven))
        #expect(texts.text(of: note) == "\(text) door: its numbers started again")
    }

    @Test func `The axis and the peak of several years have their years too`() throws {
        let summary = try summary("2024-11-20 to today")
        #expect(summary.bars.map(\.label).prefix(2) == ["2024-11-20", "2024-11-21"])
        #expect(summary.facts[3].value.hasPrefix("2026-11-20 "))
    }

    @Test func `An average a little below nothing has no sign`() throws {
        var kpis = KPIs(from: Self.now, to: Self.now, hours: [])
        for (average, text) in [(-0.04, "0.0"), (-0.06, "-0.1"), (37.44, "37.4"), (9.2e18, "9.2e+18")] {
            kpis.averageOccupancy = average
            #expect(try texts("today").summary(kpis).facts.last == .init("average inside", text))
        }
    }

    @Test func `Anomalies mark the bars that they touch`() throws {
        let texts = try texts("today")
        func at(_ hour: Int) -> Timestamp { Timestamp(seconds: texts.span.range.start.seconds + hour * 3600) }
        let anomalies: [Anomaly] = [
            .silence(at(1)..<at(3)), .restart(deviceId: "d", epoch: 1, at: at(2)),
            .overcrowding(at(5)..<at(6) + .microseconds(1), highest: 9),
        ]
        let marks = bars(texts, anomalies).map(\.marks)
        #expect(
            marks.prefix(8) == [
                [], [.silent], [.silent, .inconsistent], [], [], [.overcrowded], [.overcrowded], [],
            ])
    }

    @Test func `A row in a repeated hour tells which`() throws {
        let texts = try texts("2026-10-25 to 2026-10-26")
        func time(_ second: Int) -> String {
            let time = Timestamp(seconds: second)
            let row = JournalRow(
                id: Position(1), locationId: "a", timestamp: time, receivedAt: time,
                .entry(Entry(.in, deviceId: "d", source: .hardware)))
            return texts.line(HistoryRow(row)).time
        }
        #expect(time(1_792_889_999) == "02:59:59+02:00")
        #expect(time(1_792_890_000) == "02:00:00+01:00")
        #expect(time(1_792_900_000) == "04:46:40")
    }
}
