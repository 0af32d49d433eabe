import CounterModel
import Testing

@testable import CounterStore

@Suite final class UndoTests: NewJournal {
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
        try journal.ask(Ask.count(.out), Ask.count(.out, continues: true), Ask.reset(6))
        #expect(
            try journal.ask(Ask.undo(), Ask.undo()) == [
                .undone(Position(4), Undone(.reset(value: 6), at: Timestamp(microseconds: 1_000))),
                .undone(
                    Position(6), Undone(.entries(type: .out, count: 2), at: Timestamp(microseconds: 1_000))),
            ])
    }

    @Test func aHoldEndsWhereItsDeviceCountedElsewhere() throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count(), Ask.count("door"), Ask.count(continues: true))
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 1)
    }

    @Test func anUndoStopsAtTheEndOfADay() throws {
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

    @Test func aSettingIsNeverTakenBack() throws {
        try journal.ask(Ask.setting(.capacity(3)))
        #expect(try journal.ask(Ask.undo()) == [.nothingToUndo(since: nil)])
        #expect(try journal.location(named: "default")?.maxCapacity == 3)
    }
}

/// A press that counts several: its rows are one change.
@Suite final class StepTests: NewJournal {
    @Test func `An undo takes a press back with all its rows, and a hold with all its presses`() throws {
        try journal.ask(
            Ask.press(times: 10), Ask.press(.out, times: 3), Ask.press(times: 10),
            Ask.press(times: 10, continues: true), Ask.press(times: 10, continues: true))
        #expect(try journal.level() == 37)
        for level in [7, 10, 0] {
            try journal.ask(Ask.undo())
            #expect(try journal.level() == level)
        }
        #expect(try journal.ask(Ask.undo()) == [.nothingToUndo(since: nil)])
        #expect(try journal.verify() == [])
    }

    @Test func `Where one row would not fit, none is counted, and none is voided`() throws {
        try journal.ask(Ask.press(.out, times: 5), Ask.reset(Int.max - 3))
        #expect(try journal.ask(Ask.press(times: 4)) == [.refused(.overflow)])
        #expect(try journal.level() == Int.max - 3)
        try journal.ask(Ask.press(times: 3))
        // Without the reset the five counts out are part of the level again.
        try journal.ask(
            Ask.reset(Int.max - 2), Ask.press(.out, times: 3), Ask.count(), Ask.count(), Ask.count())
        #expect(try journal.level() == Int.max - 2)
        try journal.ask(Ask.count())
        #expect(try journal.ask(Ask.void(11...13)) == [.refused(.overflow)])
        #expect(try journal.level() == Int.max - 1)
        #expect(try journal.verify() == [])
    }

    @Test func `The state knows its target and the reset since which it counts`() throws {
        try journal.ask(Ask.setting(.target(50)), Ask.count())
        var state = try #require(try journal.state(of: "default"))
        #expect((state.target, state.leftToTarget, state.lastReset) == (50, 49, .start))
        try journal.ask(Ask.reset(), Ask.setting(.target(nil)))
        state = try #require(try journal.state(of: "default"))
        #expect((state.target, state.leftToTarget, state.lastReset) == (nil, nil, Position(3)))
        try journal.ask(Ask.undo())
        #expect(try journal.state(of: "default")?.lastReset == .start)
    }
}
