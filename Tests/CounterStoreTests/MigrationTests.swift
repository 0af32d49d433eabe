import CounterModel
import Glibc
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// Journals of older versions of the program.
@Suite struct MigrationTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A journal of version 1: three counts of which one is void, a reset, a late count, and a device that has
    /// started its numbers again and left a gap.
    private func makeVersion1() throws {
        try make(
            version: 1,
            """
            INSERT INTO location VALUES (1, 'default', 'default', 'Europe/Zurich');
            INSERT INTO segment VALUES (1, 0, \(Int64.min), NULL, 0, 99), (1, 5, 9, NULL, 10, 99);
            INSERT INTO counterState VALUES (1, 99, 1, 1, 1);
            INSERT INTO device VALUES (1, 'remote', 'Remote', NULL, 5, 1);
            INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, deviceKey, delta, source,
                continuesHold, sequenceNumber, epoch, lateAfter) VALUES
                (1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, NULL),
                (2, 1, 1, 2, 2, 1, 1, 1, 0, 4, 0, NULL),
                (3, 1, 1, 3, 3, 1, -1, 1, 0, 5, 0, NULL);
            INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, target)
                VALUES (4, 2, 1, 4, 4, 3);
            INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, value, levelBefore)
                VALUES (5, 3, 1, 9, 9, 10, 2);
            INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, deviceKey, delta, source,
                continuesHold, sequenceNumber, epoch, lateAfter) VALUES
                (6, 1, 1, 10, 10, 1, 1, 1, 0, 1, 1, NULL),
                (7, 1, 1, 4, 11, 1, 1, 1, 0, 6, 1, 0);
            """)
    }

    /// A journal of an older version, with rows.
    private func make(version: Int, _ rows: String) throws {
        _ = try SQLiteJournal(directory: directory.path + "/data", timezone: "UTC")
        let path = directory.path + "/data/journal.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try write([], to: path)
        let outside = try RawDatabase(path)
        for step in Schema.steps.prefix(version) { try outside.execute(step) }
        try outside.execute(
            """
            PRAGMA application_id = \(Schema.applicationId);
            PRAGMA user_version = \(version);
            \(rows)
            """)
    }

    /// A journal of version 3: a tally and an occupancy, each with a press, three by hand in and one by hand out of which
    /// the first is void.
    private func makeVersion3() throws {
        let rows = [1, 2].map { location in
            let first = location * 10
            return """
                INSERT INTO location VALUES (\(location), 'l\(location)', 'l\(location)', 'UTC');
                INSERT INTO segment VALUES (\(location), 0, \(Int64.min), \(Int64.min), NULL, 0, 3);
                INSERT INTO counterState VALUES (\(location), 3, 1, 1, 1, 1);
                INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, deviceKey, userId, delta,
                    source, continuesHold, text) VALUES
                    (\(first + 1), 1, \(location), 1, 1, 1, NULL, 1, 1, 0, NULL),
                    (\(first + 2), 1, \(location), 2, 2, 2, 'anna', 1, 2, 0, 'late'),
                    (\(first + 3), 1, \(location), 2, 2, 2, 'anna', 1, 2, 1, 'late'),
                    (\(first + 4), 1, \(location), 2, 2, 2, 'anna', 1, 2, 1, 'late'),
                    (\(first + 5), 1, \(location), 3, 3, 2, 'anna', -1, 2, 0, NULL);
                INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, target)
                    VALUES (\(first + 6), 2, \(location), 4, 4, \(first + 2));
                """
        }
        try make(
            version: 3,
            """
            INSERT INTO device VALUES (1, 'remote', 'Remote', NULL, 5, 1), (2, 'terminal', 'terminal', NULL, 5, 1);
            \(rows[0])
            INSERT INTO location VALUES (3, 'later', 'later', 'UTC');
            INSERT INTO segment VALUES (3, 0, \(Int64.min), \(Int64.min), NULL, 0, 0);
            INSERT INTO counterState VALUES (3, 0, NULL, NULL, \(Int64.min), 0);
            \(rows[1])
            INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, setting, text)
                VALUES (30, 4, 2, -90000000, -90000000, 1, '50');
            """)
    }

    private func figures(_ journal: SQLiteJournal, _ id: Identifier) throws -> [Int] {
        let location = try #require(try journal.locations().first { $0.id == id })
        let kpis = try journal.kpis(
            of: location, hours: [Timestamp(microseconds: 0)], end: Timestamp(seconds: 60),
            now: Timestamp(seconds: 60), silence: .max)
        return [kpis.totalIn, kpis.totalOut, kpis.correctedUp, kpis.correctedDown, kpis.net]
    }

    @Test func whatWasCountedByHandBeforeVersion4KeepsItsFigures() throws {
        try makeVersion3()
        let journal = try SQLiteJournal(in: directory)
        #expect(try journal.verify() == [])
        // In a tally all that was counted by hand was traffic; in an occupancy all of it was a correction.
        #expect(try figures(journal, "l1") == [3, 1, 0, 0, 2])
        #expect(try figures(journal, "l2") == [1, 0, 2, 1, 2])
        #expect(try journal.level("l2") == 2)
        // They stay what they were when the location becomes something else, and new rows are what they are now.
        try journal.ask(
            Ask.setting(.capacity(nil), "l2"), Ask.setting(.capacity(9), "l1"), Ask.entries(4, at: 9, "l2"),
            Ask.correction(.by(-2), at: 9, "l2"), Ask.entries(1, at: 9, "later"))
        #expect(try figures(journal, "l1") == [3, 1, 0, 0, 2])
        #expect(try figures(journal, "l2") == [5, 0, 2, 3, 4])
        #expect(try figures(journal, "later") == [1, 0, 0, 0, 1])
        #expect(try journal.verify() == [])
        try journal.rebuild()
        #expect(try figures(journal, "l2") == [5, 0, 2, 3, 4])
    }

    @Test func aCorrectionOfAnOlderVersionIsSuchInEveryForm() throws {
        try makeVersion3()
        let journal = try SQLiteJournal(in: directory)
        var rows: [String] = []
        try journal.forEachRow(of: "l2") { row in
            if case .correction(let row) = row { rows.append("\(row.words()) \(row.reason ?? "")") }
        }
        #expect(rows == ["+1 late", "+1 late", "-1 "])
        let page = HistoryPage(
            range: Timestamp(microseconds: 0)..<Timestamp(seconds: 1), isBackward: false, limit: 99)
        let kinds = try journal.history(of: "l2", page).map { row in
            if case .correction = row.kind { true } else { false }
        }
        #expect(kinds == [false, true, true, true, true])

        let other = try TemporaryDirectory()
        let copy = try SQLiteJournal(in: other)
        for id in ["l1", "l2"] { _ = try copy.add(Location(id: Identifier(id), name: id, timezone: "UTC")) }
        let feed = try journal.feed(after: .start, limit: 99).map(\.request)
        _ = try copy.append(feed, receivedAt: Timestamp(microseconds: 20))
        #expect(try figures(copy, "l2") == [1, 0, 2, 1, 2])
        #expect(try figures(copy, "l1") == [3, 1, 0, 0, 2])
        #expect(try copy.verify() == [])
        // Taken back by a gesture or by a user, such a row leaves its minute as any other does.
        try journal.ask(Ask.void(23, "l2"))
        #expect(try figures(journal, "l2") == [1, 0, 1, 1, 1])
        #expect(try journal.verify() == [])
    }

    @Test func aJournalOfVersion1IsBroughtUpWithAllThatItHolds() throws {
        try makeVersion1()
        let journal = try SQLiteJournal(in: directory)
        #expect(try journal.verify() == [])
        #expect(try journal.level() == 11)
        #expect(try journal.summary() == "+ + + =10 +")
        let location = try #require(try journal.locations().first)
        #expect(location == Location(id: "default", name: "default", timezone: "Europe/Zurich"))
        let kpis = try journal.kpis(
            of: location, hours: [Timestamp(microseconds: 0)], end: Timestamp(microseconds: 60_000_000),
            now: Timestamp(microseconds: 60_000_000), silence: .max)
        #expect(kpis.totalIn == 4)
        #expect(kpis.anomalies.count == 3, "a gap in each epoch, and the start of the second")
        #expect(try journal.ask(Ask.count(at: 12)) == [.accepted(Position(8))])
        #expect(try SQLiteJournal(in: directory).level() == 12)
    }

    @Test func aViewerBringsNoJournalUp() throws {
        try makeVersion1()
        let path = directory.path + "/data/journal.sqlite"
        let before = contents(of: path)
        #expect(throws: JournalError(path: path, reason: .viewerOnly)) {
            try SQLiteJournal(directory: directory.path + "/data", timezone: "UTC", role: .viewer)
        }
        #expect(contents(of: path) == before)
    }
}
