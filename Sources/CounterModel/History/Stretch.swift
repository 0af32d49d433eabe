/// A part of a location's history between two resets, from some moment on.
public struct Stretch: Hashable, Sendable {
    /// The reset that began it; `.start` before the first.
    public let reset: Position
    /// The moment: nothing in it counts earlier.
    public let begin: Timestamp
    /// The level at that moment, before what happened at it.
    public let level: Int
    /// What happened from then on, in the order of time; minutes without an entry are left out.
    public let minutes: [MinuteRollup]

    /// Creates a stretch.
    public init(reset: Position, begin: Timestamp, level: Int, minutes: [MinuteRollup]) {
        self.reset = reset
        self.begin = begin
        self.level = level
        self.minutes = minutes
    }
}

/// One entry as it counts in a minute.
public struct LevelStep: Hashable, Sendable {
    /// When it counts, in microseconds since 1970-01-01 UTC.
    public let time: Int64
    /// In or out.
    public let type: EntryType
    /// Whether somebody counted it by hand.
    public let isManual: Bool
    /// Whether it says that it happened before the reset that it comes after.
    public let isEarly: Bool

    /// Creates a step.
    public init(time: Int64, type: EntryType, isManual: Bool, isEarly: Bool) {
        self.time = time
        self.type = type
        self.isManual = isManual
        self.isEarly = isEarly
    }
}

/// How many a location holds from a time on.
public struct CapacityChange: Hashable, Sendable {
    /// From when.
    public let since: Timestamp
    /// 1 or more; nil for a tally.
    public let capacity: Int?

    /// Creates a change.
    public init(since: Timestamp, capacity: Int?) {
        self.since = since
        self.capacity = capacity
    }
}
