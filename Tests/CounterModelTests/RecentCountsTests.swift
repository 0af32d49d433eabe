import Testing

@testable import CounterModel

@Suite struct RecentCountsTests {
    private func at(_ position: Int64) -> ClosedRange<Position> { Position(position)...Position(position) }

    @Test func forgetsTheOldestBeyondItsCapacity() {
        var counts = RecentCounts(capacity: 3)
        for token in UInt64(1)...5 {
            counts.insert(.init(positions: at(Int64(token) * 10), locationId: "a"), for: token)
        }
        #expect(counts.remove(1) == nil)
        #expect(counts.remove(2) == nil)
        #expect(counts.remove(3)?.positions == at(30))
        #expect(counts.remove(5)?.positions == at(50))
    }

    @Test func aCountIsTakenOnce() {
        var counts = RecentCounts(capacity: 3)
        counts.insert(.init(positions: at(1), locationId: "a"), for: 7)
        #expect(counts.remove(7) != nil)
        #expect(counts.remove(7) == nil)
    }
}
