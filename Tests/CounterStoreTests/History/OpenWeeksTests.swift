import CounterModel
import TestSupport
import Testing

@testable import CounterStore

/// Random weeks of a door in Zurich with opening hours, corrections and days that end by themselves, compared with one pass over
/// all rows. One at a time: the C library has one zone for a process.
@Suite(.serialized) struct OpenWeeksTests {
    private static let hour: Int64 = 3_600_000_000
    /// 2026-10-19 00:00 in Zurich, a Monday; on the Sunday clocks are set back.
    private static let monday: Int64 = 1_792_360_800_000_000
    private static let clocksGoBack: Int64 = 1_792_890_000_000_000
    /// No opening begins or ends in the hour that is repeated.
    private static let openings = [
        nil, "Mon-Fri 09:00-18:00, Sat 10:00-16:00", "daily 06:30-12:00, daily 13:00-23:15",
        "Fri-Sun 20:00-04:00, Tue 09:00-09:30",
    ]
    private static let threshold: Int64 = 45 * 60_000_000
    let directory = TemporaryDirectory()

    @Test(arguments: Volume.of(sample: 8, full: UInt64(1)...80))
    func `Figures and silences of each day are those of all rows`(seed: UInt64) throws {
        let journal = try SQLiteJournal(inZurich: directory)
        var random = SplitMix64(seed: seed)
        var now = Self.monday + 8 * Self.hour
        try append(Ask.setting(.capacity(20), at: now), to: journal, at: now)
        try append(Ask.setting(.endsDaysAutomatically(true), at: now), to: journal, at: now)
        for number in 0..<150 {
            now += Int64.random(in: 1...(number % 9 == 0 ? 14 : 1) * Self.hour, using: &random)
            try append(Self.request(number, at: now, &random), to: journal, at: now)
        }
        _ = try journal.endDueDays(now: Timestamp(microseconds: now))
        #expect(try journal.verify() == [])
        #expect(try journal.endedDays(of: "default").contains { $0.snapshot.isAutomatic })
        let truth = try BruteForceHistory(journal, location: "default")
        for text in Self.openings {
            let hours = text.flatMap(OpeningHours.init)
            try append(Ask.setting(.openingHours(hours), at: now), to: journal, at: now)
            try compareDays(journal, truth, until: now, &random)
        }
    }

    private func append(_ request: Request, to journal: SQLiteJournal, at time: Int64) throws {
        try journal.append(request, at: Timestamp(microseconds: time))
    }

    private static func request(_ number: Int, at now: Int64, _ random: inout SplitMix64) -> Request {
        let type: EntryType = Int.random(in: 0..<5, using: &random) < 3 ? .in : .out
        switch Int.random(in: 0..<30, using: &random) {
        case 0: return Ask.endOfDay(at: now)
        case 1: return Ask.undo(at: now)
        case 10: return Ask.redo(at: now)
        case 2...3: return Ask.void(Int64.random(in: 1...Int64(number + 3), using: &random))
        case 4: return Ask.correction(.to(Int.random(in: 0...12, using: &random)), at: now)
        case 5: return Ask.correction(.by([-3, 2].randomElement(using: &random) ?? 1), at: now)
        case 6...8:
            let time = now - Int64.random(in: 0..<30 * hour, using: &random)
            return Ask.count(type, at: time, device: "far", number: number)
        case 9: return Ask.press(type, at: now, times: 4)
        case 11:
            // A file brings the past.
            let time = now - Int64.random(in: 0..<200 * hour, using: &random)
            return Ask.count(
                type, at: time, device: "file", source: .import,
                line: ImportLine(fileHash: "old", number: number + 1))
        default: return Ask.count(type, at: now)
        }
    }

