import CounterModel
import Testing

@testable import CounterStore

/// A press that counts several: its rows are one change.
@Suite struct StepTests {
    let directory = TemporaryDirectory()

    @Test func `An undo takes a press back with all its rows, and a hold with all its presses`() throws {
        let journal = try SQLiteJournal(in: directory)
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

    @Test func `A gesture voids what is left of a press`() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.press(times: 4), Ask.count(), Ask.void(2))
        #expect(try journal.ask(Ask.void(1...4)).map(\.isAccepted) == [true])
        #expect(try journal.level() == 1)
        #expect(try journal.ask(Ask.void(1...4)) == [.nothingToVoid])
        #expect(try journal.verify() == [])
    }

    @Test func `Where one row would not fit, none is counted, and none is voided`() throws {
        let journal = try SQLiteJournal(in: directory)
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
        let journal = try SQLiteJournal(in: directory)
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
