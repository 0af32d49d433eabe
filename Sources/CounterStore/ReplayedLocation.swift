import CounterModel
import SQL

/// A location's projections during a replay.
final class ReplayedLocation {
    /// A reset that is not void; the first stands for the location's beginning.
    struct EffectiveReset {
        let position: Int64
        let time: Int64
        let begin: Int64
        let fileKey: Int64?
        let value: Int
    }

    private(set) var resets = [
        EffectiveReset(
            position: 0, time: Segment.beginningOfTime, begin: Segment.beginningOfTime, fileKey: nil, value: 0
        )
    ]
    /// What counts after each reset. In between it may leave the range of `Int` that its end is in: an entry that is
    /// void now may have made room for another one.
    private(set) var sums = [0]
    private(set) var minutes = ReplayedMinutes()
    /// The minutes with a row that is earlier than one before it.
    private var stale: Set<MinuteKey> = []
    /// The minute that was added to last; mostly it is the next row's too.
    private var openKey: MinuteKey?
    private var open = MinuteRollup(minute: 0)
    private(set) var lastUpdated: Int64?
    private(set) var lastEventAt: Int64?
    private(set) var firstEventAt: Int64?
    private(set) var latest = Segment.beginningOfTime
    private(set) var position: Int64 = 0

    func apply(_ row: ReplayedRow) throws {
        position = row.position
        if row.isLive { firstEventAt = min(firstEventAt ?? row.countedAt, row.countedAt) }
        switch row.kind {
        case .step(let difference, let isCorrection):
            if !row.isVoid, difference != 0 { add(difference, isCorrection: isCorrection, row) }
            note(row, isEvent: !isCorrection, isOfPast: !row.isLive)
        case .reset(let value, let file):
            latest = max(latest, row.countedAt)
            if !row.isVoid { begin(value, row, file) }
            note(row, isEvent: false)
        case .void:
            if row.lateAfter == nil { lastUpdated = row.countedAt }
        case .other: break
        }
    }

    private func note(_ row: ReplayedRow, isEvent: Bool, isOfPast: Bool = false) {
        latest = max(latest, row.countedAt)
        guard row.lateAfter == nil, !isOfPast || row.countedAt == latest else { return }
        lastUpdated = row.countedAt
        if isEvent { lastEventAt = row.countedAt }
    }

    private func begin(_ value: Int, _ row: ReplayedRow, _ file: Int64?) {
        resets.append(
            EffectiveReset(
                position: row.position, time: row.countedAt, begin: latest, fileKey: file, value: value))
        sums.append(0)
    }

    /// Adds an entry or a correction to the last segment that began at or before its anchor.
    private func add(_ difference: Int, isCorrection: Bool, _ row: ReplayedRow) {
        let anchor = row.lateAfter ?? row.position
        var index = resets.count - 1
        if resets[index].position > anchor {
            index = resets.lastIndex { $0.position <= anchor } ?? 0
        }
        sums[index] += difference
        let begin = resets[index].begin
        let time = max(row.countedAt, begin)
        let key = MinuteKey(reset: resets[index].position, minute: MinuteRollup.minute(of: time))
        if openKey != key { turn(to: key) }
        let step = LevelStep(
            time: time, difference: difference, isCorrection: isCorrection, isEarly: row.countedAt < begin)
        if !open.add(step) { stale.insert(key) }
    }

    /// Makes a minute the open one.
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
    func addUpStaleMinutes(_ db: Connection, location: Int64) throws {
        close()
        for key in stale {
            let index = try resets.lastIndex { $0.position <= key.reset }.orCorrupt()
            let segment = Segment(
                reset: key.reset, begin: resets[index].begin, start: resets[index].value, sum: 0)
            let next = index + 1 < resets.count ? resets[index + 1].position : .max
            minutes[key] = MinuteRollup(
                minute: key.minute,
                of: try MinuteSteps.fetch(
                    db, location: location, segment: segment, before: next, minute: key.minute,
                    hasEarly: key.minute == MinuteRollup.minute(of: segment.begin)))
        }
    }
}

/// The numbers of one epoch of a device during a replay.
struct ReplayedNumbers {
    struct Gap {
        let first: Int
        let last: Int
        let noticedBy: Int64
    }

    let openedBy: Int64
    private(set) var lowest: Int
    private(set) var highest: Int
    /// Ascending.
    private(set) var gaps: [Gap] = []

    init(openedBy position: Int64, first: Int) {
        openedBy = position
        lowest = first
        highest = first
    }

    mutating func note(_ number: Int, by position: Int64) {
        if number > highest {
            if number > highest + 1 {
                gaps.append(Gap(first: highest + 1, last: number - 1, noticedBy: position))
            }
            highest = number
        } else if number < lowest {
            if number < lowest - 1 {
                gaps.insert(Gap(first: number + 1, last: lowest - 1, noticedBy: position), at: 0)
            }
            lowest = number
        } else if let index = gaps.firstIndex(where: { $0.first <= number && number <= $0.last }) {
            split(index, at: number)
        }
    }

    private mutating func split(_ index: Int, at number: Int) {
        let gap = gaps[index]
        var parts: [Gap] = []
        if gap.first < number {
            parts.append(Gap(first: gap.first, last: number - 1, noticedBy: gap.noticedBy))
        }
        if number < gap.last {
            parts.append(Gap(first: number + 1, last: gap.last, noticedBy: gap.noticedBy))
        }
        gaps.replaceSubrange(index...index, with: parts)
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

    /// All minutes, in the order of their keys.
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

    /// The index of a minute that came in order.
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
