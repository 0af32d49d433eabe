import CounterModel

/// The last change of a location, and its count rate.
struct RecentChanges {
    enum Kind: Hashable {
        case up, down, corrected, reset, undone
    }

    private(set) var last: (kind: Kind, at: Timestamp)?
    private var counts: [Timestamp] = []
    private static let window: Int64 = 60_000_000

    /// Counts in the minute before the last change; `nil` before the first. It does not change at rest.
    var perMinute: Int? { counts.isEmpty ? nil : counts.count }

    /// Notes a change that is stored.
    mutating func note(_ kind: Kind, at time: Timestamp) {
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
