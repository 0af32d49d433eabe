import CounterModel
import Testing

@testable import CounterStore

@Suite struct UndoTests {
    let directory = TemporaryDirectory()

    /// (what is appended, the levels after each undo until nothing is left)
    @Test(
        arguments: [
            ([Ask.count(), Ask.count(), Ask.count(.out)], [2, 1, 0]),
            ([Ask.count(), Ask.reset(5), Ask.count()], [5, 1, 0]),
            ([Ask.count(), Ask.count(continues: true), Ask.count(continues: true)], [0]),
            ([Ask.count(), Ask.count(), Ask.count(continues: true)], [1, 0]),
            // Another device counts in between.
            ([Ask.count(), Ask.count(device: "b"), Ask.count(continues: true)], [1, 0]),
            // A reset in the middle of a hold: each undo shows an earlier number.
            ([Ask.count(), Ask.count(continues: true), Ask.reset(), Ask.count(continues: true)], [0, 2, 0]),
            // The first count of a hold was voided by a gesture: the count before it belongs to another press.
            ([Ask.count(), Ask.count(), Ask.void(2), Ask.count(continues: true)], [1, 0]),
            // A repeat in the middle was voided.
            ([Ask.count(), Ask.count(continues: true), Ask.void(2), Ask.count(continues: true)], [0]),
            // A reset that was undone does not divide a hold.
            ([Ask.count(), Ask.reset(9), Ask.undo(), Ask.count(continues: true)], [0]),
        ] as [([Request], [Int])])
    func goesBackAsFarAsOneLikes(requests: [Request], levels: [Int]) throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.append(requests, receivedAt: Timestamp(microseconds: 2_000))
        for level in levels {
            try journal.ask(Ask.undo())
            #expect(try journal.level() == level)
        }
        #expect(try journal.ask(Ask.undo()) == [.nothingToUndo(since: nil)])
        #expect(try journal.summary() == "")
        #expect(try journal.verify() == [])
    }

    @Test func tellsWhatWasUndone() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count(.out), Ask.count(.out, continues: true), Ask.reset(6))
        #expect(
            try journal.ask(Ask.undo(), Ask.undo()) == [
                .undone(Position(4), Undone(.reset(value: 6), at: Timestamp(microseconds: 1_000))),
                .undone(
                    Position(6), Undone(.entries(type: .out, count: 2), at: Timestamp(microseconds: 1_000))),
            ])
    }

    @Test func aHoldEndsWhereItsDeviceCountedElsewhere() throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count(), Ask.count("door"), Ask.count(continues: true))
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 1)
    }

    @Test func undoesOnlyItsLocation() throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count("door"), Ask.count(), Ask.undo("door"))
        #expect(try journal.level("door") == 0)
        #expect(try journal.level() == 1)
    }

    @Test func anUndoStopsAtTheEndOfADay() throws {
        let journal = try SQLiteJournal(in: directory)
        let end = Timestamp(microseconds: 1_500)
        try journal.ask(Ask.entries(9), Ask.endOfDay(at: end.microseconds), Ask.count(at: 2_000))
        #expect(try journal.ask(Ask.undo()).map(\.isAccepted) == [true])
        #expect(
            try journal.ask(Ask.undo(), Ask.undo()) == Array(repeating: .nothingToUndo(since: end), count: 2))
        #expect(try journal.level() == 0)
        #expect(try journal.endedDays(of: "default").map(\.id) == [Position(10)])
        // Whoever takes the end back may go further.
        #expect(
            try journal.ask(Ask.void(10), Ask.undo(), Ask.undo()) == [
                .accepted(Position(13)),
                .undone(
                    Position(22), Undone(.entries(type: .in, count: 9), at: Timestamp(microseconds: 1_000))),
                .nothingToUndo(since: nil),
            ])
        #expect(try journal.verify() == [])
    }

    @Test func theEndOfADayOfAnotherLocationStopsNothing() throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count(), Ask.endOfDay(at: 2_000, "door"), Ask.undo())
        #expect(try journal.level() == 0)
    }

    @Test func aSettingIsNeverTakenBack() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.setting(.capacity(3)))
        #expect(try journal.ask(Ask.undo()) == [.nothingToUndo(since: nil)])
        #expect(try journal.location(named: "default")?.maxCapacity == 3)
    }

    @Test func aVoidEntryCannotBeVoidedAgain() throws {
        let journal = try SQLiteJournal(in: directory)
        #expect(
            try journal.ask(Ask.count(), Ask.void(1), Ask.void(1), Ask.void(77), Ask.void(2)) == [
                .accepted(Position(1)), .accepted(Position(2)), .nothingToVoid, .nothingToVoid,
                .nothingToVoid,
            ])
        #expect(try journal.level() == 0)
        #expect(try journal.ask(Ask.undo()) == [.nothingToUndo(since: nil)])
    }

    @Test func aVoidNamesItsLocation() throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        #expect(try journal.ask(Ask.count(), Ask.void(1, "door")).last == .nothingToVoid)
        #expect(try journal.level() == 1)
    }

    @Test func aVoidOfSomethingOlderThanAResetLeavesTodaysLevel() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count(), Ask.count(), Ask.reset(), Ask.count(), Ask.void(1))
        #expect(try journal.level() == 1)
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 0)
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 1)
    }

    @Test func aChordLeavesNoPhantomCount() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count(), Ask.count())
        try journal.ask(Ask.void(2), Ask.reset())
        #expect(try journal.level() == 0)
        #expect(try journal.summary() == "+ =0")
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 1)
    }
}
