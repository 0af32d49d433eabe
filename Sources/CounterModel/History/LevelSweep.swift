/// Follows the level of a location through a range, in order of time.
///
/// The sums of a minute suffice in most cases. Single entries are needed where the range begins or ends within the minute,
/// where the capacity changes or the location opens or closes within it, or where the level of an occupancy crosses 0, because its
/// count stays at 0 below that.
struct LevelSweep {
    private let range: Range<Timestamp>
    private let capacities: [CapacityChange]
    private var nextCapacity = 0
    private var capacity: Int?

    private var level = 0
    /// The time up to which the level has been followed.
    private var time: Int64
    private var integral: Int128 = 0
    /// The opening hours that are not over, in order; nil where the location has none.
    private var open: ArraySlice<Range<Timestamp>>?
    private let openLength: Int64
    private let isTally: Bool
    private var openingLevel: Int?
    private var hasCounted = false
    private var segmentEnd: Int64
    private var highest = Int.min
    private var overcrowding = MinuteWindows()
    private var drift = MinuteWindows()

    init(through range: Range<Timestamp>, capacities: [CapacityChange], open: [Range<Timestamp>]?) {
        self.range = range
        self.capacities = capacities.sorted { $0.since < $1.since }
        (time, segmentEnd) = (range.start.microseconds, range.end.microseconds)
        self.open = open?[...]
        isTally = capacities.last?.capacity == nil
        openLength = Self.length(of: self.open, time, segmentEnd)
    }

    /// Begins at a reset or at the start of the range. `end` is the next reset or the end of the range.
    mutating func begin(_ segment: HistorySegment, until end: Timestamp) {
        segmentEnd = min(end, range.end).microseconds
        level = segment.level
        // A reset at the very first moment, such as the automatic end of the day before, is before the range.
        if openingLevel == nil || !hasCounted && segment.begin <= range.start {
            (openingLevel, highest) = (level, level)
        } else {
            highest = max(highest, level)
        }
    }

    /// Whether the sums of the next minute do not suffice.
    func needsSteps(of minute: MinuteRollup) -> Bool {
        if minute.start < range.start.microseconds || minute.last >= range.end.microseconds { return true }
        let start = max(time, minute.start)
        let atStart = capacityChanges(through: start)
        if atStart.count < capacityChanges(through: minute.end).count { return true }
        let end = min(minute.end, segmentEnd - 1) + 1
        if open != nil, ![0, end - start].contains(Self.length(of: open, start, end)) { return true }
        let isOccupancy = atStart.last.map { $0.capacity != nil } ?? (capacity != nil)
        return isOccupancy && level(after: minute.low) < 0 && level(after: minute.high) > 0
    }

    /// Adds the next minute with entries; `steps` are its single entries, where `needsSteps` asked for them.
    mutating func add(_ minute: MinuteRollup, _ steps: [LevelStep]?) {
        hasCounted = true
        last(until: minute.start)
        take(capacityChanges(through: max(time, minute.start)))
        guard let steps else { return addSums(minute) }
        mark(minute.minute...minute.minute, low: level, high: level)
        for step in steps {
            last(until: step.time)
            take(capacityChanges(through: step.time))
            level = level(after: step.difference)
            mark(minute.minute...minute.minute, low: level, high: level)
        }
    }

    /// Ends the segment: the level lasts until the next reset or the end of the range.
    mutating func end() { last(until: segmentEnd) }

    func conclude(_ kpis: inout KPIs) {
        kpis.openingLevel = openingLevel ?? 0
        kpis.closingLevel = level
        kpis.highestLevel = openingLevel == nil ? 0 : capacity == nil ? highest : max(0, highest)
        kpis.averageOccupancy = !isTally && openLength > 0 ? Double(integral) / Double(openLength) : nil
        kpis.anomalies += overcrowding.windows(in: range).map { .overcrowding($0, highest: $1) }
        kpis.anomalies += drift.windows(in: range).map { .negativeDrift($0, lowest: $1) }
    }
}

