public import CounterModel

/// The last change of a location, and its count rate.
public struct RecentChanges: Sendable {
    /// What a change did; the raw value is its text.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// One more.
        case up = "+1"
        /// One less.
        case down = "-1"
        /// The level was corrected.
        case corrected
        /// An absolute value was set.
        case reset
        /// The change before was voided.
        case undone
    }

    private static let window: Int64 = 60_000_000

    /// The last change and its time; nil before the first.
    public private(set) var last: (kind: Kind, at: Timestamp)?
    private var counts: [Timestamp] = []

    /// Before any change.
    public init() {}

    /// Counts in the minute before the last change; nil before the first. It does not change at rest.
    public var perMinute: Int? { counts.isEmpty ? nil : counts.count }

    /// Notes a change that is stored.
    public mutating func note(_ kind: Kind, at time: Timestamp) {
        last = (kind, time)
        switch kind {
        case .up, .down: counts.append(time)
        case .corrected: break
        case .reset: counts = []
        case .undone: _ = counts.popLast()
        }
        counts.removeAll { $0.microseconds <= time.microseconds - Self.window }
    }
}
