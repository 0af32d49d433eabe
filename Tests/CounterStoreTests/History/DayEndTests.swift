import CounterModel
import TestSupport
import Testing

@testable import CounterStore

@Suite final class DayEndTests: NewJournal {
    private func time(_ seconds: Int) -> Timestamp { Timestamp(seconds: seconds) }

    /// Ends the day of `default`, whose hours begin at 0.
    private func endDay(at seconds: Int) throws -> DaySnapshot? {
        let location = try #require(try journal.locations().first)
        let end = try DayEnd(of: location, in: journal, now: time(seconds))
        let preview = try end.preview()
        let snapshots = try end.end(at: time(seconds), by: Ask.me)
        #expect(snapshots == preview && snapshots.count == 1)
        return snapshots.first
    }

    private func count(_ type: EntryType = .in, at seconds: Int...) throws {
        let requests = seconds.map {
            Request(
                locationId: "default", timestamp: time($0),
                .entry(Entry(type, deviceId: "door", source: .hardware)))
        }
        _ = try journal.append(requests, receivedAt: time(seconds.last ?? 0))
    }

    @Test func daysThatEndWithinAMinuteShareNothing() throws {
        try journal.ask(Ask.setting(.capacity(9)))
        try count(at: 3601, 3605, 3610)
        let first = try endDay(at: 3620)
        #expect(first?.totalIn == 3)
        #expect(first?.highestLevel == 3)
        try count(at: 3630)
        let second = try endDay(at: 3640)
        #expect(second?.from == time(3620))
        #expect(second?.totalIn == 1)
        #expect(second?.highestLevel == 1)
        #expect(second?.averageOccupancy == 0.5)
        #expect(second?.peakHour == DaySnapshot.PeakHour(start: time(3620), totalIn: 1))
        let third = try endDay(at: 3650)
        #expect(third?.totalIn == 0)
        #expect(third?.highestLevel == 0)
        #expect(third?.averageOccupancy == 0)
    }

    /// By two seconds, or by more than five minutes.
    @Test(arguments: [2, 200, 400])
    func aDayEndsNowHoweverFarAClockIsAhead(lead: Int) throws {
        let ahead = Ask.count(at: time(3600 + lead).microseconds, device: "ahead")
        try journal.append(ahead, at: time(3600))
        let first = try endDay(at: 3601)
        #expect(first?.totalIn == 1)
        #expect(first?.finalLevel == 1)
        #expect(first?.to == time(3601))
        // From a device with a correct clock, which numbers its events as remote devices do.
        let right = Ask.count(at: time(3602).microseconds, device: "right", number: 1)
        try journal.append(right, at: time(3602))
        #expect(try journal.level() == 1)
        let second = try endDay(at: 3630)
        #expect(second?.from == first?.to)
        #expect(second?.totalIn == 1)
        #expect(try journal.endedDays(of: "default").map(\.snapshot) == [second, first])
    }

    @Test func aDayHasAllThatWasCountedThoughOurClockWasSetBack() throws {
        try count(at: 3600, 3620)
        let first = try endDay(at: 3610)
        #expect(first?.to == time(3610))
        #expect(first?.totalIn == 2)
        #expect(first?.finalLevel == 2)
        try count(at: 3611)
        #expect(try journal.level() == 1)
    }

    @Test func anUndoneEndGivesItsDayBack() throws {
        try count(at: 3601)
        _ = try endDay(at: 3620)
        try takeBackEnd()
        try count(at: 3630)
        let day = try endDay(at: 3640)
        #expect(day?.from == time(0))
        #expect(day?.totalIn == 2)
        #expect(day?.highestLevel == 2)
        #expect(try journal.endedDays(of: "default").map(\.snapshot) == [day])
    }

    private func takeBackEnd() throws {
        let end = try #require(try journal.endedDays(of: "default").first)
        try journal.ask(Ask.void(end.id.number))
    }

    @Test func whatComesBackWithAnEndIsKnownBefore() throws {
        let location = try #require(try journal.location(named: "default"))
        func reopening(_ day: Int) throws -> ReopenedDay? {
            try journal.reopening(try journal.endedDays(of: "default")[day].id, of: location)
        }
        try count(at: 3601, 3602)
        _ = try endDay(at: 3620)
        try count(at: 3630)
        let last = try #require(try reopening(0))
        #expect((last.count, last.newCount, last.wasSetSince) == (1, 3, false))
        _ = try endDay(at: 3640)
        let earlier = try #require(try reopening(1))
        #expect((earlier.count, earlier.newCount, earlier.wasSetSince) == (0, 0, true))
        try takeBackEnd()
        try takeBackEnd()
        #expect(try journal.level() == 3)
        #expect(try journal.reopening(last.day.id, of: location) == nil)
    }

    // MARK: Days that were left open

    /// Of a location with a capacity in UTC, some hours after a Wednesday began.
    private func moment(_ hours: Int) -> Timestamp { Timestamp(seconds: 1_794_960_000 + hours * 3_600) }

    private func opened() throws -> Location {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.append(Ask.setting(.capacity(50), "door"), at: moment(0))
        return try #require(try journal.location(named: "door"))
    }

    private func pass(_ number: Int, at hours: Int) throws {
        let time = moment(hours)
        let entry = Entry(number < 0 ? .out : .in, deviceId: "far", source: .hardware)
        try journal.append(
            Request(locationId: "door", timestamp: time, .entry(entry), .times(abs(number))), at: time)
    }

