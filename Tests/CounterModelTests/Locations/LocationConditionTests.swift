import CounterModel
import Testing

@Suite struct LocationConditionTests {
    private func state(_ level: Int, of capacity: Int? = 10) -> CounterState {
        CounterState(
            locationId: "hall", level: level, maxCapacity: capacity, lastUpdated: nil, lastEventAt: nil,
            position: .start)
    }

    @Test(arguments: [
        (7, 8, [LocationCondition.change, .warning]), (8, 9, [.change]), (9, 10, [.change, .full]),
        (10, 11, [.change]), (11, 12, [.change, .overcrowded]), (12, 11, [.change]),
        (10, 9, [.change, .warning]),
        (8, 7, [.change, .ok]), (0, 20, [.change, .full, .overcrowded]), (0, -1, [.negativeDrift]),
        (-1, -2, []),
        (-1, 0, []), (5, 5, []),
    ])
    func `A condition is met when it begins to apply`(before: Int, after: Int, expected: [LocationCondition])
    {
        #expect(state(after).conditions(since: state(before)) == expected)
    }

    @Test func `A tally only changes, and a capacity alone makes nothing ok`() {
        #expect(state(3, of: nil).conditions(since: state(-2, of: nil)) == [.change])
        #expect(state(3).conditions(since: state(3, of: nil)) == [])
        #expect(state(10).conditions(since: state(10, of: nil)) == [.full])
        #expect(state(10, of: nil).conditions(since: state(10)) == [])
    }
}
