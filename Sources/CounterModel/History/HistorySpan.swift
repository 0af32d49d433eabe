/// A part of a location's history without a reset, from a given time on.
package struct HistorySpan: Hashable, Sendable {
    /// The reset before it; `.start` where there is none.
    package let reset: Position
    /// Its start: none of its entries counts earlier.
    package let begin: Timestamp
    /// The level at the start, before entries at that very time.
    package let level: Int
    /// The minutes from then on, in order of time; minutes without entries are left out.
    package let minutes: [MinuteRollup]

    /// Creates a span.
    package init(reset: Position, begin: Timestamp, level: Int, minutes: [MinuteRollup]) {
        self.reset = reset
        self.begin = begin
        self.level = level
        self.minutes = minutes
    }
}

/// One entry or correction of a minute.
package struct LevelStep: Hashable, Sendable {
    /// When it counts, in microseconds since 1970-01-01 UTC.
    package let time: Int64
    /// By how much it moves the level: 1 or -1 for an entry, not 0 for a correction.
    package let difference: Int
    /// Whether it is a correction.
    package let isCorrection: Bool
    /// Whether its time is before the reset that precedes it in the journal.
    package let isEarly: Bool

    /// Creates a step.
    package init(time: Int64, difference: Int, isCorrection: Bool, isEarly: Bool) {
        self.time = time
        self.difference = difference
        self.isCorrection = isCorrection
        self.isEarly = isEarly
    }
}

/// The capacity of a location from a time on.
package struct CapacityChange: Hashable, Sendable {
    /// The time from which it applies.
    package let since: Timestamp
    /// 1 or more; nil for a tally.
    package let capacity: Int?

    /// Creates a change.
    package init(since: Timestamp, capacity: Int?) {
        self.since = since
        self.capacity = capacity
    }
}
