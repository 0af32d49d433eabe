import CounterModel
import Testing

/// Which changes by hand fit.
@Suite struct ManualChangeRuleTests {
    private func place(_ capacity: Int?, admitsOverFull: Bool = false) -> Location {
        Location(
            id: "hall", name: "Hall", timezone: "UTC", maxCapacity: capacity, admitsOverFull: admitsOverFull)
    }

    @Test(arguments: [
        (7, 3, nil), (7, 4, Refusal.full(room: 3)), (10, 1, .full(room: 0)), (12, 1, .full(room: 0)),
        (-2, 12, nil), (-2, 13, .full(room: 12)), (.min, .max, nil),
    ])
    func `As many come in as there is room for`(level: Int, count: Int, refusal: Refusal?) {
        #expect(ManualChangeRule.refusal(of: count, at: level, of: place(10)) == refusal)
    }

    @Test(arguments: [
        (3, 3, nil), (3, 4, Refusal.empty(inside: 3)), (0, 1, .empty(inside: 0)), (-1, 1, .empty(inside: 0)),
    ])
    func `Nobody leaves an occupancy who is not inside`(level: Int, count: Int, refusal: Refusal?) {
        #expect(ManualChangeRule.refusal(of: -count, at: level, of: place(10)) == refusal)
        #expect(ManualChangeRule.refusal(of: -count, at: level, of: place(nil)) == nil)
    }

    @Test func `A place that may be over full, and a tally, are bounded by numbers only`() {
        #expect(ManualChangeRule.refusal(of: 100, at: 10, of: place(10, admitsOverFull: true)) == nil)
        for place in [place(nil), place(10, admitsOverFull: true)] {
            #expect(ManualChangeRule.refusal(of: 2, at: .max - 1, of: place) == .overflow)
            #expect(ManualChangeRule.refusal(of: 1, at: .max - 1, of: place) == nil)
        }
        #expect(ManualChangeRule.refusal(of: -2, at: .min + 1, of: place(nil)) == .overflow)
    }
}
