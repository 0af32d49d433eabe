import CounterModel
import Testing

@Suite struct ReceiptTests {
    private func receipt(_ outcome: Outcome) -> Receipt {
        let request = Request(
            locationId: "hall", userId: nil, timestamp: Timestamp(microseconds: 1),
            change: .reset(NewReset(to: 4)))
        return Receipt(request: request, answer: Answer(outcome, level: 4))
    }

    @Test func `Only what changed a location has a new level there`() {
        #expect(receipt(.accepted(Position(1))).newLevel(of: "hall") == 4)
        #expect(receipt(.accepted(Position(1))).newLevel(of: "door") == nil)
        #expect(receipt(.duplicate(Position(1))).newLevel(of: "hall") == nil)
        #expect(receipt(.refused(.overflow)).newLevel(of: "hall") == nil)
    }
}
