import CounterModel
import Glibc
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// The rows of one journal, imported into another.
@Suite struct FeedTests {
    private static let locations: [Identifier] = ["default", "door"]
    let first = TemporaryDirectory(), second = TemporaryDirectory()

    @Test(arguments: UInt64(1)...16)
    func `A journal that takes all rows over is equal, however the feed is cut and repeated`(seed: UInt64)
        throws
    {
        let source = try journal(in: first)
        let copy = try SQLiteJournal(in: second)
        var random = SplitMix64(seed: seed)
        var script = FeedScript(seed: seed)
        var taken = Position.start
        for _ in 0..<40 {
            _ = try source.append(script.batch(), receivedAt: script.now)
            // The other machine receives the rows later, and some of them again.
            let again = Position(max(0, taken.number - Int64(random.below(20))))
            let rows = try source.feed(after: again, limit: 1 + random.below(30))
            let answers = try copy.append(rows.map(\.request), receivedAt: script.now + 86_400_000_000)
            for (row, answer) in zip(rows, answers) {
                let expected =
                    row.row.id > taken ? Outcome.accepted(row.row.id) : Outcome.duplicate(row.row.id)
                #expect(answer.outcome.withoutEpoch == expected, "\(row)")
            }
            taken = max(taken, rows.last?.row.id ?? taken)
        }
        let rest = try source.feed(after: taken, limit: .max)
        _ = try copy.append(rest.map(\.request), receivedAt: script.now)
        try expectEqual(source, copy, now: script.now)
    }

