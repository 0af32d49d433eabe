import CounterModel
import CounterStore
import System
import TestSupport
import Testing

@testable import Transfer

/// A session of `ingest` to which nothing is sent.
@Suite struct IdleIngestTests {
    /// 2026-10-19 00:00 UTC.
    private static let monday = 1_792_368_000

    @Test func `A day ends by itself when it is over, without a line`() throws {
        let folder = try ScratchFolder()
        let journal = try SQLiteJournal(directory: folder.path + "/data", timezone: "UTC")
        var hour = 9
        func now() -> Timestamp { Timestamp(seconds: Self.monday + hour * 3600) }
        let entry = NewEntry(type: .in, deviceId: "door", source: .hardware)
        for change in [Change.setting(.endsDaysAutomatically(true)), .entry(entry)] {
            _ = try journal.append(
                [Request(locationId: "default", timestamp: now(), change: change)], receivedAt: now())
        }
        let session = try IngestSession(
            journal, location: "default",
            follower: try JournalFollower(journal, directory: folder.path + "/data"),
            rules: RowRules { _ in true },
            now: now)
        #expect(session.wallDeadline == Timestamp(seconds: Self.monday + 24 * 3600))
        session.advance(at: .now)
        #expect(try journal.endedDays(of: "default").isEmpty)
        hour = 25
        session.advance(at: .now)
        #expect(try journal.endedDays(of: "default").map(\.snapshot.totalIn) == [1])
        #expect(try journal.stateOrZero(of: "default").level == 0)
    }
}
