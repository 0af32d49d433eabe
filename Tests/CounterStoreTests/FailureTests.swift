import CounterModel
import Glibc
import Testing

@testable import CounterStore

@Suite struct FailureTests {
    let directory = TemporaryDirectory()

    /// SQLite reports SQLITE_FULL when its page limit is reached, as it does when the disk is full.
    private func fill(_ journal: SQLiteJournal) throws {
        try journal.run(sql: "PRAGMA max_page_count = 1")
    }

    private func makeSpace(_ journal: SQLiteJournal) throws {
        try journal.run(sql: "PRAGMA max_page_count = 1000000")
    }

    /// Enough rows for several pages, so that the file has to grow.
    private let many = (0..<2_000).map { _ in Ask.count() }

    @Test func onAFullDiskNothingIsStoredAndLaterAllOfIt() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count())
        try fill(journal)
        let error = #expect(throws: JournalError.self) {
            try journal.append(many, receivedAt: Timestamp(microseconds: 1))
        }
        #expect(error == JournalError(path: journal.path, reason: .diskFull))
        #expect(try journal.level() == 1)
        try makeSpace(journal)
        _ = try journal.append(many, receivedAt: Timestamp(microseconds: 1))
        #expect(try journal.level() == 2_001)
        #expect(try journal.verify() == [])
    }

    @Test func theWriterKeepsWhatAFullDiskRefuses() throws {
        let journal = try SQLiteJournal(in: directory)
        let writer = JournalWriter(journal)
        try fill(journal)
        for token in UInt64(0)..<2_000 {
            writer.count(
                Entry(.in, deviceId: "remote", source: .hardware), location: "default",
                timestamp: Timestamp(microseconds: 5), token: token)
        }
        #expect(throws: JournalError.self) { try writer.commit(at: Timestamp(microseconds: 6)) }
        #expect(writer.waiting == 2_000)
        writer.takeBack(tokens: [7], timestamp: Timestamp(microseconds: 6))
        try makeSpace(journal)
        try writer.commit(at: Timestamp(microseconds: 7))
        #expect(try journal.level() == 1_999)
        writer.takeBack(tokens: [8], timestamp: Timestamp(microseconds: 8))
        writer.reset(location: "default", user: Ask.me, timestamp: Timestamp(microseconds: 8))
        try writer.commit(at: Timestamp(microseconds: 8))
        writer.undo(Ask.scope, location: "default", timestamp: Timestamp(microseconds: 9))
        try writer.commit(at: Timestamp(microseconds: 9))
        #expect(try journal.level() == 1_998)
    }

    @Test func aJournalThatAnotherOneHoldsIsBusy() throws {
        let journal = try SQLiteJournal(in: directory)
        let other = try SQLiteJournal(in: directory)
        try journal.run(sql: "PRAGMA busy_timeout = 20")
        let outcome = try other.write { _ in
            Result { () throws(JournalError) in try journal.ask(Ask.count()) }
        }
        #expect(outcome == .failure(JournalError(path: journal.path, reason: .busy)))
        #expect(try journal.level() == 0)
        try journal.ask(Ask.count())
        #expect(try journal.level() == 1)
    }

    @Test func aCallWaitsFiveSecondsForOthers() throws {
        let journal = try SQLiteJournal(in: directory)
        #expect(try journal.access { try $0.statement("PRAGMA busy_timeout").integer() } == 5_000)
    }

    @Test func aJournalThatWasRemovedTakesNothing() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count(device: "door"))
        let location = try #require(try journal.locations().first)
        let time = Timestamp(microseconds: 10_000_000)
        try #require(unlink(journal.path) == 0)
        let ways: [() throws -> Void] = [
            { try journal.ask(Ask.count()) },
            { _ = try journal.add(Location(id: "hall", name: "hall", timezone: "UTC")) },
            { _ = try journal.rename(device: "door", to: "x") },
            { _ = try DayEnd(of: location, in: journal, now: time).end(at: time) },
        ]
        for way in ways {
            #expect(throws: JournalError(path: journal.path, reason: .gone)) { try way() }
        }
    }

    @Test func anErrorOfTheReaderEndsTheStream() throws {
        struct BrokenPipe: Error {}
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count(), Ask.count())
        var seen = 0
        #expect(throws: BrokenPipe.self) {
            try journal.forEachRow { _ in
                seen += 1
                throw BrokenPipe()
            }
        }
        #expect(seen == 1)
        #expect(try journal.ask(Ask.count()).first?.isAccepted == true)
    }
}
