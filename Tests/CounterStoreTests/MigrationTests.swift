import CounterModel
import GRDB
import Glibc
import Testing

@testable import CounterStore

/// Journals of older versions of the program.
@Suite struct MigrationTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A journal of version 1: three counts of which one is void, a reset, one that came late, and a device that has
    /// started its numbers again and left a gap.
    private func makeVersion1() throws {
        _ = try SQLiteJournal(directory: directory.path + "/data", timezone: "UTC")
        let path = directory.path + "/data/journal.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try write([], to: path)
        try DatabaseQueue(path: path).writeWithoutTransaction { db in
            try db.execute(sql: Schema.steps[0])
            try db.execute(
                sql: """
                    PRAGMA application_id = \(Schema.applicationId);
                    PRAGMA user_version = 1;
                    INSERT INTO location VALUES (1, 'default', 'default', 'Europe/Zurich');
                    INSERT INTO segment VALUES (1, 0, \(Int64.min), NULL, 0, 99), (1, 5, 9, NULL, 10, 99);
                    INSERT INTO counterState VALUES (1, 99, 1, 1, 1);
                    INSERT INTO device VALUES (1, 'remote', 'Remote', NULL, 5, 1);
                    """)
            let entry = """
                INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, deviceKey, delta, source,
                    continuesHold, sequenceNumber, epoch, lateAfter) VALUES (?, 1, 1, ?, ?, 1, ?, 1, 0, ?, ?, ?)
                """
            let entries: [[Int?]] = [
                [1, 1, 1, 1, 1, 0, nil], [2, 2, 2, 1, 4, 0, nil], [3, 3, 3, -1, 5, 0, nil],
                [6, 10, 10, 1, 1, 1, nil], [7, 4, 11, 1, 6, 1, 0],
            ]
            for values in entries.prefix(3) {
                try db.execute(sql: entry, arguments: StatementArguments(values))
            }
            try db.execute(
                sql: """
                    INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, target)
                        VALUES (4, 2, 1, 4, 4, 3);
                    INSERT INTO journal (position, kind, locationKey, timestamp, receivedAt, value, levelBefore)
                        VALUES (5, 3, 1, 9, 9, 10, 2);
                    """)
            for values in entries.suffix(2) {
                try db.execute(sql: entry, arguments: StatementArguments(values))
            }
        }
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
