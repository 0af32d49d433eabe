import CounterModel
import Testing

/// The state of a location, computed from its level.
@Suite struct CounterStateTests {
    private static func state(
        _ level: Int, of capacity: Int? = nil, target: Int? = nil, since reset: Int64 = 0
    ) -> CounterState {
        CounterState(
            locationId: "hall", level: level, maxCapacity: capacity, target: target,
            lastReset: Position(reset))
    }

    @Test(arguments: [
        (-1, 0, 5, 0, true), (0, 0, 5, 0, false), (1, 1, 4, 20, false), (5, 5, 0, 100, false),
        (7, 7, 0, 140, false),
    ])
    func `An occupancy shows no less than nobody, and no fewer places than none`(
        level: Int, count: Int, left: Int, percentage: Int, drifts: Bool
    ) {
        let state = Self.state(level, of: 5)
        #expect(state.currentCount == count)
        #expect(state.placesLeft == left)
        #expect(state.percentage == percentage)
        #expect(state.hasNegativeDrift == drifts)
    }

    @Test func `A tally is its level, and nothing of it is odd`() {
        let state = Self.state(-3)
        #expect(state.currentCount == -3)
        #expect(state.placesLeft == nil && state.percentage == nil && state.status == nil)
        #expect(!state.hasNegativeDrift && !state.isOvercrowded)
    }

    // MARK: Status and conditions

    @Test(arguments: [
        (-5, 1, OccupancyStatus.ok), (0, 1, .ok), (1, 1, .full), (3, 4, .ok), (79, 100, .ok),
        (80, 100, .warning), (99, 100, .warning), (100, 100, .full), (101, 100, .full),
        (Int.max - 1, Int.max, .warning), (.max, .max, .full), (.min, .max, .ok),
    ])
    func `Each share has one status`(count: Int, capacity: Int, status: OccupancyStatus) {
        #expect(OccupancyStatus(count: count, capacity: capacity) == status)
    }

    @Test(arguments: [
        (110, 100, false), (111, 100, true), (11, 10, false), (12, 10, true), (1, 1, false), (2, 1, true),
        (Int.max, Int.max, false), (.max, .max / 2, true),
    ])
    func `A place is overcrowded above 110 per cent`(count: Int, capacity: Int, isOvercrowded: Bool) {
        #expect(OccupancyStatus.isOvercrowded(count: count, capacity: capacity) == isOvercrowded)
    }

    @Test(arguments: [
        (7, 8, [LocationCondition.change, .warning]), (8, 9, [.change]), (9, 10, [.change, .full]),
        (10, 11, [.change]), (11, 12, [.change, .overcrowded]), (12, 11, [.change]),
        (10, 9, [.change, .warning]), (8, 7, [.change, .ok]), (0, 20, [.change, .full, .overcrowded]),
        (0, -1, [.negativeDrift]), (-1, -2, []), (-1, 0, []), (5, 5, []),
    ])
    func `A condition is met when it begins to apply`(before: Int, after: Int, expected: [LocationCondition])
    {
        #expect(Self.state(after, of: 10).conditions(since: Self.state(before, of: 10)) == expected)
    }

    @Test func `A tally only changes, and a capacity alone makes nothing ok`() {
        #expect(Self.state(3).conditions(since: Self.state(-2)) == [.change])
        #expect(Self.state(3, of: 10).conditions(since: Self.state(3)) == [])
        #expect(Self.state(10, of: 10).conditions(since: Self.state(10)) == [.full])
        #expect(Self.state(10).conditions(since: Self.state(10, of: 10)) == [])
    }

    // MARK: Targets

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
    func `A target is announced once, and again after a reset`(
        states: [(Int, Int?, Int64)], announced: String
    ) throws {
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
    func `What is left to a target`(level: Int, target: Int, capacity: Int?, left: Int) {
        #expect(Self.state(level, of: capacity, target: target).leftToTarget == left)
        #expect(Self.state(level).leftToTarget == nil)
    }
}
