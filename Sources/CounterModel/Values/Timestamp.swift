/// A moment of wall-clock time, in microseconds since 1970-01-01 00:00:00 UTC.
///
/// The model never reads a clock: callers pass every timestamp in.
package struct Timestamp: Comparable, Hashable, Codable, Sendable {
    /// Microseconds since 1970-01-01 00:00:00 UTC; negative before it. Any `Int64`.
    package let microseconds: Int64

    /// Creates a timestamp.
    ///
    /// - parameter microseconds: Microseconds since 1970-01-01 00:00:00 UTC, any `Int64`.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Creates a timestamp of a whole second.
    ///
    /// - parameter seconds: Seconds since 1970-01-01 00:00:00 UTC. Values beyond some 292,000 years become the earliest or
    ///   latest timestamp.
    package init(seconds: Int) {
        let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: Self.second)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01 00:00:00 UTC, rounded down.
    package var seconds: Int {
        Int(microseconds.flooredQuotientAndRemainder(dividingBy: Self.second).quotient)
    }

    /// Microseconds since the last whole second, 0...999,999.
    package var fraction: Int {
        Int(microseconds.flooredQuotientAndRemainder(dividingBy: Self.second).remainder)
    }

    /// The times that a journal accepts: the years 0000 to 9999 in UTC, which ISO 8601 writes with four digits.
    package static let journalTimes =
        Timestamp(seconds: -62_167_219_200)...Timestamp(microseconds: 253_402_300_799_999_999)

    /// In microseconds.
    private static let second: Int64 = 1_000_000

    /// Whether a moment is earlier than another one.
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The time at which an event counts: its own, but never later than it was received.
    ///
    /// - parameter receivedAt: When this machine received it.
    /// - returns: `self`, or `receivedAt` where the sender's clock is ahead.
    package func counted(receivedAt: Timestamp) -> Timestamp { min(self, receivedAt) }
}

extension Timestamp {
    /// The start of the UTC minute that it is in.
    package var startOfMinute: Timestamp {
        let rest = microseconds.flooredQuotientAndRemainder(dividingBy: 60 * Self.second).remainder
        let (start, overflow) = microseconds.subtractingReportingOverflow(rest)
        return Timestamp(microseconds: overflow ? .min : start)
    }
}
