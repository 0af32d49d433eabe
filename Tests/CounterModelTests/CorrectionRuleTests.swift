import CounterModel
import Testing

/// How many manual entries an occupancy accepts.
@Suite struct CorrectionRuleTests {
    private func place(_ capacity: Int?, admitsOverFull: Bool = false) -> Location {
        Location(
            id: "hall", name: "Hall", timezone: "UTC", maxCapacity: capacity, admitsOverFull: admitsOverFull)
    }

    @Test(arguments: [
        (7, 3, nil), (7, 4, Refusal.full(room: 3)), (10, 1, .full(room: 0)), (12, 1, .full(room: 0)),
        (-2, 12, nil), (-2, 13, .full(room: 12)), (.min, .max, nil),
    ])
    func `As many come in as there is room for`(level: Int, count: Int, refusal: Refusal?) {
        #expect(CorrectionRule.refusal(of: count, .in, at: level, of: place(10)) == refusal)
    }

    @Test(arguments: [
        (3, 3, nil), (3, 4, Refusal.empty(inside: 3)), (0, 1, .empty(inside: 0)), (-1, 1, .empty(inside: 0)),
    ])
    func `Nobody leaves an occupancy who is not inside`(level: Int, count: Int, refusal: Refusal?) {
        #expect(CorrectionRule.refusal(of: count, .out, at: level, of: place(10)) == refusal)
        #expect(CorrectionRule.refusal(of: count, .out, at: level, of: place(nil)) == nil)
    }

    @Test func `A place that may be over full, and a tally, are bounded by numbers only`() {
        #expect(CorrectionRule.refusal(of: 100, .in, at: 10, of: place(10, admitsOverFull: true)) == nil)
        for place in [place(nil), place(10, admitsOverFull: true)] {
            #expect(CorrectionRule.refusal(of: 2, .in, at: .max - 1, of: place) == .overflow)
            #expect(CorrectionRule.refusal(of: 1, .in, at: .max - 1, of: place) == nil)
        }
        #expect(CorrectionRule.refusal(of: 2, .out, at: .min + 1, of: place(nil)) == .overflow)
    }
}
