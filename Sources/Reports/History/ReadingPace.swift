public import System

/// Keeps a screen from reading the journal all the time, however long the range is: keys are read in between.
public struct ReadingPace {
    /// Reading takes at most one part in so many of the time.
    private static let share = 10

    /// When to read next at the earliest.
    public private(set) var next: MonotonicTime

    /// The first reading may begin at once.
    public init(at now: MonotonicTime) { next = now }

    /// Notes a reading.
    public mutating func note(from start: MonotonicTime, to end: MonotonicTime) {
        next = end + .microseconds((end.microseconds - start.microseconds) * Int64(Self.share))
    }
}
