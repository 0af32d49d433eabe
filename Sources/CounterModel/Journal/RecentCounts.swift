import Linux

/// The positions of the most recent counts, by their tokens.
///
/// A gesture takes back counts of one hold at most, so a fixed number is enough: beyond `capacity`, each new count replaces
/// the oldest.
struct RecentCounts {
    struct Count {
        /// The positions of its entries: as many as a press counts.
        let positions: ClosedRange<Position>
        let locationId: Identifier

        var isOne: Bool { positions.lowerBound == positions.upperBound }
    }

    private let capacity: Int
    private var counts: [UInt64: Count] = [:]
    private var ring: [UInt64] = []
    private var oldest = 0

    init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    mutating func insert(_ count: Count, for token: UInt64) {
        counts[token] = count
        guard ring.count == capacity else {
            ring.append(token)
            return
        }
        counts[ring[oldest]] = nil
        ring[oldest] = token
        oldest = (oldest + 1) % capacity
    }

    /// Returns and removes the count of a token.
    mutating func remove(_ token: UInt64) -> Count? {
        counts.removeValue(forKey: token)
    }
}
