import CounterModel
import Linux
import Testing

@testable import CounterStore

/// The rows of one journal, imported into another. That all figures are the same then is shown by AgreementTests.
@Suite struct FeedTests {
    private let directory = TemporaryDirectory()

    @Test func `Each journal has an id of its own, which it keeps`() throws {
        let id = try SQLiteJournal(in: directory).id()
        #expect(id.count == 32)
        #expect(try SQLiteJournal(in: directory).id() == id)
        #expect(try SQLiteJournal(in: directory, "copy").id() != id)
    }

    @Test func `Rows that went on to a third journal come back as what they are`() throws {
        let source = try journal()
        let copy = try SQLiteJournal(in: directory, "copy")
        try source.ask(Ask.count(), Ask.count(), Ask.void(2))
        try copy.takeOver(source)
        try copy.ask(Ask.count(.out), Ask.void(3))
        #expect(
            try source.takeOver(copy) == [
                .duplicate(Position(1)), .duplicate(Position(2)), .duplicate(Position(3)),
                .duplicate(Position(4)), .accepted(Position(5)), .accepted(Position(6)),
            ])
        #expect(try source.level() == -1)
        #expect(try copy.level() == -1)
        #expect(try source.verify() == [])
    }

    @Test func `Rows of a journal that was set back to an older state are refused`() throws {
        let source = try journal()
        try source.ask(Ask.count(at: 1_000), Ask.count(at: 2_000))
        let rows = try source.feed(after: .start, limit: 10)
        let copy = try SQLiteJournal(in: directory, "copy")
        _ = try copy.append(rows.map(\.request), receivedAt: Timestamp(microseconds: 10_000_000))
        // The same journal and position, but another time.
        var other = rows[1].row
        other.timestamp = Timestamp(microseconds: 3_000)
        #expect(try copy.ask(Request(other)) == [.refused(.otherHistory)])
        #expect(try copy.level() == 2)
    }

    @Test func `A level that was set here last stays, and what is older counts before it`() throws {
        let source = try journal()
        try source.ask(Ask.count(at: 1_000), Ask.reset(5, at: 2_000))
        let copy = try SQLiteJournal(in: directory, "copy")
        try copy.ask(Ask.reset(7, at: 3_000))
        #expect(try copy.takeOver(source) == [2, 3, 4].map { .accepted(Position($0)) })
        #expect(try copy.level() == 7)
        #expect(try copy.verify() == [])
    }

    @Test func `A void whose row is not here changes nothing`() throws {
        let source = try journal()
        _ = try source.add(Location(id: "cellar", name: "cellar", timezone: "UTC"))
        try source.ask(Ask.count(.in, at: 1_000, "cellar"), Ask.void(3, "cellar"))
        let copy = try SQLiteJournal(in: directory, "copy")
        let rows = try source.feed(after: .start, limit: 10).map(\.request)
        #expect(try copy.ask(rows[3]) == [.nothingToVoid])
        #expect(try copy.locations().count == 1)
    }

    @Test func `A location is known by its rows, and called by its id until the row comes that adds it`()
        throws
    {
        let source = try SQLiteJournal(in: directory)
        let cellar = Location(id: "cellar", name: "Cellar", timezone: "Asia/Kathmandu")
        _ = try source.add(cellar)
        try source.ask(Ask.count(.in, at: 1_000, "cellar"))
        let rows = try source.feed(after: .start, limit: 10).map(\.request)
        let copy = try SQLiteJournal(in: directory, "copy")
        #expect(try copy.ask(rows[1]) == [.accepted(Position(1))])
        #expect(try copy.locations().last == Location(id: "cellar", name: "cellar", timezone: "UTC"))
        #expect(try copy.ask(rows[0]) == [.accepted(Position(2))])
        #expect(try copy.locations().last == cellar)
        #expect(try copy.level("cellar") == 1)
        // Of two journals that add it, the last in the order decides.
        var later = rows[0]
        later.row.origin = .journal(RowIdentity(journalId: "another", position: Position(1)))
        later.row.orderedAt = Timestamp(seconds: 5)
        later.row.content = .location(name: "Keller", timezone: "UTC")
        #expect(try copy.ask(later) == [.accepted(Position(3))])
        #expect(try copy.locations().last == Location(id: "cellar", name: "Keller", timezone: "UTC"))
        #expect(try copy.verify() == [])
    }

    private func journal() throws -> SQLiteJournal {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        return journal
    }
}