extension LevelSweep {
    /// The level after a change. Rows of several journals may lead out of the range of `Int`: there it stays at its end.
    private func level(after change: Int) -> Int { Int(clamping: Int128(level) + Int128(change)) }

    private mutating func addSums(_ minute: MinuteRollup) {
        let end = min(minute.end, segmentEnd - 1) + 1
        let isOpen = open == nil || takeOpen(until: end) > 0
        if isOpen, capacity == nil || level(after: minute.low) >= 0 {
            let inside = Int128(minute.net) * Int128(end - minute.start) - Int128(minute.offsetSum)
            integral += Int128(level) * Int128(end - time) + inside
        }
        mark(minute.minute...minute.minute, low: level(after: minute.low), high: level(after: minute.high))
        level = level(after: minute.net)
        time = end
    }

    /// Lets the level last until `end`; each capacity applies from the time for which it was set.
    private mutating func last(until end: Int64) {
        guard end > time else { return }
        for change in capacityChanges(through: end - 1) {
            stay(until: change.since.microseconds)
            take([change])
        }
        stay(until: end)
    }

    private mutating func stay(until end: Int64) {
        guard end > time else { return }
        integral += Int128(capacity == nil ? level : max(0, level)) * Int128(takeOpen(until: end))
        mark(MinuteRollup.minute(of: time)...MinuteRollup.minute(of: end - 1), low: level, high: level)
        time = end
    }

    /// How long the location is open from `time` to `end`.
    private mutating func takeOpen(until end: Int64) -> Int64 {
        let length = Self.length(of: open, time, end)
        while let first = open?.first, first.upperBound.microseconds <= end { open?.removeFirst() }
        return length
    }

    private static func length(of open: ArraySlice<Range<Timestamp>>?, _ from: Int64, _ to: Int64) -> Int64 {
        guard let open else { return max(0, to - from) }
        return open.prefix { $0.lowerBound.microseconds < to }.reduce(0) { length, opening in
            let end = min(opening.upperBound.microseconds, to)
            return length + max(0, end - max(opening.lowerBound.microseconds, from))
        }
    }

    private func capacityChanges(through time: Int64) -> ArraySlice<CapacityChange> {
        capacities[nextCapacity...].prefix { $0.since.microseconds <= time }
    }

    private mutating func take(_ changes: some BidirectionalCollection<CapacityChange>) {
        capacity = changes.last?.capacity ?? (changes.isEmpty ? capacity : nil)
        nextCapacity += changes.count
    }

    private mutating func mark(_ minutes: ClosedRange<Int64>, low: Int, high: Int) {
        highest = max(highest, high)
        guard let capacity else { return }
        if OccupancyStatus.isOvercrowded(count: high, capacity: capacity) {
            overcrowding.mark(minutes, extreme: high, by: max)
        }
        if low < 0 { drift.mark(minutes, extreme: low, by: min) }
    }
}

/// Ranges of consecutive minutes that have a property.
private struct MinuteWindows {
    private var runs: [(minutes: ClosedRange<Int64>, extreme: Int)] = []

    /// Adds minutes; none of them may be before a minute already added.
    mutating func mark(_ minutes: ClosedRange<Int64>, extreme: Int, by worse: (Int, Int) -> Int) {
        guard let run = runs.last, minutes.lowerBound <= run.minutes.upperBound + 1 else {
            runs.append((minutes, extreme))
            return
        }
        let end = max(run.minutes.upperBound, minutes.upperBound)
        runs[runs.count - 1] = (run.minutes.lowerBound...end, worse(run.extreme, extreme))
    }

    func windows(in range: Range<Timestamp>) -> [(Range<Timestamp>, Int)] {
        runs.map { run in
            let start = MinuteRollup(minute: run.minutes.lowerBound).start
            let end = MinuteRollup(minute: run.minutes.upperBound + 1).start
            return (
                (Timestamp(microseconds: start)..<Timestamp(microseconds: end)).clamped(to: range),
                run.extreme
            )
        }
    }
}
