import CounterModel
import Testing

/// When the target of a location is announced.
@Suite struct TargetWatchTests {
    private static func state(_ level: Int, target: Int?, since reset: Int64 = 0, of capacity: Int? = nil)
        -> CounterState
    {
        CounterState(
            locationId: "hall", level: level, maxCapacity: capacity, target: target,
            lastReset: Position(reset), lastUpdated: nil, lastEventAt: nil, position: .start)
    }

    /// (level, target, last reset) from the first, which is where the watch begins; whether each later one is announced.
    @Test(
        arguments: [
            // Once, however often the count comes back to it.
            ([(8, 10, 0), (9, 10, 0), (10, 10, 0), (11, 10, 0), (9, 10, 0), (10, 10, 0)], "--!---"),
            // Past it in one step.
            ([(0, 10, 0), (30, 10, 0)], "-!"),
            // Again after a reset.
            ([(9, 10, 0), (10, 10, 0), (0, 10, 7), (10, 10, 7)], "-!-!"),
            // The reset is undone: it was announced before it.
            ([(9, 10, 0), (10, 10, 0), (0, 10, 7), (10, 10, 0), (11, 10, 0)], "-!---"),
            // Reached before the program started.
            ([(12, 10, 0), (13, 10, 0)], "--"),
            // A new target that is reached already; one that is not.
            ([(12, nil, 0), (12, 10, 0), (13, 10, 0)], "---"),
            ([(12, 10, 0), (12, 15, 0), (15, 15, 0)], "--!"),
            ([(12, 10, 0), (12, nil, 0), (20, nil, 0)], "---"),
        ] as [([(Int, Int?, Int64)], String)])
    func `Once, and again after a reset`(states: [(Int, Int?, Int64)], announced: String) throws {
        let states = states.map { Self.state($0.0, target: $0.1, since: $0.2) }
        var watch = TargetWatch(try #require(states.first))
        let told = "-" + states.dropFirst().map { watch.reaches($0) ? "!" : "-" }.joined()
        #expect(told == announced)
    }

    @Test(
        arguments: [
            (3, 10, nil, 7), (10, 10, nil, 0), (12, 10, nil, 0), (-2, 10, nil, 12), (-2, 10, 50, 10),
            (Int.min, Int.max, nil, Int.max),
        ] as [(Int, Int, Int?, Int)])
    func `What is left`(level: Int, target: Int, capacity: Int?, left: Int) {
        #expect(Self.state(level, target: target, of: capacity).leftToTarget == left)
        #expect(Self.state(level, target: nil).leftToTarget == nil)
    }
}
