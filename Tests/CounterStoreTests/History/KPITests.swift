import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// The KPIs of random journals, compared with one pass over all their entries.
@Suite final class KPITests: NewJournal {
    static let hour: Int64 = 3_600_000_000
    @Test(arguments: Volume.of(sample: 10, full: UInt64(1)...40))
    func theKPIsAreThoseOfAllEntries(seed: UInt64) throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        var days = RandomDays(seed: seed)
        for _ in 0..<80 { try days.step(journal) }
        #expect(try journal.verify() == [])
        for location in try journal.locations() {
            let truth = try BruteForceHistory(journal, location: location.id)
            for _ in 0..<4 { try compare(journal, truth, location, days.range()) }
        }
        try journal.rebuild()
        #expect(try journal.verify() == [])
    }

    private func compare(
        _ journal: SQLiteJournal, _ truth: BruteForceHistory, _ location: Location,
        _ range: (hours: [Timestamp], end: Timestamp, now: Timestamp)
    ) throws {
        let kpis = try journal.kpis(
            of: location, hours: range.hours, end: range.end, now: range.now, silence: 20 * 60_000_000)
        let (from, to) = (kpis.from.microseconds, kpis.to.microseconds)
        #expect(from == range.hours[0].microseconds && to == min(range.end, range.now).microseconds)
        truth.expectFigures(of: kpis)
        for (index, hour) in kpis.hours.enumerated() {
            let end = index + 1 < range.hours.count ? range.hours[index + 1] : range.end
            let inHour = truth.entries(
                from: hour.start.microseconds, to: min(end.microseconds, to), isCorrection: false)
            #expect(hour.totalIn == inHour.count { $0.delta > 0 })
            #expect(hour.totalOut == inHour.count { $0.delta < 0 })
        }
        compareAnomalies(kpis, truth, from, to)
        try compareRows(journal, truth, location, from, to)
    }

    /// The rows of a list, read page by page in both directions, must be those that the KPIs count.
    private func compareRows(
        _ journal: SQLiteJournal, _ truth: BruteForceHistory, _ location: Location, _ from: Int64, _ to: Int64
    ) throws {
        let range = Timestamp(microseconds: from)..<Timestamp(microseconds: max(from, to))
        let counted = truth.entries.filter { from <= $0.time && $0.time < to }
            .sorted {
                ($0.time, $0.row.orderedAt, $0.row.position) < ($1.time, $1.row.orderedAt, $1.row.position)
            }
        for isBackward in [false, true] {
            var rows: [HistoryRow] = []
            var isLast = false
            while !isLast {
                let page = HistoryPage(
                    range: range, anchor: rows.last?.anchor, isBackward: isBackward, limit: 7)
                let next = try journal.history(of: location.id, page)
                rows += isBackward ? next.reversed() : next
                isLast = next.count < page.limit
            }
            if isBackward { rows.reverse() }
            #expect(rows == rows.sorted { $0.anchor < $1.anchor })
            let entries = rows.filter { row in
                switch row.row.content {
                case .entry, .correction: !row.isVoid
                default:
                    false
                }
            }
            #expect(entries.map(\.id.number) == counted.map(\.row.position))
            #expect(entries.map(\.countedAt.microseconds) == counted.map(\.time))
        }
    }

    private func compareAnomalies(_ kpis: KPIs, _ truth: BruteForceHistory, _ from: Int64, _ to: Int64) {
        let crowded = truth.minutes(from: from, to: to) { 100 * $0 > 110 * $1 }
        let drifted = truth.minutes(from: from, to: to) { level, _ in level < 0 }
        var (foundCrowded, foundDrifted): ([Int64: Int], [Int64: Int]) = ([:], [:])
        var gaps: [[Int]] = []
        var starts: [Timestamp] = []
        for anomaly in kpis.anomalies {
            starts.append(anomaly.range.start)
            switch anomaly {
            case .overcrowding(let range, let highest):
                for minute in range.minutes { foundCrowded[minute] = highest }
            case .negativeDrift(let range, let lowest):
                for minute in range.minutes { foundDrifted[minute] = lowest }
            case .sequenceGap(_, let first, let last, _): gaps.append([first, last])
            case .silence, .restart, .clockSkew: break
            }
        }
        #expect(starts == starts.sorted())
        #expect(foundCrowded.keys.sorted() == crowded.map(\.minute))
        #expect(foundDrifted.keys.sorted() == drifted.map(\.minute))
        #expect(foundCrowded.values.max() == crowded.flatMap(\.levels).max())
        #expect(foundDrifted.values.min() == drifted.flatMap(\.levels).min())
        let missing = truth.gaps().filter { gap in
            guard let row = truth.rows.first(where: { $0.position == gap.position }) else { return false }
            return from <= row.time && row.time < to
        }
        let expected = missing.map { [$0.first, $0.last] }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(gaps.sorted { $0.lexicographicallyPrecedes($1) } == expected)
    }

    @Test func silenceIsWhatLiesBetweenSigns() throws {
        let minute = { (number: Int64) in Timestamp(microseconds: number * 60_000_000) }
        try journal.append(Ask.count(at: 70 * 60_000_000, device: "a"), at: minute(70))
        try journal.append(Ask.count(at: 125 * 60_000_000, device: "b"), at: minute(125))
        try journal.note(came: [("b", "b", "default")], went: [], at: minute(120))
        try journal.note(came: [], went: ["b"], at: minute(150))
        func silences(now: Int64, threshold: Int64) throws -> [Anomaly] {
            try journal.kpis(
                from: minute(0), to: minute(240), now: minute(now), silence: threshold * 60_000_000
            ).anomalies
        }
        // No program listened before minute 70.
        #expect(
            try silences(now: 200, threshold: 40) == [
                .silence(minute(70)..<minute(120)), .silence(minute(150)..<minute(200)),
            ])
        #expect(try silences(now: 200, threshold: 50) == [])
        #expect(try silences(now: 60, threshold: 1) == [])
    }

    @Test func aProgramThatDiedHeardNothingAfterItsDevicesLastSign() throws {
        let minute = { (number: Int64) in Timestamp(microseconds: number * 60_000_000) }
        try journal.note(came: [("b", "b", "default")], went: [], at: minute(10))
        func anomalies() throws -> [Anomaly] {
            try journal.kpis(from: minute(0), to: minute(60), silence: 60_000_000).anomalies
        }
        #expect(try anomalies() == [])
        try journal.run(sql: "UPDATE presence SET started = started - 1")
        #expect(try anomalies() == [.silence(minute(10)..<minute(60))])
    }
}

