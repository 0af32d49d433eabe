import CounterModel
import Testing

@Suite struct ReceiptTests {
    private let hall = Location(id: "hall", name: "Hall", timezone: "UTC")

    private func receipt(_ outcome: Outcome, level: Int = 4) -> Receipt {
        let request = Request(
            locationId: "hall", userId: nil, timestamp: Timestamp(microseconds: 1),
            .reset(Reset(to: level)))
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
