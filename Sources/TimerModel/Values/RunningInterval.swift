public import CounterModel

/// A stretch of wall-clock time in which a timer ran.
public struct RunningInterval: Hashable, Sendable {
    /// When it began.
    public let from: Timestamp
    /// In microseconds; 0 or more.
    let length: Int64
    /// How long the timer had run before, in microseconds.
    let elapsed: Int64

    /// When it ended. This moment is not in it.
    public var to: Timestamp { from + length }
}

/// A stretch in which a timer counted.
public struct TimerWindow: Hashable, Sendable {
    /// Of which round, from 1.
    public let round: Int
    /// When it began.
    public let from: Timestamp
    /// When it ended. This moment is not in it.
    public let to: Timestamp
}

extension Timestamp {
    /// The time so many microseconds later.
    static func + (time: Timestamp, microseconds: Int64) -> Timestamp {
        let (sum, overflow) = time.microseconds.addingReportingOverflow(microseconds)
        return Timestamp(microseconds: overflow ? (microseconds < 0 ? .min : .max) : sum)
    }

    /// Microseconds from another time to this one.
    static func - (time: Timestamp, other: Timestamp) -> Int64 {
        let (difference, overflow) = time.microseconds.subtractingReportingOverflow(other.microseconds)
        return overflow ? (time < other ? .min : .max) : difference
    }
}
