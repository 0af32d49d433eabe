@testable import CounterModel
@testable import CounterTUI
@testable import Reports

/// Histories in Europe/Zurich, whose clocks repeat an hour on 2026-10-25.
enum HistorySample: String, CaseIterable {
    case noEntries, day, dayOf25Hours, month, anomalies, unread

    private static let zone = ZoneOffsets(
        initial: UTCOffset(seconds: 7200),
        changes: [
            ZoneOffsets.Change(start: Timestamp(seconds: 1_792_890_000), offset: UTCOffset(seconds: 3600))
        ])
    static let calendar = OperationalCalendar(zone: zone)
    static let locations: LocationChoice = {
        var locations = LocationChoice()
        locations.offer(
            [.init(id: "default", name: "Shop"), .init(id: "hall", name: "Hall")], preferred: "hall")
        return locations
    }()

    /// The screens with this history shown, for one location or for two.
    func screens(rows: Int = 200, tabs: [Screens.Tab] = [.history]) -> Screens {
        let screens = Screens(count: CountViewModel(level: 37), tabs: tabs)
        if tabs.count > 1 { screens.type("3") }
        if self == .anomalies { screens.context.locations = Self.locations }
        guard self != .unread else { return screens }
        var window = HistoryWindow(range: range)
        window.showLatest { _ in self == .noEntries ? [] : Self.rows(rows, until: range.end).reversed() }
        screens.history.reading = HistoryReading(texts, summary, window)
        return screens
    }

    private var texts: HistoryTexts {
        HistoryTexts(Self.span(range), now: Self.now) { $0 == "door-1" ? "Front door" : $0.text }
    }

    /// A range of an occupancy.
    static func span(
        _ range: Range<Timestamp>, by unit: HistoryUnit? = nil,
        in calendar: OperationalCalendar = Self.calendar
    ) -> LocationSpan {
        let hall = Location(id: "hall", name: "Hall", timezone: "UTC", maxCapacity: 120)
        return LocationSpan(hall, range, by: unit, in: calendar)
    }

    private var range: Range<Timestamp> {
        let text =
            switch self {
            case .dayOf25Hours: "2026-10-25 to 2026-10-26"
            case .month: "2026-10-23 to 2026-11-22"
            case .noEntries: "2026-11-18 to 2026-11-19"
            case .day, .anomalies, .unread: "2026-11-21 to 2026-11-22"
            }
        let range = try? HistorySelection(text).range(in: Self.calendar, now: Self.now)
        return range ?? Self.now..<Self.now
    }

    /// 15:20 on 2026-11-21.
    private static let now = Timestamp(seconds: 1_795_270_800)

    private var summary: HistorySummary { texts.summary(kpis.withBars(texts.span.buckets)) }

    private var kpis: KPIs {
        let end = min(range.end, Self.now)
        let hours = Self.calendar.zone.hours(in: range).map { Flow(start: $0.start) }
        var kpis = KPIs(from: range.start, to: end, hours: hours)
        if self == .noEntries {
            kpis.averageOccupancy = 0
            kpis.anomalies = [.silence(range)]
            return kpis
        }
        for index in hours.indices where hours[index].start < end { fill(&kpis, index) }
        (kpis.averageOccupancy, kpis.highestLevel) = (37.44, 131)
        if self == .anomalies { addAnomalies(&kpis) }
        return kpis
    }

    /// A shop that is open from 8 to 20.
    private func fill(_ kpis: inout KPIs, _ index: Int) {
        let hour = Self.calendar.zone.local(at: kpis.hours[index].start).hour
        let isOpen = (8..<20).contains(hour) || self == .dayOf25Hours
        let ins = isOpen ? (hour * 37 + index * 11) % 60 + 5 : 0
        let outs = isOpen ? (hour * 29 + index * 7) % 50 + 3 : 0
        (kpis.hours[index].totalIn, kpis.hours[index].totalOut) = (ins, outs)
        kpis.totalIn += ins
        kpis.totalOut += outs
    }

    private func addAnomalies(_ kpis: inout KPIs) {
        func at(_ hour: Int, _ minute: Int = 0) -> Timestamp {
            Timestamp(seconds: range.start.seconds + hour * 3600 + minute * 60)
        }
        (kpis.correctedUp, kpis.correctedDown) = (3, 1)
        kpis.anomalies = [
            .silence(at(0)..<at(7, 55)), .negativeDrift(at(8)..<at(8, 20), lowest: -4),
            .sequenceGap(deviceId: "door-1", first: 120, last: 124, at: at(9, 3)),
            .restart(deviceId: "door-2\u{1B}[31m", epoch: 1, at: at(10)),
            .overcrowding(at(12, 10)..<at(14, 32), highest: 131),
            .sequenceGap(deviceId: "door-1", first: 7, last: 7, at: at(14, 1)),
            .clockSkew(deviceId: "door-1", timestamp: at(30), receivedAt: at(15)),
        ]
    }

    /// Rows of every kind over and over, the latest first.
    private static func rows(_ count: Int, until end: Timestamp) -> [HistoryRow] {
        (0..<count).map { number in
            let time = Timestamp(seconds: end.seconds - 31_000 - number * 97)
            let void = VoidMark(userId: number % 2 == 0 ? "ada" : nil, time: time)
            return HistoryRow(row(number, time), void: number % 7 == 3 ? void : nil)
        }
    }

    private static func row(_ number: Int, _ time: Timestamp) -> JournalRow {
        let correction = Correction(by: -5, deviceId: "terminal", reason: "counted", levelBefore: 50)
        let byHand = Entry(.out, deviceId: "terminal", source: .manual, reason: "went by the\u{7} back door")
        let counted = Entry(
            number % 2 == 0 ? .in : .out, deviceId: "door-1", source: number % 5 == 0 ? .import : .hardware)
        let (user, content): (String?, RowContent) =
            switch number % 9 {
            case 2: ("ada", .correction(correction))
            case 1: ("ada", .entry(byHand))
            case 4: ("ada", .reset(Reset(to: 0, levelBefore: 9)))
            case 5: (nil, .endOfDay(ended(time), levelBefore: 12))
            case 6: ("bob", .setting(.capacity(120)))
            default: (nil, .entry(counted))
            }
        return JournalRow(
            id: Position(Int64(1000 - number)), locationId: "hall", userId: user, timestamp: time,
            receivedAt: time, content)
    }

    private static func ended(_ time: Timestamp) -> DaySnapshot {
        DaySnapshot(
            from: time, to: time, finalLevel: 12, totalIn: 0, totalOut: 0, peakHour: nil, highestLevel: 0,
            averageOccupancy: nil)
    }
}

extension KPIs {
    /// With the sums of the hours in each bucket as bars.
    func withBars(_ buckets: [Range<Timestamp>]) -> KPIs {
        var kpis = self
        kpis.bars = buckets.map { bucket in
            var bar = Flow(start: bucket.start)
            for hour in hours where bucket.start <= hour.start && hour.start < bucket.end {
                bar.totalIn += hour.totalIn
                bar.totalOut += hour.totalOut
            }
            return bar
        }
        return kpis
    }
}
