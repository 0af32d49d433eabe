import CounterModel
import Testing

@testable import CounterStore

@Suite struct ImportTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func line(_ number: Int, of file: String = "f1") -> ImportLine {
        ImportLine(fileHash: file, number: number)
    }

    private func count(_ number: Int, at time: Int64 = 5, of file: String = "f1") -> Request {
        Ask.count(at: time, source: .import, line: line(number, of: file))
    }

    private let now = Timestamp(microseconds: 10_000)

    @Test func aFileCountsOnce() throws {
        let journal = try SQLiteJournal(in: directory)
        let lines = (1...25).map { count($0) }
        #expect(try journal.import(lines, receivedAt: now, groupSize: 10).accepted == 25)
        let again = try journal.import(lines, receivedAt: now, groupSize: 10)
        #expect(again.accepted == 0)
        #expect(again.duplicate == 25)
        #expect(try journal.level() == 25)
    }

    @Test func anInterruptedImportIsFinished() throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.import((1...10).map { count($0) }, receivedAt: now)
        #expect(try journal.import((1...25).map { count($0) }, receivedAt: now).accepted == 15)
        #expect(try journal.level() == 25)
    }

    @Test func aLineThatWasRefusedMayBeAcceptedLater() throws {
        let journal = try SQLiteJournal(in: directory)
        let lines = [
            Ask.count(.in, at: 5, "door", source: .import, line: line(1)), count(2),
        ]
        var receipts: [Receipt] = []
        let first = try journal.import(lines, receivedAt: now, groupSize: 1) { receipts += $0 }
        #expect(first.accepted == 1)
        #expect(first.refused == 1)
        #expect(receipts.map(\.request) == lines)
        #expect(receipts.map(\.outcome) == [.refused(.unknownLocation), .accepted(Position(1))])
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        let second = try journal.import(lines, receivedAt: now)
        #expect(second.accepted == 1)
        #expect(second.duplicate == 1)
    }

    @Test func anotherFileIsAnotherCount() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(count(1), count(1, of: "f2"))
        #expect(try journal.level() == 2)
    }

    @Test func historyDoesNotMoveToday() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.reset(3, at: 100))
        #expect(
            try journal.ask(count(1, at: 50), Ask.reset(99, at: 60, line: line(2)), count(3, at: 70)) == [
                .accepted(Position(2)), .refused(.lateReset), .accepted(Position(3)),
            ])
        #expect(try journal.level() == 3)
        try journal.ask(count(4, at: 150))
        #expect(try journal.level() == 4)
        #expect(try journal.verify() == [])
    }

    @Test func inAFileTheOrderOfLinesRules() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.reset(10, at: 500, line: line(1)), count(2, at: 400))
        #expect(try journal.level() == 11)
        try journal.ask(Ask.reset(at: 300, line: line(3)))
        #expect(try journal.level() == 0)
        try journal.ask(count(1, at: 200, of: "f2"))
        #expect(try journal.level() == 0)
    }

    @Test func anInterruptedFileGoesOnInItsOwnSegment() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.reset(10, at: 500, line: line(1)), Ask.reset(90, at: 600))
        try journal.ask(count(2, at: 400))
        #expect(try journal.level() == 90)
        #expect(try journal.summary() == "=10 + =90")
        try journal.ask(Ask.void(2))
        #expect(try journal.level() == 11, "it counts after the reset of its own file")
    }

    @Test func aKnownNumberInAFileIsADuplicate() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count(at: 5, number: 8))
        #expect(
            try journal.ask(Ask.count(at: 5, source: .import, number: 8, line: line(1))) == [
                .duplicate(Position(1))
            ])
    }

    @Test func anotherEventWithAKnownNumberIsAConflictAndCounts() throws {
        let journal = try SQLiteJournal(in: directory)
        let lines = [5, 6, 6].enumerated().map { index, time in
            Ask.count(at: time, source: .import, number: 8, line: line(index + 1))
        }
        let summary = try journal.import(lines, receivedAt: now)
        #expect(summary.accepted == 1)
        #expect(summary.conflict == 1)
        #expect(summary.duplicate == 1)
        #expect(try journal.level() == 2)
        #expect(try journal.verify() == [])
    }

    @Test func importingIsNoSignOfLife() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(count(1))
        #expect(try journal.devices().map(\.lastSeenAt) == [nil])
    }

    @Test func anOccupancyIsResetByTheEndOfADayOnly() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.setting(.capacity(5), at: 10))
        #expect(
            try journal.ask(
                Ask.reset(at: 20), Ask.reset(4, at: 20, line: line(1)), Ask.reset(at: 20, line: line(2)))
                == [.refused(.resetOfOccupancy), .refused(.resetOfOccupancy), .accepted(Position(2))])
    }

    @Test func exportsOneLocation() throws {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count("door"), Ask.count(), Ask.reset(4, at: 5, "door"))
        var ids: [Int64] = []
        try journal.forEachRow(of: "door") { ids.append($0.id.number) }
        #expect(ids == [1, 3])
        try journal.forEachRow(of: "nowhere") { _ in Issue.record("nothing is there") }
    }
}
