import CounterModel
import Linux
import Testing

@testable import CounterStore

@Suite struct JournalWriterTests {
    private let directory: TemporaryDirectory
    private let journal: SQLiteJournal
    private let now = Timestamp(microseconds: 1)

    init() throws {
        directory = try TemporaryDirectory()
        journal = try SQLiteJournal(in: directory)
        try journal.run(sql: "PRAGMA busy_timeout = 20")
    }

    private func count(_ writer: JournalWriter) {
        writer.service.count(.in, device: "remote", location: "default", timestamp: now, source: .hardware)
    }

    @Test(arguments: [false, true])
    func whatFindsTheJournalLockedIsRetriedAndStored(always: Bool) throws {
        let writer = JournalWriter(journal, retries: always ? .always : .whileLocked)
        count(writer)
        let other = try SQLiteJournal(in: directory)
        _ = try other.write { _ in
            #expect(throws: JournalError(path: journal.path, reason: .busy)) { try writer.commit(at: now) }
        }
        #expect(writer.retryAt != nil && writer.error?.reason == .busy && writer.service.waiting == 1)
        count(writer)
        #expect(try writer.commit(at: now).count == 2)
        #expect(writer.retryAt == nil && writer.error == nil && writer.service.waiting == 0)
        #expect(try journal.level() == 2)
    }

    @Test func anotherFailureIsRetriedOnlyWhereNobodyPressesAgain() throws {
        try journal.run(sql: "PRAGMA query_only = 1")
        for (retries, isRetried) in [(JournalWriter.Retries.whileLocked, false), (.always, true)] {
            let writer = JournalWriter(journal, retries: retries)
            count(writer)
            #expect(throws: JournalError.self) { try writer.commit(at: now) }
            #expect((writer.retryAt != nil) == isRetried)
        }
    }

    @Test func pausesBetweenRetriesGrowUpToTheirLimit() throws {
        try journal.run(sql: "PRAGMA query_only = 1")
        let writer = JournalWriter(journal, retries: .always)
        count(writer)
        var pauses: [Duration] = []
        for _ in 0..<12 {
            let before = MonotonicTime.now
            _ = try? writer.commit(at: now)
            pauses.append(try #require(writer.retryAt) - before)
        }
        #expect(pauses[0] >= .milliseconds(50) && pauses[0] < .seconds(5))
        #expect(pauses[11] >= .seconds(5))
    }

    @Test func aLockIsWaitedForInShortPausesHoweverOften() throws {
        let writer = JournalWriter(journal, retries: .always)
        count(writer)
        _ = try SQLiteJournal(in: directory).write { _ in
            for _ in 0..<8 { #expect(throws: JournalError.self) { try writer.commit(at: now) } }
        }
        #expect(try #require(writer.retryAt) <= MonotonicTime.now + .milliseconds(50))
    }

    @Test func theEndSaysHowManyAreNotStored() throws {
        try journal.run(sql: "PRAGMA query_only = 1")
        let writer = JournalWriter(journal, retries: .whileLocked)
        try writer.finish("change") { Issue.record("nothing waits") }
        count(writer)
        let failure = #expect(throws: ProgramError.self) {
            try writer.finish("change") { _ = try? writer.commit(at: now) }
        }
        #expect(failure?.message.hasPrefix("1 change is not stored: ") == true)
        #expect(failure?.status == 74)
    }
}
