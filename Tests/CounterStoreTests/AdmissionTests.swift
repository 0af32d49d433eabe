import CounterModel
import Testing

@testable import CounterStore

/// Which entries a full occupancy still accepts.
@Suite struct AdmissionTests {
    @Test func atFullEntriesByHandAreKeptOutAndNothingElse() throws {
        let directory = TemporaryDirectory()
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.setting(.capacity(2)), Ask.count(source: .manual), Ask.count(source: .manual))
        #expect(try journal.ask(Ask.count(source: .manual)) == [.refused(.full(room: 0))])
        #expect(try journal.level() == 2)
        let line = ImportLine(fileHash: "file", number: 1)
        try journal.ask(Ask.count(), Ask.count(source: .import, line: line), Ask.count(.out, source: .manual))
        #expect(try journal.level() == 3, "a device and a file count, and by hand some go out")
        try journal.ask(Ask.setting(.admitsOverFull(true)), Ask.count(source: .manual))
        #expect(try journal.level() == 4)
    }

    @Test func byHandNobodyLeavesWhoIsNotInside() throws {
        let directory = TemporaryDirectory()
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.setting(.capacity(5)), Ask.count(source: .manual))
        #expect(try journal.ask(Ask.entries(-2)) == [.refused(.empty(inside: 1))])
        #expect(
            try journal.ask(Ask.count(.out), Ask.count(.out)).count == 2, "what a device reports is taken")
        #expect(try journal.ask(Ask.count(.out, source: .manual)) == [.refused(.empty(inside: 0))])
        #expect(try journal.level() == -1)
    }

    @Test func severalCountsAreMadeAsAWholeOrNotAtAll() throws {
        let directory = TemporaryDirectory()
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.setting(.capacity(5)), Ask.entries(2))
        // What another program counts in the same transaction takes the room.
        let outcomes = try journal.ask(Ask.entries(3), Ask.entries(1))
        #expect(outcomes[1] == .refused(.full(room: 0)))
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 2, "an undo takes all of it back")
        #expect(try journal.ask(Ask.entries(5)) == [.refused(.full(room: 3))])
        #expect(try journal.level() == 2)
        #expect(try journal.verify().isEmpty)
    }

    @Test func countsThatALevelCannotTakeChangesNothing() throws {
        let directory = TemporaryDirectory()
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.reset(.max - 2))
        #expect(try journal.ask(Ask.entries(3)) == [.refused(.overflow)])
        #expect(try journal.level() == .max - 2)
    }
}
