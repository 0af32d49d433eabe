import CounterModel
import Linux
import Testing

@testable import CounterStore

@Suite final class AppendTests: NewJournal {
    @Test func aNewJournalHasTheDefaultLocationAtZero() throws {
        #expect(
            try journal.locations() == [Location(id: "default", name: "default", timezone: "UTC")])
        #expect(try journal.state(of: "default") == CounterState(locationId: "default", level: 0))
        #expect(try journal.state(of: "nowhere") == nil)
    }

    @Test func theStateTellsTheLastChange() throws {
        try journal.ask(Ask.count(at: 100), Ask.reset(7, at: 200))
        let afterReset = try #require(try journal.state(of: "default"))
        #expect(afterReset.lastUpdated == Timestamp(microseconds: 200))
        #expect(afterReset.lastEventAt == Timestamp(microseconds: 100))
        #expect(afterReset.position == Position(2))
        try journal.ask(Ask.undo(at: 300))
        let afterUndo = try #require(try journal.state(of: "default"))
        #expect(afterUndo.lastUpdated == Timestamp(microseconds: 300))
        #expect(afterUndo.level == 1)
    }

    @Test func aRefusedRequestDoesNotStopTheOthers() throws {
        let outcomes = try journal.ask(Ask.count(), Ask.count("nowhere"), Ask.count())
        #expect(
            outcomes == [.accepted(Position(1)), .refused(.unknownLocation), .accepted(Position(2))])
        #expect(try journal.level() == 2)
    }

    @Test func aLocationIsAddedWithItsSettings() throws {
        var door = Location(
            id: "door", name: "Front door", timezone: "Asia/Kathmandu", maxCapacity: 50, dayStart: 4,
            admitsOverFull: true, isHidden: true)
        #expect(try journal.add(door, userId: "ada", at: Timestamp(microseconds: 7)))
        #expect(try journal.locations().last == door)
        #expect(try journal.state(of: "door")?.maxCapacity == 50)
        #expect(try journal.verify().isEmpty)
        door.maxCapacity = 60
        #expect(try !journal.add(door))
        #expect(try journal.state(of: "door")?.maxCapacity == 50)

        let who = try journal.history(of: "door").map { row -> String? in
            if case .setting = row.row.content { row.row.userId } else { nil }
        }
        #expect(who == ["ada", "ada", "ada", "ada"])
    }

    @Test func rowsKeepWhatWasAsked() throws {
        let entry = Entry(
            .out, deviceId: "usb:1", source: .manual, sequenceNumber: 12, continuesHold: true)
        let time = Timestamp(microseconds: 123_456)
        let received = Timestamp(microseconds: 200_000)
        let requests = [
            Request(locationId: "default", userId: "ada", timestamp: time, .entry(entry)),
            Request(
                locationId: "default", userId: "bob", timestamp: time, .reset(Reset(to: 3, deviceId: "usb:1"))
            ),
        ]
        _ = try journal.append(requests, receivedAt: received)
        var rows: [JournalRow] = []
        try journal.forEachRow { rows.append($0) }
        #expect(
            rows == [
                JournalRow(
                    id: Position(1), locationId: "default", userId: "ada", timestamp: time,
                    receivedAt: received, .entry(entry)),
                JournalRow(
                    id: Position(2), locationId: "default", userId: "bob", timestamp: time,
                    receivedAt: received, orderedAt: Timestamp(microseconds: 123_457),
                    .reset(Reset(to: 3, deviceId: "usb:1", levelBefore: -1))),
            ])
    }
}

extension Ask {
    static func count(_ location: Identifier) -> Request {
        count(.in, at: 1_000, location)
    }
}