    private func compareDays(
        _ journal: SQLiteJournal, _ truth: BruteForceHistory, until now: Int64, _ random: inout SplitMix64
    ) throws {
        let location = try #require(try journal.locations().first)
        let range = Timestamp(microseconds: Self.monday)..<Timestamp(microseconds: now + 24 * Self.hour)
        let calendar = location.calendar(for: range.lowerBound...range.upperBound)
        for day in calendar.days(in: range) where day.start.microseconds < now {
            let whole = [day.start.microseconds, min(day.end.microseconds, now + 1)]
            let open = location.openingHours.map { Self.open($0, whole[0], whole[1]) }
            let silences = Self.silences(truth, whole[0], whole[1], open)
            var ranges = [day.start..<day.end]
            for _ in 0..<3 {
                // Parts of the day show of its silences what is in them.
                let ends = [0, 1].map { _ in Int64.random(in: whole[0]..<whole[1], using: &random) }.sorted()
                if ends[0] < ends[1] {
                    ranges.append(Timestamp(microseconds: ends[0])..<Timestamp(microseconds: ends[1]))
                }
            }
            for range in ranges {
                let kpis = try journal.kpis(
                    of: location, in: range, calendar, silentAfter: .microseconds(Self.threshold),
                    now: Timestamp(microseconds: now))
                compare(kpis, truth, open, silences)
            }
        }
    }

    private func compare(
        _ kpis: KPIs, _ truth: BruteForceHistory, _ open: [[Int64]]?, _ silences: [[Int64]]
    ) {
        let (from, to) = (kpis.from.microseconds, kpis.to.microseconds)
        truth.expectFigures(of: kpis, open: open)
        let found = kpis.anomalies.compactMap { anomaly -> [Int64]? in
            guard case .silence(let range) = anomaly else { return nil }
            return [range.lowerBound.microseconds, range.upperBound.microseconds]
        }
        let expected = silences.map { [max($0[0], from), min($0[1], to)] }.filter { $0[0] < $0[1] }
        #expect(found == expected, "\(kpis.from) to \(kpis.to)")
    }

    /// What lies between the events of a day for longer than the threshold, as far as the door is open.
    private static func silences(
        _ truth: BruteForceHistory, _ from: Int64, _ to: Int64, _ open: [[Int64]]?
    ) -> [[Int64]] {
        let live = truth.rows.filter { $0.kind == 1 && $0.source != 3 }.map(\.time)
        guard let first = live.min(), first < to else { return [] }
        let events = truth.entries.filter { $0.row.kind == 1 && from <= $0.time && $0.time < to }.map(\.time)
            .sorted()
        let open = open ?? events.first.map { [[$0, events.last ?? $0]] } ?? []
        let points = [max(from, first)] + events.filter { $0 > first } + [to]
        return zip(points, points.dropFirst()).flatMap { quietSince, until -> [[Int64]] in
            guard until - quietSince > threshold else { return [] }
            return open.map { [max($0[0], quietSince), min($0[1], until)] }.filter {
                $0[1] - $0[0] > threshold
            }
        }
    }

    /// The times within a range at which a clock in Zurich shows an hour of opening, minute by minute.
    private static func open(_ hours: OpeningHours, _ from: Int64, _ to: Int64) -> [[Int64]] {
        let minute: Int64 = 60_000_000
        var ranges: [[Int64]] = []
        for start in stride(from: from / minute * minute, to: to, by: Int(minute)) {
            guard isOpen(hours, at: start) else { continue }
            if ranges.last?[1] == start {
                ranges[ranges.count - 1][1] = start + minute
            } else {
                ranges.append([start, start + minute])
            }
        }
        return ranges.map { [max($0[0], from), min($0[1], to)] }
    }

    private static func isOpen(_ hours: OpeningHours, at moment: Int64) -> Bool {
        let local = (moment - monday) / 60_000_000 - (moment < clocksGoBack ? 0 : 60)
        let (day, minute) = (local / 1440 % 7, local % 1440)
        let text = hours.description
        if text.hasPrefix("Mon-Fri") {
            return day < 5 ? 540..<1080 ~= minute : day == 5 && 600..<960 ~= minute
        }
        if text.hasPrefix("Mon-Sun") || text.hasPrefix("daily") {
            return 390..<720 ~= minute || 780..<1395 ~= minute
        }
        if day == 1, 540..<570 ~= minute { return true }
        return [4, 5, 6].contains(day) && minute >= 1200 || [5, 6, 0].contains(day) && minute < 240
    }
}
