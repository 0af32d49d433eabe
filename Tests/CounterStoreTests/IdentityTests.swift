import CounterModel
import Linux
import Testing

@testable import CounterStore

@Suite final class IdentityTests: NewJournal {
    @Test func theSameNumberAndContentIsTheSameEvent() throws {
        let event = Ask.count(at: 5, number: 1)
        #expect(try journal.ask(event, event) == [.accepted(Position(1)), .duplicate(Position(1))])
        #expect(try journal.ask(event) == [.duplicate(Position(1))])
        #expect(try journal.level() == 1)
    }

    /// "ü" as one code point and as two is the same text to Swift and not to SQLite.
    @Test(arguments: [1, 6]) func devicesAndLocationsAreToldApartByTheirBytes(groupSize: Int) throws {
        let names: [Identifier] = ["t\u{FC}r", "tu\u{308}r"]
        for name in names { #expect(try journal.add(Location(id: name, name: name.text, timezone: "UTC"))) }
        let events = (1...3).flatMap { number in
            names.map { Ask.count(at: 5, $0, device: $0, number: number) }
        }
        for start in stride(from: 0, to: events.count, by: groupSize) {
            _ = try journal.append(
                Array(events[start..<start + groupSize]), receivedAt: Timestamp(microseconds: 5))
        }
        for name in names { #expect(try journal.level(name) == 3) }
        for event in events { #expect(try journal.ask(event).first?.isAccepted == false) }
        #expect(try journal.verify() == [])
    }

    @Test func aVoidEventIsStillKnown() throws {
        let event = Ask.count(at: 5, number: 1)
        #expect(try journal.ask(event, Ask.undo(), event).last == .duplicate(Position(1)))
        #expect(try journal.level() == 0)
    }

    @Test func gapsAreAcceptedAndFilledLater() throws {
        let outcomes = try journal.ask(
            Ask.count(at: 1, number: 1), Ask.count(at: 9, number: 9), Ask.count(at: 4, number: 4))
        #expect(outcomes.compactMap(\.position) == [1, 2, 3])
        #expect(try journal.ask(Ask.count(at: 4, number: 4)) == [.duplicate(Position(3))])
    }

    @Test(arguments: [
        Ask.count(.out, at: 5, number: 1), Ask.count(at: 6, number: 1),
        Ask.count(.in, at: 5, "door", number: 1),
    ])
    func otherContentOpensAnEpoch(other: Request) throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count(at: 5, number: 1), Ask.count(at: 5, number: 2))
        #expect(try journal.ask(other) == [.acceptedInNewEpoch(Position(4), epoch: 1)])
        #expect(try journal.ask(other) == [.duplicate(Position(4))])
        #expect(try journal.verify() == [])
    }

    @Test func withoutATimeANumberIsTheSameEventForAnHour() throws {
        func count(at time: Int64, _ number: Int) -> Request {
            Ask.count(at: time * 1_000_000, number: number, order: .atReceipt)
        }
        try journal.ask(count(at: 1, 1), count(at: 2, 2))
        #expect(try journal.ask(count(at: 3_601, 1)) == [.duplicate(Position(1))])
        #expect(try journal.ask(count(at: 3_602, 1)) == [.acceptedInNewEpoch(Position(3), epoch: 1)])
        #expect(try journal.verify() == [])
    }

    @Test func anEpochNumbersItsOwnEvents() throws {
        try journal.ask(Ask.count(at: 1, number: 1), Ask.count(at: 2, number: 2))
        let outcomes = try journal.ask(
            Ask.count(at: 11, number: 1), Ask.count(at: 12, number: 2), Ask.count(at: 13, number: 3),
            Ask.count(at: 2, number: 2), Ask.count(at: 21, number: 1))
        #expect(
            outcomes == [
                .acceptedInNewEpoch(Position(3), epoch: 1), .accepted(Position(4)), .accepted(Position(5)),
                .duplicate(Position(2)), .acceptedInNewEpoch(Position(6), epoch: 2),
            ])
        #expect(try journal.verify() == [])
    }

    @Test func aNumberMayBeAnyInt() throws {
        for number in [Int.max, Int.min, 0, -1] {
            #expect(try journal.ask(Ask.count(number: number)).first?.position != nil)
        }
    }

    @Test func aRefusedEventDoesNotUseItsNumber() throws {
        let event = Ask.count(at: 5_000, number: 1)
        #expect(try journal.ask(Ask.reset(Int.max), event).last == .refused(.overflow))
        #expect(try journal.ask(Ask.reset(), event).last == .accepted(Position(3)))
    }
}
