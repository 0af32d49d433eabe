import CounterModel
import Foundation
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Transfer

/// Journals that are copied to other machines, and put back to earlier copies.
@Suite final class SyncCopyTests: SyncPlace {
    private func copy(of journal: SQLiteJournal, to name: String) throws -> SQLiteJournal {
        try FileManager.default.copyItem(atPath: journal.directory, toPath: folder.path(of: name))
        return try self.journal(name)
    }

    /// The door's journal before its last 2 rows, which the office has.
    private func restoredDoor() throws -> SQLiteJournal {
        try count(2, in: door)
        try share()
        let restored = try copy(of: door, to: "earlier")
        try count(2, in: door, at: 3)
        try sync(door, office)
        return restored
    }

    @Test func `A clone on another machine and its original agree, with a third machine too`() throws {
        try count(2, in: door)
        try share()
        let clone = try copy(of: door, to: "clone")
        clone.machine = { "another machine" }
        try count(2, in: door, at: 3)
        try sync(door, office)
        let link = try Link(clone, office)
        #expect(link.one.notices == [NewJournalId.copied.text])
        try count(1, in: clone, at: 5)
        try link.run()
        try expectSame(clone, office)
        try sync(door, clone)
        try expectSame(door, clone)
        #expect(try level(door) == 5)
        for (one, other) in [(door, office), (clone, door), (office, clone)] {
            try expectNothingToSend(one, other)
        }
    }

    @Test func `A copy that no machine tells from its journal is refused`() throws {
        try share()
        let clone = try copy(of: door, to: "clone")
        let link = try Link(door, clone)
        let error = #expect(throws: ProgramError.self) { try link.run() }
        #expect(
            error?.message.contains("its journal has the id of this one: it is the same, or a copy") == true)
    }

    @Test func `A journal that was put back to an earlier copy gets what it has lost`() throws {
        let restored = try restoredDoor()
        let again = try sync(restored, office)
        #expect(again.one.notices == [NewJournalId.restored.text])
        try count(1, in: restored, at: 9)
        try again.pass(changesOf: again.one)
        try expectSame(restored, office)
        #expect(try level(office) == 5)
    }

    @Test func `That a row differs is no fork where the rows that were lost here have come with it`() throws {
        let restored = try restoredDoor()
        let stream = try SyncStream(subject: .location(world()), journal: restored.id())
        let link = try Link(restored, office)
        try link.other.hear(link.one.output)
        try link.one.hear(link.other.output + Array("\(SyncLine.differs(stream, Position(5)).text)\n".utf8))
        #expect(link.one.notices.first == NewJournalId.restored.text)
        #expect(link.one.notices.contains { $0.hasPrefix("other does not take row 5") })
    }

    /// As many rows as were lost, fewer, and more; with and without others after them.
    @Test(arguments: [1, 2, 3], [0, 1])
    func `A journal that has counted on since is told of, and both histories count once it is forked`(
        number: Int, offices: Int
    ) throws {
        let restored = try restoredDoor()
        try count(offices, in: office, at: 4)
        try count(number, in: restored, at: 5)
        let again = try Link(restored, office)
        let fork = #expect(throws: SyncFork.self) { try again.run() }
        #expect(try level(office) == 4 + offices)
        let failure = try #require(fork).failure
        #expect(failure.message.hasPrefix("row 4 of the journal of one is another one on other"))
        #expect(failure.remedy?.contains("On one: counter sync --fork") == true)
        #expect(try restored.fork(at: try #require(fork).at, now: Self.noon + .seconds(9)) == number)
        for _ in 1...2 { try sync(restored, office) }
        try expectSame(restored, office)
        #expect(try level(office) == 4 + offices + number)
    }
}
