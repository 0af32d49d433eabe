import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// The history of one location, computed in one pass over the rows of its journal, second by second where needed:
/// without precomputed sums or indexes.
struct BruteForceHistory {
    struct Row {
        let position: Int64, kind: Int, device: Int64?, orderedAt: Int64, delta: Int, source: Int, value: Int
        let time: Int64, number: Int?, text: String?, setting: Int?

        init(_ columns: [String?]) {
            let numbers = columns.map { $0.flatMap { Int($0) } }
            position = Int64(numbers[0] ?? 0)
            kind = numbers[1] ?? 0
            device = numbers[2].map { Int64($0) }
            orderedAt = Int64(numbers[3] ?? 0)
            delta = numbers[4] ?? 0
            source = numbers[5] ?? 0
            value = numbers[6] ?? 0
            time = Int64(numbers[7] ?? 0)
            number = numbers[8]
            text = columns[9]
            setting = numbers[10]
        }
    }

    /// A level from a time on.
    struct Step {
        let time: Int64, level: Int
        var isReset = false
    }

    /// In their order.
    private(set) var rows: [Row] = []
    private var voids: Set<Int64> = []
    /// Entries that count, with their times.
    private(set) var entries: [(time: Int64, row: Row)] = []
    /// In the order of time.
    private(set) var steps: [Step] = []

    init(_ journal: SQLiteJournal, location: Identifier) throws {
        let outside = try RawDatabase(journal.path)
        let sql = """
            SELECT position, kind, deviceKey, orderedAt, coalesce(delta, iif(kind = 5, value, NULL)), source, value,
                min(timestamp, receivedAt),
                sequenceNumber, text, setting
            FROM journal WHERE locationKey = (SELECT key FROM location WHERE id = '\(location)') ORDER BY orderedAt, position
            """
        rows = try outside.rows(sql).map(Row.init)
        voids = Set(
            try outside.texts("SELECT target FROM journal WHERE target IS NOT NULL").compactMap { Int64($0) })
        follow()
    }

    private mutating func follow() {
        var segments: [(begin: Int64, value: Int, entries: [(time: Int64, row: Row)])] = [(.min, 0, [])]
        for row in rows where !voids.contains(row.position) {
            if row.kind == 3 { segments.append((row.orderedAt, row.value, [])) }
            guard [1, 5].contains(row.kind) else { continue }
            let time = max(row.time, segments[segments.count - 1].begin)
            segments[segments.count - 1].entries.append((time, row))
        }
        for segment in segments {
            var level = segment.value
            steps.append(Step(time: segment.begin, level: level, isReset: true))
            let inTime = segment.entries.sorted {
                ($0.time, $0.row.orderedAt, $0.row.position) < ($1.time, $1.row.orderedAt, $1.row.position)
            }
            for entry in inTime {
                level += entry.row.delta
                steps.append(Step(time: entry.time, level: level))
                entries.append(entry)
            }
        }
    }

    func level(before time: Int64) -> Int { steps.last { $0.time < time }?.level ?? 0 }

    /// The level with which a range begins: resets at its very first moment are before it.
    func opening(at from: Int64) -> Int {
        steps.drop { $0.time < from }.prefix { $0.time == from && $0.isReset }.last?.level
            ?? level(before: from)
    }

    /// The capacity that holds at a moment.
    func capacity(at time: Int64) -> Int? {
        rows.filter { $0.setting == 1 && $0.time <= time }
            .max { ($0.time, $0.position) < ($1.time, $1.position) }?.text.flatMap { Int($0) }
    }

    /// When the capacity was changed, within a range.
    private func capacityTimes(from: Int64, to: Int64) -> [Int64] {
        rows.filter { $0.setting == 1 && from <= $0.time && $0.time < to }.map(\.time)
    }

    func entries(from: Int64, to: Int64, isCorrection: Bool? = nil) -> [Row] {
        entries.filter { from <= $0.time && $0.time < to }
            .map(\.row).filter { isCorrection == nil || ($0.kind == 5) == isCorrection }
    }

    /// The count weighted by the time of some ranges; nil for a tally, and where no time has passed.
    func average(from: Int64, to: Int64, in open: [[Int64]]? = nil) -> Double? {
        let ranges = (open ?? [[from, to]]).map { [max($0[0], from), min($0[1], to)] }.filter {
            $0[0] < $0[1]
        }
        let capacity = rows.last { $0.setting == 1 }?.text
        guard !ranges.isEmpty, capacity != nil else { return nil }
        let sum = ranges.map { integral(from: $0[0], to: $0[1]) }.reduce(0, +)
        return Double(sum) / Double(ranges.map { $0[1] - $0[0] }.reduce(0, +))
    }

