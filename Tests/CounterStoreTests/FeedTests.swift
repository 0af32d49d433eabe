import CounterModel
import Glibc
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// The rows of one journal, imported into another.
@Suite struct FeedTests {
    let first = TemporaryDirectory(), second = TemporaryDirectory()

    @Test(arguments: UInt64(1)...16)
    func `A journal that takes all rows over is equal, however the feed is cut and repeated`(seed: UInt64)
        throws
    {
        let source = try journal(in: first)
        let copy = try SQLiteJournal(in: second)
        var random = SplitMix64(seed: seed)
        var days = RandomDays(seed: seed)
        var taken = Position.start
        for _ in 0..<40 {
            try days.step(source)
            // The other machine receives the rows later, and some of them again.
            let again = Position(max(0, taken.number - Int64(random.below(20))))
            let rows = try source.feed(after: again, limit: 1 + random.below(30))
            let answers = try copy.append(rows.map(\.request), receivedAt: now(days) + .seconds(86_400))
            for (row, answer) in zip(rows, answers) {
                let expected =
                    row.row.id > taken ? Outcome.accepted(row.row.id) : Outcome.duplicate(row.row.id)
                #expect(answer.outcome.withoutEpoch == expected, "\(row)")
            }
            taken = max(taken, rows.last?.row.id ?? taken)
        }
        let rest = try source.feed(after: taken, limit: .max)
        _ = try copy.append(rest.map(\.request), receivedAt: now(days))
        try expectEqual(source, copy, now: now(days))
    }

    private func now(_ days: RandomDays) -> Timestamp { Timestamp(microseconds: days.now) }

    private func expectEqual(_ source: SQLiteJournal, _ copy: SQLiteJournal, now: Timestamp) throws {
        for journal in [source, copy] {
            let findings = try journal.verify()
            #expect(findings.isEmpty, "\(journal === copy ? "copy" : "source"): \(findings)")
        }
        for (mine, theirs) in zip(try source.locations(), try copy.locations()) {
            #expect(mine == theirs)
            #expect(try source.state(of: mine.id) == copy.state(of: mine.id))
            // A journal does not name itself in its own rows.
            func history(_ journal: SQLiteJournal) throws -> [HistoryRow] {
                try journal.history(of: mine.id).map { row in
                    HistoryRow(
                        row.row, void: row.void.map { VoidMark(userId: $0.userId, time: $0.time) },
                        countedAt: row.countedAt)
                }
            }
            #expect(try !history(source).isEmpty)
            #expect(try history(copy) == history(source))
            #expect(try copy.endedDays(of: mine.id) == source.endedDays(of: mine.id))
            let hours = (8..<24).map { Timestamp(seconds: $0 * 3_600) }
            func kpis(_ journal: SQLiteJournal) throws -> KPIs {
                try journal.kpis(
                    of: mine, hours: hours, end: Timestamp(seconds: 24 * 3_600), now: now, silence: .max)
            }
            #expect(try kpis(copy) == kpis(source))
        }
    }

    @Test func `Each journal has an id of its own, which it keeps`() throws {
        let id = try SQLiteJournal(in: first).id()
        #expect(id.count == 32)
        #expect(try SQLiteJournal(in: first).id() == id)
        #expect(try SQLiteJournal(in: second).id() != id)
    }

    @Test func `Rows that went on to a third journal come back as what they are`() throws {
        let source = try journal(in: first)
        let copy = try SQLiteJournal(in: second)
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
        let source = try journal(in: first)
        try source.ask(Ask.count(at: 1_000), Ask.count(at: 2_000))
        let rows = try source.feed(after: .start, limit: 10)
        let copy = try SQLiteJournal(in: second)
        _ = try copy.append(rows.map(\.request), receivedAt: Timestamp(microseconds: 10_000_000))
        // The same journal and position, but another time.
        var other = rows[1].row
        other.timestamp = Timestamp(microseconds: 3_000)
        #expect(try copy.ask(Request(other)) == [.refused(.otherHistory)])
        #expect(try copy.level() == 2)
    }

    @Test func `A level that was set here last stays, and what is older counts before it`() throws {
        let source = try journal(in: first)
        try source.ask(Ask.count(at: 1_000), Ask.reset(5, at: 2_000))
        let copy = try SQLiteJournal(in: second)
        try copy.ask(Ask.reset(7, at: 3_000))
        #expect(try copy.takeOver(source) == [2, 3, 4].map { .accepted(Position($0)) })
        #expect(try copy.level() == 7)
        #expect(try copy.verify() == [])
    }

    @Test func `A void whose row is not here changes nothing`() throws {
        let source = try journal(in: first)
        _ = try source.add(Location(id: "cellar", name: "cellar", timezone: "UTC"))
        try source.ask(Ask.count(.in, at: 1_000, "cellar"), Ask.void(3, "cellar"))
        let copy = try SQLiteJournal(in: second)
        let rows = try source.feed(after: .start, limit: 10).map(\.request)
        #expect(try copy.ask(rows[3]) == [.nothingToVoid])
        #expect(try copy.locations().count == 1)
    }

    @Test func `A location is known by its rows, and called by its id until the row comes that adds it`()
        throws
    {
        let source = try SQLiteJournal(in: first)
        let cellar = Location(id: "cellar", name: "Cellar", timezone: "Asia/Kathmandu")
        _ = try source.add(cellar)
        try source.ask(Ask.count(.in, at: 1_000, "cellar"))
        let rows = try source.feed(after: .start, limit: 10).map(\.request)
        let copy = try SQLiteJournal(in: second)
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

    private func journal(in directory: TemporaryDirectory) throws -> SQLiteJournal {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        return journal
    }
}

extension Outcome {
    /// The same for what counts, in whatever epoch or as a correction.
    fileprivate var withoutEpoch: Outcome {
        switch self {
        case .acceptedInNewEpoch(let position, _), .corrected(let position, _, _): .accepted(position)
        default: self
        }
    }
}
