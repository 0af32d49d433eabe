package import Linux

/// Keeps a screen from reading the journal all the time, however long the range is: keys are read in between.
package struct ReadingPace {
    /// Reading takes at most one part in so many of the time.
    private static let share = 10

    /// When to read next at the earliest.
    package private(set) var next: MonotonicTime

    /// The first reading may begin at once.
    package init(at now: MonotonicTime) { next = now }

    /// Notes a reading.
    package mutating func note(from start: MonotonicTime, to end: MonotonicTime) {
        next = end + .microseconds((end.microseconds - start.microseconds) * Int64(Self.share))
    }
}
