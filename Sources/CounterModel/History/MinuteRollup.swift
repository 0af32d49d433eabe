/// The sums over the entries of one UTC minute, for one location between two of its resets.
///
/// An entry counts at its own time, but never before the reset that precedes it in the journal.
package struct MinuteRollup: Hashable, Sendable {
    /// Microseconds in a minute.
    package static let length: Int64 = 60_000_000

    /// Minutes since 1970-01-01 00:00 UTC, rounded down.
    package let minute: Int64
    package internal(set) var ins = 0, outs = 0
    /// By how much corrections moved the level up and down; neither is negative.
    package internal(set) var correctedUp = 0, correctedDown = 0
    /// The sum of each row's difference times its microseconds after the start of the minute; at most what `Int64` holds.
    package internal(set) var offsetSum: Int64 = 0
    /// The highest and the lowest level relative to the level at the start of the minute, in order of time: 0 or more, 0 or
    /// less.
    package internal(set) var high = 0, low = 0
    /// The latest time of an entry, in microseconds since 1970-01-01 UTC.
    package internal(set) var last: Int64 = .min
    /// How many of its entries have a time before the reset that precedes them in the journal.
    package internal(set) var early = 0

    package static func minute(of time: Int64) -> Int64 {
        time.flooredQuotientAndRemainder(dividingBy: length).quotient
    }

    package init(minute: Int64) { self.minute = minute }

    package init(
        minute: Int64, ins: Int, outs: Int, correctedUp: Int, correctedDown: Int, offsetSum: Int64, high: Int,
        low: Int, last: Int64, early: Int
    ) {
        (self.minute, self.ins, self.outs) = (minute, ins, outs)
        (self.correctedUp, self.correctedDown, self.offsetSum) = (correctedUp, correctedDown, offsetSum)
        (self.high, self.low, self.last, self.early) = (high, low, last, early)
    }

    package init(minute: Int64, of steps: some Sequence<LevelStep>) {
        self.init(minute: minute)
        for step in steps {
            let isInOrder = add(step)
            precondition(isInOrder, "rows of a minute come in order of time")
        }
    }

    package var net: Int { ins - outs + correctedUp - correctedDown }

    package var isEmpty: Bool { ins + outs + correctedUp + correctedDown == 0 }

    /// When it begins, in microseconds since 1970-01-01 UTC.
    package var start: Int64 {
        let (product, overflow) = minute.multipliedReportingOverflow(by: MinuteRollup.length)
        return overflow ? .min : product
    }

    /// Its last microsecond.
    package var end: Int64 {
        let (next, overflow) = (minute + 1).multipliedReportingOverflow(by: MinuteRollup.length)
        return overflow ? .max : next - 1
    }

    /// Adds a row of this minute, in order of time. False where it is earlier than the last one added, or may be before it among rows of
    /// the same time, unless `isLast`: nothing has changed then, and the caller has to compute the minute anew.
    package mutating func add(_ step: LevelStep, isLast: Bool = true) -> Bool {
        guard step.time > last || isLast && step.time == last else { return false }
        switch (step.isCorrection, step.difference > 0) {
        case (false, true): ins += step.difference
        case (false, false): outs -= step.difference
        case (true, true): correctedUp += step.difference
        case (true, false): correctedDown -= step.difference
        }
        let offset = step.time &- minute &* MinuteRollup.length
        offsetSum = Int64(clamping: Int128(offsetSum) + Int128(step.difference) * Int128(offset))
        high = max(high, net)
        low = min(low, net)
        last = step.time
        if step.isEarly { early += 1 }
        return true
    }
}

/// A part of a location's history without a reset, from a given time on.
package struct HistorySegment: Hashable, Sendable {
    /// The reset before it; `.start` where there is none.
    package let reset: Position
    /// Its start: none of its entries counts earlier.
    package let begin: Timestamp
    /// The level at the start, before entries at that very time.
    package let level: Int
    /// The minutes from then on, in order of time; minutes without entries are left out.
    package let minutes: [MinuteRollup]

    package init(reset: Position, begin: Timestamp, level: Int, minutes: [MinuteRollup]) {
        (self.reset, self.begin, self.level, self.minutes) = (reset, begin, level, minutes)
    }
}

/// One entry or correction of a minute.
package struct LevelStep: Hashable, Sendable {
    /// When it counts, in microseconds since 1970-01-01 UTC.
    package let time: Int64
    /// By how much it moves the level: 1 or -1 for an entry, not 0 for a correction.
    package let difference: Int
    package let isCorrection: Bool
    /// Whether its time is before the reset that precedes it in the journal.
    package let isEarly: Bool

    package init(time: Int64, difference: Int, isCorrection: Bool, isEarly: Bool) {
        (self.time, self.difference) = (time, difference)
        (self.isCorrection, self.isEarly) = (isCorrection, isEarly)
    }
}

/// The capacity of a location from a time on.
package struct CapacityChange: Hashable, Sendable {
    package let since: Timestamp
    /// 1 or more; nil for a tally.
    package let capacity: Int?

    package init(since: Timestamp, capacity: Int?) { (self.since, self.capacity) = (since, capacity) }
}
