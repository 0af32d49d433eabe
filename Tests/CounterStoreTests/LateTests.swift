import CounterModel
import Testing

@testable import CounterStore

@Suite final class LateTests: NewJournal {
    @Test func atTheResetsOwnTimeItIsNotLate() throws {
        try journal.ask(Ask.reset(at: 200), Ask.count(at: 200, number: 1), Ask.count(at: 199, number: 2))
        #expect(try journal.level() == 1)
    }

    @Test(arguments: [EventSource.hardware, .manual])
    func ourOwnClockMayStepBack(source: EventSource) throws {
        try journal.ask(Ask.reset(at: 500))
        let back = Timestamp(microseconds: 100)
        try journal.append(Ask.count(at: 100, source: source), at: back)
        #expect(try journal.level() == 1)
    }

    @Test func whatIsHeardAfterTheResetAndHappenedBeforeItIsLateWithoutANumberToo() throws {
        try journal.ask(Ask.reset(at: 500), Ask.count(at: 499, order: .ownTime), Ask.count(at: 500))
        #expect(try journal.summary() == "+ =0 +")
        #expect(try journal.level() == 1)
    }

    @Test func itFindsTheSegmentOfItsTime() throws {
        try journal.ask(Ask.reset(10, at: 100), Ask.reset(20, at: 200), Ask.reset(30, at: 300))
        try journal.ask(
            Ask.count(at: 150, number: 1), Ask.count(at: 50, number: 2), Ask.count(at: 200, number: 3))
        #expect(try journal.summary() == "+ =10 + =20 + =30")
        var levels: [Int] = []
        for reset in [3, 2, 1] as [Int64] {
            try journal.ask(Ask.void(reset))
            levels.append(try journal.level())
        }
        #expect(levels == [21, 12, 3])
    }

    @Test func `What a clock ahead has said of a device orders what is said of it afterwards, and no counts`()
        throws
    {
        let ahead = Timestamp(seconds: 86_400 * 365)
        let identity = RowIdentity(journalId: String(repeating: "a", count: 32), position: Position(1))
        let named = JournalRow(
            origin: .journal(identity), locationId: nil, timestamp: ahead, receivedAt: ahead,
            .device("remote", .name("Dor")))
        try journal.append(Request(named), at: Timestamp(seconds: 10))
        for (second, opened) in [(20, journal), (30, try SQLiteJournal(in: directory))] {
            let time = Timestamp(seconds: second)
            try opened.append(Ask.count(at: time.microseconds), at: time)
            let last = try opened.feed(after: .start, limit: .max).last?.row
            #expect(last?.orderedAt == time)
        }
        let now = Timestamp(seconds: 40)
        #expect(try journal.set(.name("Door"), of: "remote", at: now))
        #expect(try journal.devices().first { $0.id == "remote" }?.name == "Door")
        #expect(try journal.verify() == [])
    }

    @Test func theTimesAreThoseOfTheLastRowsInTheOrder() throws {
        try journal.ask(Ask.count(at: 100), Ask.reset(at: 200), Ask.count(at: 150, number: 1))
        try journal.ask(Ask.count(at: 120, number: 2))
        let state = try #require(try journal.state(of: "default"))
        #expect(state.lastUpdated == Timestamp(microseconds: 200))
        #expect(state.lastEventAt == Timestamp(microseconds: 150))
        #expect(state.position == Position(4))
        #expect(try journal.verify() == [])
    }

    @Test func aTimeFarAheadOfUsCountsWhenReceived() throws {
        let far = 10_000_000 + 300_000_001 as Int64
        try journal.ask(Ask.reset(at: far))
        try journal.ask(Ask.count(at: 10_000_000, number: 1), Ask.count(at: 9_999_999, number: 2))
        #expect(try journal.level() == 1)
        #expect(try journal.state(of: "default")?.lastEventAt == Timestamp(microseconds: 10_000_000))
    }
}
