import TestSupport
import Testing

@testable import CounterModel
@testable import CounterStore

@Suite final class TimerRowsTests: NewJournal {
    private let moment = TimerMoment(now: Timestamp(microseconds: 5_000_000))

    private func service(_ journal: SQLiteJournal) -> TimerService<SQLiteJournal> {
        TimerService(journal, userId: Ask.me)
    }

    @Test func aTimerIsRowsOfTheJournal() throws {
        try journal.ask(Ask.count())
        let timers = service(journal)
        let timer = try timers.start(TimerSetup(label: "Robins", seconds: 60), at: moment)
        _ = try timers.perform(.pause, on: timer.id, at: moment)
        #expect(try journal.verify() == [])
        #expect(try journal.level() == 1)
        try journal.rebuild()
        #expect(try journal.verify() == [])
        let other = service(try SQLiteJournal(in: directory))
        try other.update()
        #expect(other.board(at: moment).all == timers.board(at: moment).all)
        #expect(other.board(at: moment).timer(timer.id)?.state(at: moment.now) == .paused)
        #expect(throws: JournalError.self) {
            try journal.run(sql: "UPDATE journal SET text = '' WHERE kind = 6")
        }
        #expect(throws: JournalError.self) { try journal.run(sql: "DELETE FROM journal WHERE kind = 6") }
    }

    @Test func twoProgramsStartNoSixthBetweenThem() throws {
        let (one, two) = (
            service(try SQLiteJournal(in: directory)), service(try SQLiteJournal(in: directory))
        )
        try one.update()
        for _ in 0..<5 { _ = try two.start(TimerSetup(label: "x", seconds: 60), at: moment) }
        #expect(throws: TimerRefusal.tooManyTimers(Array(repeating: "x", count: 5))) {
            try one.start(TimerSetup(seconds: 60), at: moment)
        }
        #expect(one.board(at: moment).all == two.board(at: moment).all)
    }

    @Test func aTimerIsNoChangeOfALocation() throws {
        try journal.ask(Ask.count(source: .manual))
        let before = try journal.state(of: "default")
        let timers = service(journal)
        _ = try timers.start(TimerSetup(seconds: 60), at: moment)
        let after = try journal.state(of: "default")
        #expect(after?.lastEventAt == before?.lastEventAt && after?.level == before?.level)
        #expect(try journal.history().count == 1)
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 0)
    }

    @Test func anotherJournalTakesThemOverOnce() throws {
        let timers = service(journal)
        let timer = try timers.start(TimerSetup(label: "a&b=c\u{E9}", seconds: 60), at: moment)
        _ = try timers.perform(.stop, on: timer.id, at: moment)
        let copy = try SQLiteJournal(in: directory, "copy")
        for accepted in [2, 0] {
            #expect(try copy.takeOver(journal).count { $0.position != nil } == accepted)
        }
        let taken = service(copy)
        try taken.update()
        let (all, other) = (timers.board(at: moment).all, taken.board(at: moment).all)
        #expect(other.map(\.setup) == all.map(\.setup) && other.map(\.id) == all.map(\.id))
        #expect(other.map { $0.state(at: moment.now) } == [.stopped])
        #expect(try copy.verify() == [])
    }

    @Test func aRowThatCannotBeReadIsLeftOut() throws {
        try journal.ask(
            Request(locationId: "default", timestamp: moment.now, .timerEvent("of later")))
        let timers = service(journal)
        _ = try timers.start(TimerSetup(seconds: 60), at: moment)
        #expect(timers.board(at: moment).all.count == 1)
        #expect(try journal.verify() == [])
    }

    @Test func thisMachineTellsItsClocks() throws {
        let clock = try #require(ClockReference.ofThisMachine)
        #expect(clock.bootId.count == 36)
        #expect(ClockReference.ofThisMachine?.shift(since: clock) == nil)
    }
}
