import CounterModel
import Testing

@Suite struct EntryTypeTests {
    @Test(arguments: [(EntryType.in, 1), (.out, -1)])
    func deltaMatchesType(type: EntryType, delta: Int) {
        #expect(type.delta == delta)
        #expect(EntryType(delta: delta) == type)
    }

    @Test func otherDeltasHaveNoType() {
        #expect([0, 2, -2, .max, .min].allSatisfy { EntryType(delta: $0) == nil })
    }
}

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

/// The reason of a refusal, with and without the location's name.
@Suite struct RefusalTests {
    @Test(arguments: [
        (Refusal.full(room: 0), "the location is full", "'Hall' is full"),
        (.full(room: 3), "the location has room for 3 only", "'Hall' has room for 3 only"),
        (.empty(inside: 0), "nobody is inside", "nobody is inside 'Hall'"),
        (.empty(inside: 2), "only 2 are inside", "only 2 are inside 'Hall'"),
        (.overflow, "the count can go no further", "the count can go no further"),
        (.unknownLocation, "the location is gone", "'Hall' is gone"),
    ])
    func `It reads as a clause`(refusal: Refusal, alone: String, named: String) {
        #expect(refusal.reason() == alone)
        #expect(refusal.reason(at: "Hall") == named)
    }
}

@Suite struct ReceiptTests {
    private let hall = Location(id: "hall", name: "Hall", timezone: "UTC")

    private func receipt(_ outcome: Outcome, level: Int = 4) -> Receipt {
        let request = Request(
            locationId: "hall", userId: nil, timestamp: Timestamp(microseconds: 1), .reset(Reset(to: level)))
        return Receipt(request, outcome, level: level)
    }

    @Test func `Only what changed a location has a new count there`() {
        let accepted = receipt(.accepted(Position(1)))
        #expect(accepted.newCount(of: hall) == 4)
        #expect(accepted.newCount(of: Location(id: "door", name: "Door", timezone: "UTC")) == nil)
        #expect(receipt(.duplicate(Position(1))).newCount(of: hall) == nil)
        #expect(receipt(.refused(.overflow)).newCount(of: hall) == nil)
    }

    @Test func `The count of an occupancy is never below 0`() {
        var occupancy = hall
        occupancy.maxCapacity = 5
        #expect(receipt(.accepted(Position(1)), level: -2).newCount(of: hall) == -2)
        #expect(receipt(.accepted(Position(1)), level: -2).newCount(of: occupancy) == 0)
    }
}
