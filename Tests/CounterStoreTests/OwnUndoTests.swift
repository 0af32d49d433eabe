import CounterModel
import Linux
import Testing

@testable import CounterStore

/// An undo takes back what was made here, and nothing else.
@Suite final class OwnUndoTests: NewJournal {
    private func undo(_ scope: UndoScope = Ask.scope) throws -> Outcome {
        try #require(try journal.ask(Ask.undo(scope)).first)
    }

    @Test(
        arguments: [
            Ask.count(device: "stranger"), Ask.entries(3, user: "ben"), Ask.correction(.to(50), user: "ben"),
            Ask.count(source: .import, line: ImportLine(fileHash: "file", number: 1)),
            Ask.reset(9, at: 2_000, line: ImportLine(fileHash: "file", number: 2)),
        ])
    func whatOthersReportedMeanwhileStays(other: Request) throws {
        try journal.ask(Ask.entries(2), other)
        let level = try journal.level()
        guard case .undone(_, let undone) = try undo() else { return #expect(Bool(false), "nothing undone") }
        #expect(undone.change == .entries(type: .in, count: 2))
        let isReset = if case .reset = other.row.content { true } else { false }
        #expect(try journal.level() == (isReset ? level : level - 2))
        #expect(try undo() == .nothingToUndo(since: nil))
        #expect(try journal.verify() == [])
    }

    @Test func aRowOfAnotherJournalStaysThoughItsUserHasThisName() throws {
        let source = try SQLiteJournal(in: directory, "source")
        try source.ask(Ask.entries(2), Ask.count())
        try journal.takeOver(source)
        #expect(try undo() == .nothingToUndo(since: nil))
        #expect(try journal.level() == 3)
    }

    /// Two screens of one user on one journal: what the other one counts after this one has started is not its own.
    @Test func anotherScreenOfTheSameUserKeepsItsCounts() throws {
        let here = JournalWriter(journal)
        let there = JournalWriter(journal)
        func scope(_ writer: JournalWriter) -> UndoScope {
            UndoScope(userId: Ask.me, deviceIds: ["remote"], since: Position(1), own: writer.own)
        }
        func count(_ writer: JournalWriter) throws {
            var count = Ask.count(device: Devices.terminal, source: .manual)
            count.row.userId = Ask.me
            writer.add(count)
            try writer.commit(at: Timestamp(microseconds: 2_000))
        }
        try journal.ask(Ask.count())
        try count(here)
        try count(there)
        try journal.ask(Ask.count(device: "remote"))
        #expect(here.own.ranges == [2...2])
        // What came before it started is its own, too, but not the key that another program has heard since.
        for position: Int64 in [2, 1] {
            #expect(try undo(scope(here)) != .nothingToUndo(since: nil))
            #expect(try journal.ask(Ask.void(position)) == [.nothingToVoid])
        }
        #expect(try undo(scope(here)) == .nothingToUndo(since: nil))
        #expect(try journal.level() == 2)
        // A command of the user is taken back from any screen.
        try journal.ask(Ask.entries(5))
        #expect(try undo(scope(there)) != .nothingToUndo(since: nil))
        #expect(try journal.level() == 2)
    }

    @Test func whatIsTypedAtOnceIsOnesOwn() throws {
        let writer = JournalWriter(journal)
        let scope = UndoScope(userId: Ask.me, deviceIds: ["remote"], since: .start)
        for device in ["remote", Devices.terminal] {
            var count = Ask.count(device: device)
            if device != "remote" { count.row.userId = Ask.me }
            writer.add(count)
            writer.add(Ask.undo(scope))
        }
        let receipts = try writer.commit(at: Timestamp(microseconds: 2_000))
        #expect(receipts.map(\.level) == [1, 0, 1, 0])
    }

    @Test func theLastChangeOfAnyLocationIsFound() throws {
        for name in ["Robin", "Wren"] {
            _ = try journal.add(Location(id: Identifier(name), name: name, timezone: "UTC"))
        }
        #expect(try journal.location(toUndo: Ask.scope) == nil)
        try journal.ask(
            Ask.count(), Ask.entries(1, "Robin"), Ask.entries(2, "Wren"),
            Ask.entries(1, "Robin", user: "ben"),
            Ask.count(at: 1_000, "default", device: "stranger"))
        for location: Identifier in ["Wren", "Robin", "default"] {
            #expect(try journal.location(toUndo: Ask.scope) == location)
            try journal.ask(Ask.undo(location))
        }
        #expect(try journal.location(toUndo: Ask.scope) == nil)
        try journal.ask(Ask.entries(1, "Robin"), Ask.entries(1, "Wren"), Ask.endOfDay(at: 2_000, "Wren"))
        #expect(try journal.location(toUndo: Ask.scope) == "Robin")
    }

    @Test func aVoidSaysWhoAndWhen() throws {
        try journal.ask(Ask.count(device: "stranger"))
        let void = Request(
            locationId: "default", userId: "ben", timestamp: Timestamp(microseconds: 7_000),
            .void(Position(1)))
        try journal.ask(void)
        let mark = VoidMark(userId: "ben", time: Timestamp(microseconds: 7_000))
        #expect(try journal.history().map(\.void) == [mark])
    }

    @Test func theDevicesWhoseKeysAUserReadsAreKnown() throws {
        let time = Timestamp(microseconds: 1)
        try journal.note(came: [("usb:1", "Remote", "default")], went: [], at: time, keysReadBy: Ask.me)
        try journal.note(came: [("door", "Door", "default")], went: [], at: time)
        let devices = Devices(try journal.devices())
        #expect(devices.keys(readBy: Ask.me) == ["usb:1"])
        #expect(devices.keys(readBy: "ben") == [])
    }
}

@Suite struct OwnRowsTests {
    @Test func rowsThatFollowEachOtherAreOneRange() {
        var rows = OwnRows()
        for range: ClosedRange<Int64> in [1...3, 4...4, 7...9, 9...9] { rows.add(range) }
        #expect(rows.ranges == [1...4, 7...9])
    }

    @Test func memoryIsBounded() {
        var rows = OwnRows()
        let count = Int64(OwnRows.most) * 2
        for row in 1...count { rows.add(row * 2...row * 2) }
        #expect(rows.ranges.count <= OwnRows.most)
        #expect(rows.ranges.last == count * 2...count * 2)
    }
}
