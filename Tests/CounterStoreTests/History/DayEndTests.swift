import CounterModel
import Testing

@testable import CounterStore

@Suite struct DayEndTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func time(_ seconds: Int) -> Timestamp { Timestamp(seconds: seconds) }

    /// Ends the day of `default`, whose hours begin at 0.
    private func endDay(_ journal: SQLiteJournal, at seconds: Int) throws -> DaySnapshot? {
        let location = try #require(try journal.locations().first)
        let calendar = location.calendar(for: time(0)...time(seconds))
        let preview = try journal.snapshot(
            of: location, dayStart: time(0), calendar, now: time(seconds))
        let snapshot = try journal.endDay(
            of: location, dayStart: time(0), calendar, userId: Ask.me, now: time(seconds))
        #expect(snapshot == preview)
        return snapshot
    }

    private func count(_ journal: SQLiteJournal, _ type: EntryType = .in, at seconds: Int...) throws {
        let requests = seconds.map {
            Request(
                locationId: "default", timestamp: time($0),
                .entry(Entry(type, deviceId: "door", source: .hardware)))
        }
        _ = try journal.append(requests, receivedAt: time(seconds.last ?? 0))
    }

    @Test func daysThatEndWithinAMinuteShareNothing() throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.append([Ask.setting(.capacity(9), at: 0)], receivedAt: time(0))
        try count(journal, at: 3601, 3605, 3610)
        let first = try endDay(journal, at: 3620)
        #expect(first?.totalIn == 3)
        #expect(first?.highestLevel == 3)
        try count(journal, at: 3630)
        let second = try endDay(journal, at: 3640)
        #expect(second?.from == time(3620))
        #expect(second?.totalIn == 1)
        #expect(second?.highestLevel == 1)
        #expect(second?.averageOccupancy == 0.5)
        #expect(second?.peakHour == DaySnapshot.PeakHour(start: time(3620), totalIn: 1))
        let third = try endDay(journal, at: 3650)
        #expect(third?.totalIn == 0)
        #expect(third?.highestLevel == 0)
        #expect(third?.averageOccupancy == 0)
    }

    /// By two seconds, or by more than five minutes.
    @Test(arguments: [2, 200, 400])
    func aDayEndsNowHoweverFarAClockIsAhead(lead: Int) throws {
        let journal = try SQLiteJournal(in: directory)
        let ahead = Ask.count(at: time(3600 + lead).microseconds, device: "ahead")
        _ = try journal.append([ahead], receivedAt: time(3600))
        let first = try endDay(journal, at: 3601)
        #expect(first?.totalIn == 1)
        #expect(first?.finalLevel == 1)
        #expect(first?.to == time(3601))
        // From a device with a correct clock, which numbers its events as remote devices do.
        let right = Ask.count(at: time(3602).microseconds, device: "right", number: 1)
        _ = try journal.append([right], receivedAt: time(3602))
        #expect(try journal.level() == 1)
        let second = try endDay(journal, at: 3630)
        #expect(second?.from == first?.to)
        #expect(second?.totalIn == 1)
        #expect(try journal.endedDays(of: "default").map(\.snapshot) == [second, first])
    }

    @Test func aDayHasAllThatWasCountedThoughOurClockWasSetBack() throws {
        let journal = try SQLiteJournal(in: directory)
        try count(journal, at: 3600, 3620)
        let first = try endDay(journal, at: 3610)
        #expect(first?.to == time(3610))
        #expect(first?.totalIn == 2)
        #expect(first?.finalLevel == 2)
        try count(journal, at: 3611)
        #expect(try journal.level() == 1)
    }

    @Test func anUndoneEndGivesItsDayBack() throws {
        let journal = try SQLiteJournal(in: directory)
        try count(journal, at: 3601)
        _ = try endDay(journal, at: 3620)
        try takeBackEnd(journal)
        try count(journal, at: 3630)
        let day = try endDay(journal, at: 3640)
        #expect(day?.from == time(0))
        #expect(day?.totalIn == 2)
        #expect(day?.highestLevel == 2)
        #expect(try journal.endedDays(of: "default").map(\.snapshot) == [day])
    }

    private func takeBackEnd(_ journal: SQLiteJournal) throws {
        let end = try #require(try journal.endedDays(of: "default").first)
        try journal.ask(Ask.void(end.id.number))
    }

    @Test func whatComesBackWithAnEndIsKnownBefore() throws {
        let journal = try SQLiteJournal(in: directory)
        let location = try #require(try journal.location(named: "default"))
        func reopening(_ day: Int) throws -> ReopenedDay? {
            try journal.reopening(try journal.endedDays(of: "default")[day].id, of: location)
        }
        try count(journal, at: 3601, 3602)
        _ = try endDay(journal, at: 3620)
        try count(journal, at: 3630)
        let last = try #require(try reopening(0))
        #expect((last.count, last.newCount, last.wasSetSince) == (1, 3, false))
        _ = try endDay(journal, at: 3640)
        let earlier = try #require(try reopening(1))
        #expect((earlier.count, earlier.newCount, earlier.wasSetSince) == (0, 0, true))
        try takeBackEnd(journal)
        try takeBackEnd(journal)
        #expect(try journal.level() == 3)
        #expect(try journal.reopening(last.day.id, of: location) == nil)
    }
}