extension Range<Timestamp> {
    fileprivate var minutes: ClosedRange<Int64> {
        MinuteRollup.minute(
            of: lowerBound.microseconds)...MinuteRollup.minute(of: upperBound.microseconds - 1)
    }
}

/// Random days of a tally, and of a door that becomes an occupancy.
struct RandomDays {
    private var random: SplitMix64
    private(set) var now: Int64 = 10 * KPITests.hour + 1
    private var number = 0
    private var line = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The hours of a range, and a present moment within or after the history.
    mutating func range() -> (hours: [Timestamp], end: Timestamp, now: Timestamp) {
        let last = now / KPITests.hour
        let first = Int64.random(in: 8...last, using: &random)
        let count = Int64.random(in: 1...8, using: &random)
        var hours = (0..<count).map { Timestamp(microseconds: (first + $0) * KPITests.hour) }
        if Bool.random(using: &random) {
            hours[0] = Timestamp(
                microseconds: hours[0].microseconds + .random(in: 0..<KPITests.hour, using: &random))
        }
        let moment = hours[0].microseconds + Int64.random(in: 1...9 * KPITests.hour, using: &random)
        return (
            hours, Timestamp(microseconds: (first + count) * KPITests.hour), Timestamp(microseconds: moment)
        )
    }

    /// Some requests at one time, a while after the time before.
    mutating func step(_ journal: SQLiteJournal) throws {
        now += Int64.random(in: 1...20 * 60_000_000, using: &random)
        if now % 60_000_000 == 0 { now += 1 }
        let last = Int64(
            try journal.locations().compactMap { try journal.state(of: $0.id)?.position.number }.max() ?? 0)
        let requests = (0...Int.random(in: 0..<12, using: &random)).map { _ in request(upTo: last) }
        _ = try journal.append(requests, receivedAt: Timestamp(microseconds: now))
    }

    private mutating func request(upTo position: Int64) -> Request {
        let location: Identifier = Int.random(in: 0..<4, using: &random) == 0 ? "default" : "door"
        switch Int.random(in: 0..<54, using: &random) {
        case 0:
            return Ask.setting(
                .capacity([nil, 3, 5, 10].randomElement(using: &random) ?? nil), at: now, location)
        case 1, 40...43: return Ask.reset(Int.random(in: -2...6, using: &random), at: time(), location)
        case 2: return Ask.endOfDay(at: now, location)
        case 3...4: return Ask.undo(location, at: now)
        case 52...53: return Ask.redo(location, at: now)
        case 5...6: return Ask.void(Int64.random(in: 0...position + 1, using: &random), location)
        case 9:
            return Ask.correction(.by([-7, -1, 2, 30].randomElement(using: &random) ?? 1), at: now, location)
        case 10: return Ask.correction(.to(Int.random(in: 0...12, using: &random)), at: now, location)
        case 7...11: return Ask.count(type(), at: now, location, device: "terminal", source: .manual)
        case 12...20: return numbered(location)
        case 44...51: return imported(location)
        default: return Ask.count(type(), at: time(), location, device: location)
        }
    }

    /// A line of one of two files, with times in no order: mostly a count, sometimes a reset.
    private mutating func imported(_ location: Identifier) -> Request {
        line += 1
        let id = ImportLine(fileHash: ["one", "other"].randomElement(using: &random) ?? "", number: line)
        let time = max(1, now - Int64.random(in: 0..<4 * KPITests.hour, using: &random)) | 1
        guard Int.random(in: 0..<6, using: &random) > 0 else {
            return Ask.reset(Int.random(in: 0...3, using: &random), at: time, location, line: id)
        }
        return Ask.count(type(), at: time, location, device: "file", source: .import, line: id)
    }

    /// Late, out of order and with gaps; seldom from a device that has started its numbers again.
    private mutating func numbered(_ location: Identifier) -> Request {
        number += Int.random(in: 0..<3, using: &random)
        let isAgain = Int.random(in: 0..<10, using: &random) == 0
        return Ask.count(
            type(), at: max(1, now - Int64.random(in: 0..<2 * KPITests.hour, using: &random)) | 1, location,
            device: "far\(location)", number: isAgain ? number / 2 : number)
    }

    /// Mostly now; sometimes the clock was set back, or runs ahead.
    private mutating func time() -> Int64 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: (now - Int64.random(in: 0..<KPITests.hour, using: &random)) | 1
        case 1: (now + Int64.random(in: 0..<10 * 60_000_000, using: &random)) | 1
        default: now
        }
    }

    private mutating func type() -> EntryType { Int.random(in: 0..<5, using: &random) < 3 ? .in : .out }
}
