import CounterModel
import Glibc
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
        _ = try SQLiteJournal(directory: directory.path + "/data", timezone: "UTC")
        let path = directory.path + "/data/journal.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try write([], to: path)
        let outside = try RawDatabase(path)
        try outside.execute(Schema.steps[0])
        try outside.execute(
            """
            PRAGMA application_id = \(Schema.applicationId);
            PRAGMA user_version = 1;
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