    @Test func `Days that were left open end at their own ends, and each end is taken back by itself`() throws
    {
        let door = try opened()
        try pass(2, at: 9)
        _ = try DayEnd(of: door, in: journal, now: moment(17)).end(at: moment(17))
        try pass(10, at: 24 + 9)
        try pass(5, at: 48 + 9)
        try pass(-3, at: 48 + 10)
        try pass(4, at: 96 + 9)
        let end = try DayEnd(of: door, in: journal, now: moment(96 + 17))
        let days = try end.preview()
        #expect(try end.end(at: moment(96 + 17)) == days)
        #expect(days.map(\.from) == [24, 48, 96].map(moment))
        #expect(days.map(\.to) == [48, 72, 96 + 17].map(moment))
        #expect(days.map(\.totalIn) == [10, 5, 4] && days.map(\.totalOut) == [0, 3, 0])
        #expect(days.map(\.finalLevel) == [10, 2, 4] && days.map(\.highestLevel) == [10, 5, 4])
        #expect(try journal.endedDays(of: "door").map(\.snapshot).dropLast() == days.reversed()[...])
        let levels = try journal.feed(after: .start, limit: .max).compactMap { row -> Int? in
            if case .endOfDay(_, let level) = row.request.row.content { level } else { nil }
        }
        #expect(levels == [2, 10, 2, 4])
        #expect(try journal.level("door") == 0)
        try pass(1, at: 96 + 18)
        let ended = try journal.endedDays(of: "door")
        let earlier = try #require(try journal.reopening(ended[1].id, of: door))
        #expect((earlier.count, earlier.newCount, earlier.wasSetSince) == (1, 1, true))
        let last = try #require(try journal.reopening(ended[0].id, of: door))
        #expect((last.count, last.newCount, last.wasSetSince) == (1, 5, false))
        for (end, level) in [(ended[0].id, 5), (ended[1].id, 7)] {
            try journal.ask(Ask.void(end.number, "door"))
            #expect(try journal.level("door") == level)
        }
        #expect(try journal.endedDays(of: "door").count == 2)
        #expect(try journal.verify() == [])
    }

    @Test(arguments: Volume.of(sample: 3, full: UInt64(1)...60))
    func `Each day that was left open is archived as if it had begun with 0`(seed: UInt64) throws {
        let door = try opened()
        var random = SplitMix64(seed: seed)
        var passed: [Int: [Int]] = [:]
        var hour = Int.random(in: 0..<30, using: &random)
        while hour < 24 * 9 {
            let number = Int.random(in: -4...5, using: &random)
            if number != 0 { try pass(number, at: hour) }
            if number != 0 { passed[hour / 24, default: []].append(number) }
            hour += Int.random(in: 1...(Bool.random(using: &random) ? 4 : 50), using: &random)
        }
        let now = moment(hour - 1 + 24 * Int.random(in: 0...1, using: &random))
        let days = try DayEnd(of: door, in: journal, now: now).end(at: now)
        let expected = passed.sorted { $0.key < $1.key }
        #expect(days.map(\.from) == expected.map { moment($0.key * 24) })
        #expect(days.map(\.finalLevel) == expected.map { $0.value.reduce(0, +) })
        #expect(days.map(\.totalIn) == expected.map { $0.value.filter { $0 > 0 }.reduce(0, +) })
        let highest = expected.map { day in day.value.indices.map { day.value[...$0].reduce(0, +) }.max() ?? 0
        }
        #expect(days.map(\.highestLevel) == highest.map { max(0, $0) })
        #expect(try journal.level("door") == 0)
        #expect(try journal.verify() == [])
    }

    @Test func `A file's yesterday is no day that a user has left open`() throws {
        let door = try opened()
        try pass(2, at: 9)
        _ = try DayEnd(of: door, in: journal, now: moment(17)).end(at: moment(17))
        let line = ImportLine(fileHash: "file", number: 1)
        let yesterday = moment(48 + 9).microseconds
        try journal.append(Ask.count(at: yesterday, "door", source: .import, line: line), at: moment(72 + 8))
        #expect(try journal.overdueDay(of: door, now: moment(72 + 9)) == nil)
        try pass(1, at: 48 + 10)
        #expect(try journal.overdueDay(of: door, now: moment(72 + 9))?.day.start == moment(48))
    }

    @Test func `A tally of which no day was ever ended archives the present day`() throws {
        let location = try #require(try journal.locations().first)
        for day in 0..<3 {
            try journal.append(Ask.count(at: moment(day * 24 + 9).microseconds), at: moment(day * 24 + 9))
        }
        let days = try DayEnd(of: location, in: journal, now: moment(57 + 4)).end(at: moment(57 + 4))
        #expect(days.map(\.totalIn) == [1] && days.map(\.finalLevel) == [3])
    }

    @Test func `A day in which nothing was counted since the last end is empty`() throws {
        let door = try opened()
        func emptySince(_ hours: Int) throws -> Timestamp? {
            try DayEnd(of: door, in: journal, now: moment(hours)).emptySince
        }
        #expect(try emptySince(8) == nil)
        try pass(2, at: 9)
        _ = try DayEnd(of: door, in: journal, now: moment(17)).end(at: moment(17))
        #expect(try emptySince(17) == moment(17) && emptySince(60) == moment(17))
        try pass(1, at: 60)
        #expect(try emptySince(61) == nil)
    }
}
