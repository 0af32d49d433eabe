import CounterModel
import Testing

/// The state of a location, computed from its level.
@Suite struct CounterStateTests {
    private func state(_ level: Int, of capacity: Int?) -> CounterState {
        CounterState(
            locationId: "hall", level: level, maxCapacity: capacity, lastUpdated: nil, lastEventAt: nil,
            position: .start)
    }

    @Test(arguments: [
        (-1, 0, 5, 0, true), (0, 0, 5, 0, false), (1, 1, 4, 20, false), (5, 5, 0, 100, false),
        (7, 7, 0, 140, false),
    ])
    func `An occupancy shows no less than nobody, and no fewer places than none`(
        level: Int, count: Int, left: Int, percentage: Int, drifts: Bool
    ) {
        let state = state(level, of: 5)
        #expect(state.currentCount == count)
        #expect(state.placesLeft == left)
        #expect(state.percentage == percentage)
        #expect(state.hasNegativeDrift == drifts)
    }

    @Test func `A tally is its level, and nothing of it is odd`() {
        let state = state(-3, of: nil)
        #expect(state.currentCount == -3)
        #expect(state.placesLeft == nil && state.percentage == nil && state.status == nil)
        #expect(!state.hasNegativeDrift && !state.isOvercrowded)
    }
}
