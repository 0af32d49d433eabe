import Testing

@testable import CounterModel
@testable import CounterStore

/// A timer that starts with the first count: in its transaction, and only with one that counts.
@Suite final class PreparedTimerTests: NewJournal {
    private let now = Timestamp(microseconds: 5_000_000)

    private func prepare(most: Int = 5) {
        var settings = TimerSettings()
        settings.mostTimers = most
        journal.prepared = PreparedTimer(
            TimerSetup(label: "Round", seconds: 60), presetId: nil, userId: Ask.me, settings: settings)
    }

    private func timers() throws -> [TimerData] {
        let service = TimerService(journal, userId: Ask.me)
        try service.update()
        return service.board(at: TimerMoment(now: now)).all
    }

    @Test func aCountThatIsRefusedStartsNothing() throws {
        try journal.append(Ask.setting(.capacity(1), at: 1), at: now)
        try journal.ask(Ask.entries(1))
        prepare()
        let full = try journal.append([Ask.entries(1, at: 2_000)], receivedAt: now)
        #expect(full.map(\.outcome) == [.refused(.full(room: 0))])
        #expect(try timers().isEmpty && journal.prepared != nil)
        try journal.append(
            Ask.entries(1, at: 3_000), Ask.entries(-1, at: 4_000), Ask.entries(1, at: 6_000), at: now)
        let timer = try #require(try timers().first)
        #expect(timer.createdAt == Timestamp(microseconds: 4_000) && journal.prepared == nil)
        let result = try journal.result(of: timer, at: now)
        #expect(result.totalIn == 1 && result.totalOut == 1)
        #expect(try journal.verify() == [])
    }

    @Test func neitherAnUndoNorARowFromElsewhereStartsIt() throws {
        let other = try SQLiteJournal(in: directory, "other")
        try other.ask(Ask.count())
        try journal.ask(Ask.count())
        prepare()
        let rows = try other.feed(after: .start, limit: 10).map(\.request)
        _ = try journal.append(rows + [Ask.undo()], receivedAt: now)
        #expect(try timers().isEmpty && journal.prepared != nil)
    }

    @Test func whereTheCountIsNotStoredTheTimerWaitsWithIt() throws {
        let other = try SQLiteJournal(in: directory)
        try journal.run(sql: "PRAGMA busy_timeout = 20")
        prepare()
        let outcome = try other.write { _ in
            Result { () throws(JournalError) in try journal.append([Ask.count()], receivedAt: now) }
        }
        #expect(throws: JournalError.self) { try outcome.get() }
        #expect(journal.prepared != nil)
        try journal.append(Ask.count(), at: now)
        #expect(try timers().map(\.createdAt) == [Timestamp(microseconds: 1_000)])
    }

    @Test func whatIsOneTooManyIsRefusedAndTheCountIsNot() throws {
        prepare()
        try journal.append(Ask.count(), at: now)
        prepare(most: 1)
        try journal.append(Ask.count(at: 2_000), at: now)
        #expect(journal.refusedStart == .tooManyTimers(["Round"]) && journal.prepared == nil)
        #expect(try journal.level() == 2)
    }
}
