import CounterModel
import Linux
import Testing

@testable import CounterStore

/// A redo brings back what the undo before it has taken back.
@Suite final class RedoTests: NewJournal {
    @Test(
        arguments: [
            (Ask.count(at: 700), Undone.Change.entries(type: .in, count: 1)),
            (Ask.entries(-3, at: 700), .entries(type: .out, count: 3)),
            (Ask.correction(.to(45), at: 700), .correction(difference: 45)),
            (Ask.reset(7, at: 700), .reset(value: 7)),
        ] as [(Request, Undone.Change)])
    func `Each kind comes back with its time, and can be taken back again`(
        request: Request, change: Undone.Change
    ) throws {
        try journal.ask(request)
        let level = try journal.level()
        for _ in 0..<3 {
            try journal.ask(Ask.undo())
            #expect(try journal.level() == 0)
            let outcome = try #require(try journal.ask(Ask.redo()).first)
            guard case .redone(let last, let redone) = outcome else {
                return #expect(Bool(false), "\(outcome)")
            }
            #expect(redone == Undone(change, at: Timestamp(microseconds: 700)))
            #expect(try journal.level() == level)
            let row = try #require(try journal.feed(after: Position(last.number - 1), limit: 1).first?.row)
            #expect(row.timestamp == Timestamp(microseconds: 700) && row.userId == request.row.userId)
        }
        #expect(try journal.ask(Ask.redo()) == [.nothingToRedo])
        #expect(try journal.verify() == [])
    }

    @Test func `Undos come back one by one, the last first, a hold as a whole`() throws {
        try journal.ask(
            Ask.count(), Ask.count(continues: true), Ask.count(continues: true), Ask.reset(9), Ask.count())
        for level in [9, 3, 0] {
            try journal.ask(Ask.undo())
            #expect(try journal.level() == level)
        }
        for level in [3, 9, 10] {
            try journal.ask(Ask.redo())
            #expect(try journal.level() == level)
        }
        #expect(try journal.ask(Ask.redo()) == [.nothingToRedo])
        #expect(try journal.summary() == "+ + + =9 +")
        try journal.ask(Ask.undo(), Ask.undo(), Ask.undo())
        #expect(try journal.level() == 0)
    }

    @Test(
        arguments: [
            (Ask.count(.out, "door"), false), (Ask.correction(.by(2)), false), (Ask.reset(4), false),
            (Ask.count(device: "stranger"), true), (Ask.entries(2, user: "ben"), true),
            (Ask.setting(.target(50)), true),
            (Ask.count(source: .import, line: ImportLine(fileHash: "file", number: 1)), true),
        ])
    func `It is possible until the user changes something else, in any location`(
        request: Request, isPossible: Bool
    ) throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count(), Ask.undo(), request)
        let level = try journal.level()
        #expect(try (journal.ask(Ask.redo()) != [.nothingToRedo]) == isPossible)
        #expect(try journal.level() == level + (isPossible ? 1 : 0))
        // A change that was taken back was one too.
        try journal.ask(Ask.count(), Ask.undo())
        #expect(try journal.ask(Ask.redo(), Ask.redo()).last == .nothingToRedo)
    }

    @Test func `Neither an undo before the end of a day comes back, nor the end`() throws {
        try journal.ask(Ask.count(), Ask.undo(), Ask.endOfDay(at: 2_000))
        #expect(try journal.ask(Ask.redo()) == [.nothingToRedo])
        try journal.ask(Ask.void(3, user: Ask.me))
        #expect(try journal.ask(Ask.redo()) == [.nothingToRedo])
        #expect(try journal.endedDays(of: "default") == [])
    }

    @Test func `A row that was chosen comes back, whoever made it and whichever way it counts`() throws {
        try journal.ask(
            Ask.count(device: "far", number: 4), Ask.reset(10, at: 2_000), Ask.void(1, user: Ask.me),
            Ask.redo(at: 5_000))
        #expect(try journal.level() == 10)
        #expect(try journal.summary() == "+ =10")
        #expect(try journal.verify() == [])
    }

    @Test func `What a reset has set to 0 and was counted since stays counted`() throws {
        try journal.ask(
            Ask.entries(5), Ask.reset(at: 2_000), Ask.count(at: 3_000, device: "stranger"), Ask.undo())
        #expect(try journal.level() == 6)
        try journal.ask(Ask.redo())
        #expect(try journal.level() == 1)
        // Another user has reset it: that stands.
        try journal.ask(Ask.undo())
        var reset = Ask.reset(70, at: 4_000)
        reset.row.userId = "ben"
        #expect(try journal.ask(reset, Ask.redo()).last == .nothingToRedo)
        #expect(try journal.level() == 70)
    }

    @Test func `A full location takes nothing back by hand`() throws {
        try journal.ask(
            Ask.setting(.capacity(2)), Ask.entries(2), Ask.undo(), Ask.count(device: "stranger"))
        #expect(try journal.ask(Ask.redo()) == [.refused(.full(room: 1))])
        #expect(try journal.ask(Ask.count(.out, device: "stranger"), Ask.redo()).last?.isAccepted == true)
        #expect(try journal.level() == 2)
    }

    @Test func `It comes back once, though the clock was set back`() throws {
        try journal.ask(Ask.count(at: 9_000_000))
        let now = Timestamp(microseconds: 5_000)
        let answers = try journal.append([Ask.undo(), Ask.redo(), Ask.redo()], receivedAt: now)
        #expect(answers.map(\.level) == [0, 1, 1])
    }

    @Test func `The last undo of any location is found`() throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count(), Ask.count("door"), Ask.undo("door"), Ask.undo())
        for location: Identifier in ["default", "door"] {
            #expect(try journal.location(toUndo: Ask.scope, isRedo: true) == location)
            try journal.ask(Ask.redo(location))
        }
        #expect(try journal.location(toUndo: Ask.scope, isRedo: true) == nil)
    }

    @Test func `Another journal takes it as what it is`() throws {
        try journal.ask(
            Ask.count(), Ask.count(continues: true), Ask.undo(), Ask.redo(), Ask.undo(), Ask.redo())
        let copy = try SQLiteJournal(in: directory, "copy")
        try copy.takeOver(journal, at: Timestamp(microseconds: 20_000_000))
        #expect(try copy.level() == 2)
        #expect(try copy.summary() == journal.summary())
        #expect(try copy.ask(Ask.undo(), Ask.redo()) == [.nothingToUndo(since: nil), .nothingToRedo])
        #expect(try copy.verify() == [])
    }
}