    private func expectEqual(_ source: SQLiteJournal, _ copy: SQLiteJournal, now: Timestamp) throws {
        for journal in [source, copy] {
            let findings = try journal.verify()
            #expect(findings.isEmpty, "\(journal === copy ? "copy" : "source"): \(findings)")
        }
        let all = HistoryPage(
            range: Timestamp(microseconds: .min)..<Timestamp(microseconds: .max), isBackward: false,
            limit: .max)
        for (mine, theirs) in zip(try source.locations(), try copy.locations()) {
            #expect(mine == theirs)
            #expect(try source.state(of: mine.id) == copy.state(of: mine.id))
            // A journal does not name itself in its own rows.
            func history(_ journal: SQLiteJournal) throws -> [HistoryRow] {
                try journal.history(of: mine.id, all).map { row in
                    HistoryRow(
                        row.row, void: row.void.map { VoidMark(userId: $0.userId, time: $0.time) },
                        countedAt: row.countedAt)
                }
            }
            #expect(try !history(source).isEmpty)
            #expect(try history(copy) == history(source))
            #expect(try copy.endedDays(of: mine.id) == source.endedDays(of: mine.id))
            let hours = (0..<3).map { Timestamp(microseconds: $0 * 3_600_000_000) }
            func kpis(_ journal: SQLiteJournal) throws -> KPIs {
                try journal.kpis(
                    of: mine, hours: hours, end: Timestamp(microseconds: 3 * 3_600_000_000), now: now,
                    silence: .max)
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
        let rows = try source.feed(after: .start, limit: 10).map(\.request)
        _ = try copy.append(rows, receivedAt: Timestamp(microseconds: 10_000_000))
        try copy.ask(Ask.count(.out), Ask.void(3))
        let back = try copy.feed(after: .start, limit: 10).map(\.request)
        let outcomes = try source.append(back, receivedAt: Timestamp(microseconds: 10_000_000))
            .map(\.outcome)
        #expect(
            outcomes == [
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

    /// Both copies are older than what the other journal has: one gets it back, the other has written something else meanwhile.
    @Test func `A journal that was restored gets its lost rows back, unless it has written others`() throws {
        let source = try journal(in: first)
        let far = try SQLiteJournal(in: second)
        let now = Timestamp(microseconds: 10_000_000)
        try source.ask(Ask.count(at: 1_000))
        let folders = [TemporaryDirectory(), TemporaryDirectory()]
        for folder in folders {
            let data = folder.path + "/data"
            #expect(mkdir(data, 0o700) == 0)
            try RawDatabase(source.path).execute("VACUUM INTO '\(data)/journal.sqlite'")
            #expect(chmod(data + "/journal.sqlite", 0o600) == 0)
        }
        try far.ask(Ask.count(at: 1_500, device: "far"))
        _ = try source.append(far.feed(after: .start, limit: 10).map(\.request), receivedAt: now)
        try source.ask(Ask.count(at: 2_000), Ask.count(.out, at: 3_000, number: 7), Ask.void(4, at: 4_000))
        _ = try far.append(source.feed(after: .start, limit: 10).map(\.request), receivedAt: now)
        let rows = try far.feed(after: .start, limit: 10).map(\.request)
        let restored = try SQLiteJournal(in: folders[0])
        _ = try restored.append(rows, receivedAt: now)
        #expect(try restored.level() == source.level())
        #expect(try restored.takeNewId() == .restored && restored.id() != source.id())
        #expect(try restored.verify() == [])
        #expect(
            try restored.append(source.feed(after: .start, limit: 10).map(\.request), receivedAt: now)
                .allSatisfy { if case .duplicate = $0.outcome { true } else { false } })
        let fork = try SQLiteJournal(in: folders[1])
        try fork.ask(Ask.count(at: 2_500), Ask.count(at: 2_600))
        let outcomes = try fork.append(rows, receivedAt: now).map(\.outcome)
        #expect(outcomes.contains(.refused(.otherHistory)))
        #expect(try fork.verify() == [])
        // It continues under another id, and both histories come together.
        #expect(try fork.fork(at: Position(4), now: now) == 1)
        #expect(try fork.takeNewId() == nil && fork.verify() == [])
        #expect(try fork.append(rows, receivedAt: now).allSatisfy { !$0.isRefused })
        for journal in [far, source] {
            let back = try fork.feed(after: .start, limit: 10).map(\.request)
            #expect(try journal.append(back, receivedAt: now).allSatisfy { !$0.isRefused })
            #expect(try journal.level() == fork.level() && journal.verify() == [])
        }
    }

    @Test func `A level that was set here last stays, and what is older counts before it`() throws {
        let source = try journal(in: first)
        try source.ask(Ask.count(at: 1_000), Ask.reset(5, at: 2_000))
        let copy = try SQLiteJournal(in: second)
        try copy.ask(Ask.reset(7, at: 3_000))
        let rows = try source.feed(after: .start, limit: 10).map(\.request)
        let answers = try copy.append(rows, receivedAt: Timestamp(microseconds: 10_000_000))
        #expect(answers.map(\.outcome) == [2, 3, 4].map { .accepted(Position($0)) })
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

/// Random requests of every kind, the same for the same seed.
private struct FeedScript {
    private var random: SplitMix64
    private var microseconds: Int64 = 600_000_000
    private var position: Int64 = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed &+ 1_000) }

    var now: Timestamp { Timestamp(microseconds: microseconds) }

    mutating func batch() -> [Request] {
        microseconds += Int64(random.below(120_000_000))
        position += 3
        return (0...random.below(8)).map { _ in request() }
    }

    private mutating func request() -> Request {
        let location: Identifier = random.below(2) == 0 ? "default" : "door"
        // Up to ten minutes early or ahead: late entries, and clocks that are too far ahead to be trusted.
        let time = microseconds + Int64(random.below(1_200_000_000)) - 600_000_000
        let type: EntryType = random.below(3) == 0 ? .out : .in
        switch random.below(18) {
        case 16: return Ask.correction(.by(random.below(9) + 1), at: time, location)
        case 17: return Ask.correction(.to(random.below(9)), at: time, location)
        case 0: return Ask.reset(random.below(9) - 4, at: time, location)
        case 1: return Ask.endOfDay(at: microseconds, location)
        case 2: return Ask.setting(.capacity(random.below(2) == 0 ? nil : 5), at: time, location)
        case 3...4: return Ask.void(Int64(random.below(Int(position) + 1)), location)
        case 5...6: return Ask.undo(location, at: time)
        case 7...10:
            return Ask.count(type, at: time, location, device: "far", number: random.below(60))
        case 11:
            return Ask.count(type, at: time, location, device: "hand", source: .manual)
        default:
            return Ask.count(
                type, at: microseconds, location, device: "\(location)key", continues: random.below(2) == 0)
        }
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

extension Timestamp {
    fileprivate static func + (time: Timestamp, microseconds: Int64) -> Timestamp {
        Timestamp(microseconds: time.microseconds + microseconds)
    }
}
