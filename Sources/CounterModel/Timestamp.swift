/// A moment of wall-clock time, in microseconds since 1970-01-01 00:00:00 UTC.
///
/// The model never asks a clock: every timestamp comes in from the edge.
public struct Timestamp: Comparable, Hashable, Codable, Sendable {
    /// Microseconds since 1970-01-01 00:00:00 UTC; negative before it. Any `Int64`.
    public let microseconds: Int64

    /// Creates a timestamp.
    ///
    /// - parameter microseconds: Microseconds since 1970-01-01 00:00:00 UTC, any `Int64`.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Whether a moment is earlier than another one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// How far a device's clock may run ahead of ours before it is no longer believed: 5 minutes.
    static let credibleLead: Int64 = 300_000_000

    /// The time at which something counts: its own, unless that lies more than 5 minutes ahead of `receivedAt`.
    ///
    /// - parameter receivedAt: When this machine heard of it.
    /// - returns: `self`, or `receivedAt` where the sender's clock cannot be believed.
    public func counted(receivedAt: Timestamp) -> Timestamp {
        let (limit, overflow) = receivedAt.microseconds.addingReportingOverflow(Timestamp.credibleLead)
        return !overflow && microseconds > limit ? receivedAt : self
    }
}