    /// The integral of the level over time.
    private func integral(from: Int64, to: Int64) -> Int128 {
        var sum: Int128 = 0
        var time = from
        let inside = steps.map(\.time) + capacityTimes(from: from, to: to)
        for next in Set(inside.filter { from < $0 && $0 < to } + [to]).sorted() {
            let level = level(before: time + 1)
            let count = capacity(at: time) == nil ? level : max(0, level)
            sum += Int128(count) * Int128(next - time)
            time = next
        }
        return sum
    }

    func highest(from: Int64, to: Int64) -> Int {
        let inside = steps.drop { $0.time < from }.drop { $0.time == from && $0.isReset }
            .filter { $0.time < to }.map(\.level)
        let isTally = capacity(at: to - 1) == nil
        return max(opening(at: from), inside.max() ?? .min, isTally ? .min : 0)
    }

    /// Expects the sums, levels and the average of the rows, the latter over the ranges that are open.
    func expectFigures(of kpis: KPIs, open: [[Int64]]? = nil) {
        let (from, to) = (kpis.from.microseconds, kpis.to.microseconds)
        let counted = entries(from: from, to: to, isCorrection: false).map(\.delta)
        let corrected = entries(from: from, to: to, isCorrection: true).map(\.delta)
        #expect([kpis.totalIn, kpis.totalOut] == [counted.count { $0 > 0 }, counted.count { $0 < 0 }])
        #expect(kpis.correctedUp == corrected.filter { $0 > 0 }.reduce(0, +))
        #expect(kpis.correctedDown == -corrected.filter { $0 < 0 }.reduce(0, +))
        #expect([kpis.openingLevel, kpis.closingLevel] == [opening(at: from), level(before: to)])
        #expect(kpis.highestLevel == highest(from: from, to: to))
        #expect(kpis.averageOccupancy == average(from: from, to: to, in: open))
    }

    /// The minutes in which a level was, at any moment, an anomaly for the capacity of that moment; with the levels.
    func minutes(from: Int64, to: Int64, where isOdd: (Int, Int) -> Bool) -> [(minute: Int64, levels: [Int])]
    {
        (MinuteRollup.minute(of: from)...MinuteRollup.minute(of: to - 1)).compactMap { minute in
            let start = max(from, minute * 60_000_000)
            let end = min(to, (minute + 1) * 60_000_000)
            // The level that a reset set lasted no time if the next reset came at the same moment.
            let stepped = zip(steps, steps.dropFirst() + [Step(time: .max, level: 0)])
                .filter { !($0.isReset && $1.isReset && $0.time == $1.time) }.map(\.0)
                .filter { start <= $0.time && $0.time < end }
            let times = Set(stepped.map(\.time))
            let lasting = capacityTimes(from: start, to: end).filter { !times.contains($0) }
                .map { Step(time: $0, level: level(before: $0)) }
            let levels = [Step(time: start, level: level(before: start))] + stepped + lasting
            let odd = levels.filter { step in capacity(at: step.time).map { isOdd(step.level, $0) } ?? false }
            return odd.isEmpty ? nil : (minute, odd.map(\.level))
        }
    }

    /// Missing numbers between the lowest and the highest, as runs, each with the row that first showed it.
    func gaps() -> [(first: Int, last: Int, position: Int64)] {
        let numbered = rows.filter { $0.number != nil }
        return Dictionary(grouping: numbered) { $0.device ?? 0 }.values.flatMap(epochs).flatMap(gaps)
    }

    /// The rows of a device between two starts of its numbers.
    private func epochs(of rows: [Row]) -> [[Row]] {
        var (epochs, seen): ([[Row]], Set<Int>) = ([], [])
        for row in rows {
            if seen.isEmpty || seen.contains(row.number ?? 0) { (epochs, seen) = (epochs + [[]], []) }
            seen.insert(row.number ?? 0)
            epochs[epochs.count - 1].append(row)
        }
        return epochs
    }

    private func gaps(in rows: [Row]) -> [(first: Int, last: Int, position: Int64)] {
        let numbers = Set(rows.compactMap(\.number))
        let runs = ((numbers.min() ?? 0)...(numbers.max() ?? 0)).split { numbers.contains($0) }
        return runs.map { run in
            let (first, last) = (run.first ?? 0, run.last ?? 0)
            let evidence = rows.indices.first { index in
                let known = rows[...index].compactMap(\.number)
                return known.contains { $0 < first } && known.contains { $0 > last }
            }
            return (first, last, rows[evidence ?? 0].position)
        }
    }
}
