import CounterModel
import SQL

/// A location's projections during a replay, of its rows in their order.
final class ReplayedLocation {
    /// By reset; the first stands for the location's beginning.
    private(set) var segments = [Segment(reset: 0, begin: Segment.beginningOfTime, start: 0, sum: 0)]
    private(set) var minutes = ReplayedMinutes()
    /// The minutes with a row that is earlier than one before it.
    private var stale: Set<MinuteKey> = []
    /// The minute that was added to last; mostly it is the next row's too.
    private var openKey: MinuteKey?
    private var open = MinuteRollup(minute: 0)
    private(set) var update = LastRow(time: nil, order: .min), event = LastRow(time: nil, order: .min)
    private(set) var firstEventAt: Int64?
    private(set) var latest = Segment.beginningOfTime
    private(set) var position: Int64 = 0

    /// `counts` is false for what is void, or a copy.
    func apply(_ row: ReplayedRow, counts: Bool) {
        position = max(position, row.position)
        if row.isLive { firstEventAt = min(firstEventAt ?? row.countedAt, row.countedAt) }
        switch row.kind {
        case .step(let difference, let isCorrection):
            if counts, difference != 0 { add(difference, isCorrection: isCorrection, row) }
            if !isCorrection { event.note(row.countedAt, at: row.orderedAt) }
        case .reset(let value):
            guard counts else { break }
            segments.append(Segment(reset: row.position, begin: row.orderedAt, start: value, sum: 0))
        case .void: return update.note(row.countedAt, at: row.orderedAt)
        case .other: return
        }
        latest = max(latest, row.countedAt)
        update.note(row.countedAt, at: row.orderedAt)
    }

    private func add(_ difference: Int, isCorrection: Bool, _ row: ReplayedRow) {
        let segment = segments[segments.count - 1]
        segments[segments.count - 1].sum += difference
        let time = max(row.countedAt, segment.begin)
        let key = MinuteKey(reset: segment.reset, minute: MinuteRollup.minute(of: time))
        if openKey != key { turn(to: key) }
        let step = LevelStep(
            time: time, difference: difference, isCorrection: isCorrection,
            isEarly: row.countedAt < segment.begin)
        if !open.add(step) { stale.insert(key) }
    }

    private func turn(to key: MinuteKey) {
        close()
        openKey = key
        open = minutes[key] ?? MinuteRollup(minute: key.minute)
    }

    private func close() {
        guard let openKey else { return }
        minutes[openKey] = open
        self.openKey = nil
    }

    /// Computes the minutes whose entries did not come in order. The last call.
    func addUpStaleMinutes(_ db: Connection, location: Int64, out: Set<Int64>) throws {
        close()
        for key in stale {
            let index = try segments.firstIndex { $0.reset == key.reset }.orCorrupt()
            let range = SegmentRange(
                from: try RowOrder.of(key.reset, db),
                to: index + 1 < segments.count ? try RowOrder.of(segments[index + 1].reset, db) : .end)
            minutes[key] = MinuteRollup(
                minute: key.minute,
                of: try MinuteSteps.fetch(
                    db, location: location, range, minute: key.minute,
                    hasEarly: key.minute == MinuteRollup.minute(of: range.from.orderedAt), out: out))
        }
    }
}

/// The epochs of a device: its numbers in the order of its entries, copies left out.
struct DeviceEpochs {
    private(set) var all: [ReplayedNumbers] = []

    func contains(_ number: Int) -> Bool { all.contains { $0.contains(number) } }

    mutating func note(_ number: Int, by position: Int64) {
        if let last = all.last, !last.contains(number) {
            all[all.count - 1].note(number, by: position)
        } else {
            all.append(ReplayedNumbers(openedBy: position, first: number))
        }
    }
}

/// The numbers of one epoch of a device.
struct ReplayedNumbers {
    struct Gap {
        let first: Int
        let last: Int
        let noticedBy: Int64
    }

    let openedBy: Int64
    private(set) var last: Int64
    private(set) var lowest: Int
    private(set) var highest: Int
    /// Ascending.
    private(set) var gaps: [Gap] = []

    init(openedBy position: Int64, first: Int) {
        openedBy = position
        last = position
        lowest = first
        highest = first
    }

    func contains(_ number: Int) -> Bool {
        lowest...highest ~= number && !gaps.contains { $0.first <= number && number <= $0.last }
    }

    mutating func note(_ number: Int, by position: Int64) {
        last = position
        if number > highest {
            gaps += Self.gap(between: highest, number, position)
            highest = number
        } else if number < lowest {
            gaps.insert(contentsOf: Self.gap(between: number, lowest, position), at: 0)
            lowest = number
        } else if let index = gaps.firstIndex(where: { $0.first <= number && number <= $0.last }) {
            let gap = gaps[index]
            let parts =
                Self.gap(between: gap.first - 1, number, gap.noticedBy)
                + Self.gap(between: number, gap.last + 1, gap.noticedBy)
            gaps.replaceSubrange(index...index, with: parts)
        }
    }

    /// None where no number is missing.
    private static func gap(between low: Int, _ high: Int, _ position: Int64) -> [Gap] {
        low < high - 1 ? [Gap(first: low + 1, last: high - 1, noticedBy: position)] : []
    }
}

// MARK: - Minutes

/// The key of a rollup: a minute of a segment.
struct MinuteKey: Hashable, Comparable {
    let reset: Int64
    let minute: Int64

    static func < (left: MinuteKey, right: MinuteKey) -> Bool {
        (left.reset, left.minute) < (right.reset, right.minute)
    }
}

/// The minutes of a location during a replay. Most come in the order of their keys and are kept in an array; only
/// late ones are hashed.
struct ReplayedMinutes {
    private var ascending: [(key: MinuteKey, sum: MinuteRollup)] = []
    private var late: [MinuteKey: MinuteRollup] = [:]

    var sorted: [(key: MinuteKey, sum: MinuteRollup)] {
        late.isEmpty ? ascending : (ascending + late.map { ($0.key, $0.value) }).sorted { $0.key < $1.key }
    }

    subscript(key: MinuteKey) -> MinuteRollup? {
        get { index(of: key).map { ascending[$0].sum } ?? late[key] }
        set {
            guard let sum = newValue else { return }
            if ascending.last.map({ $0.key < key }) ?? true {
                ascending.append((key, sum))
            } else if let index = index(of: key) {
                ascending[index].sum = sum
            } else {
                late[key] = sum
            }
        }
    }

    private func index(of key: MinuteKey) -> Int? {
        guard let last = ascending.last, key <= last.key else { return nil }
        var (low, high) = (0, ascending.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return ascending[low].key == key ? low : nil
    }
}
