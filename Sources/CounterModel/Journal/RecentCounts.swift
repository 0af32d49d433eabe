/// Where the most recent counts are stored, by the tokens they can be taken back by.
///
/// A gesture takes back what is at most one hold old, so a fixed number of counts is enough: the oldest is
/// forgotten for each one beyond `capacity`.
struct RecentCounts {
    struct Count {
        let position: Position
        let locationId: String
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

    /// Returns what a token stands for and forgets it.
    mutating func remove(_ token: UInt64) -> Count? {
        counts.removeValue(forKey: token)
    }
}
