import CSQLite
import CounterModel
import Linux
import Testing

@testable import CounterStore
@testable import SQL

@Suite final class ImportTests: NewJournal {
    private func line(_ number: Int, of file: String = "f1") -> ImportLine {
        ImportLine(fileHash: file, number: number)
    }

    private func count(_ number: Int, at time: Int64 = 5, of file: String = "f1") -> Request {
        Ask.count(at: time, source: .import, line: line(number, of: file))
    }

    @Test func anotherFileIsAnotherCount() throws {
        try journal.ask(count(1), count(1, of: "f2"))
        #expect(try journal.level() == 2)
    }

    @Test func historyDoesNotMoveToday() throws {
        try journal.ask(Ask.reset(3, at: 100))
        #expect(
            try journal.ask(count(1, at: 50), Ask.reset(99, at: 60, line: line(2)), count(3, at: 70)) == [
                .accepted(Position(2)), .accepted(Position(3)), .accepted(Position(4)),
            ])
        #expect(try journal.level() == 3)
        try journal.ask(count(4, at: 150))
        #expect(try journal.level() == 4)
        #expect(try journal.verify() == [])
    }

    @Test func inAFileTheOrderOfLinesRules() throws {
        try journal.ask(Ask.reset(10, at: 500, line: line(1)), count(2, at: 400))
        #expect(try journal.level() == 11)
        try journal.ask(Ask.reset(at: 300, line: line(3)))
        #expect(try journal.level() == 0)
        try journal.ask(count(1, at: 200, of: "f2"))
        #expect(try journal.level() == 0)
    }

    @Test func anInterruptedFileGoesOnInItsOwnSegment() throws {
        try journal.ask(Ask.reset(10, at: 500, line: line(1)), Ask.reset(90, at: 600))
        try journal.ask(count(2, at: 400))
        #expect(try journal.level() == 90)
        #expect(try journal.summary() == "=10 + =90")
        try journal.ask(Ask.void(2))
        #expect(try journal.level() == 11, "it counts after the reset of its own file")
    }

    @Test func aKnownNumberInAFileIsADuplicate() throws {
        try journal.ask(Ask.count(at: 5, number: 8))
        #expect(
            try journal.ask(Ask.count(at: 5, source: .import, number: 8, line: line(1))) == [
                .duplicate(Position(1))
            ])
    }

    @Test func anOccupancyIsResetByTheEndOfADayOnly() throws {
        try journal.ask(Ask.setting(.capacity(5), at: 10))
        #expect(
            try journal.ask(
                Ask.reset(at: 20), Ask.reset(4, at: 20, line: line(1)), Ask.reset(at: 20, line: line(2)))
                == [.refused(.resetOfOccupancy), .refused(.resetOfOccupancy), .accepted(Position(2))])
    }

    @Test func exportsOneLocation() throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count("door"), Ask.count(), Ask.reset(4, at: 5, "door"))
        var ids: [Int64] = []
        try journal.forEachRow(of: "door") { ids.append($0.id.number) }
        #expect(ids == [2, 4])
        try journal.forEachRow(of: "nowhere") { _ in Issue.record("nothing is there") }
    }
}

/// Imports of a whole journal: locations, devices, connections and rows, in any order.
@Suite final class JournalImportTests: NewJournal {
    private let now = Timestamp(seconds: 1_000)

    private func location(_ number: Int) -> ImportItem {
        .former(.location(Location(id: "l\(number)", name: "Location \(number)", timezone: "UTC")))
    }

    private func device(_ number: Int) -> ImportItem {
        .former(
            .device(
                Device(
                    id: "d\(number)", name: "Device \(number)", locationId: "l\(number % 50)",
                    lastSeenAt: nil,
                    isActive: true)))
    }

    private func connection(_ number: Int) -> ImportItem {
        .former(
            .connection(
                PastConnection(
                    deviceId: "d\(number % 400)", locationId: "l\(number % 50)",
                    from: Timestamp(seconds: number), to: Timestamp(seconds: number + 1))))
    }

    private func row(_ position: Int, _ device: Identifier = "d1") -> ImportItem {
        row(position, at: position, of: "l1", .entry(Entry(.in, deviceId: device, source: .hardware)))
    }

    private func name(_ number: Int, _ name: String, at position: Int) -> ImportItem {
        row(position, at: 5, of: "l\(number)", .setting(.name(name)))
    }

    private func row(
        _ position: Int, at second: Int, of location: Identifier, _ content: RowContent
    ) -> ImportItem {
        let identity = RowIdentity(journalId: "other", position: Position(Int64(position)))
        let time = Timestamp(seconds: second)
        return .row(
            JournalRow(
                origin: .journal(identity), locationId: location, timestamp: time, receivedAt: time, content))
    }

    @Test func itIsAsFewTransactionsAsItHasGroups() throws {
        final class Commits { var count = 0 }
        let commits = Commits()
        try journal.access { db in
            _ = sqlite3_commit_hook(
                db.handle,
                { commits in
                    if let commits { Unmanaged<Commits>.fromOpaque(commits).takeUnretainedValue().count += 1 }
                    return 0
                }, Unmanaged.passUnretained(commits).toOpaque())
        }
        let items =
            (0..<50).map(location) + (0..<400).map(device) + (0..<1_000).map(connection)
            + (1...550).map { row($0) }
        var results: [ImportResult] = []
        let summary = try journal.import(items, receivedAt: now, groupSize: 1_000) { results += $0 }
        #expect(commits.count == 2)
        #expect(results.count == 2_000 && summary.accepted == 550)
        #expect(try journal.connections(now: now).count == 1_000)
        #expect(try journal.state(of: "l1")?.level == 550)
        #expect(try journal.verify() == [])
    }

    @Test func aForgottenDeviceStaysSoThoughTheImportIsInterrupted() throws {
        let items = [
            location(1), .former(.forgottenDevice("old")), device(1), row(1, "old"), row(2), row(3, "old"),
        ]
        for count in 0...items.count {
            let journal = try SQLiteJournal(in: directory, "\(count)")
            for part in [items.prefix(count), items[...], items[...]] {
                _ = try journal.import(part, receivedAt: now, groupSize: 2)
            }
            #expect(try journal.devices().map(\.id) == ["d1"], "after \(count)")
            #expect(try journal.state(of: "l1")?.level == 3)
            // It is known again as soon as it is seen.
            try journal.note(came: [("old", "Old", "l1")], went: [], at: now)
            #expect(try journal.devices().map(\.name) == ["Old", "Device 1"])
        }
    }

    @Test func aDeviceThatIsKnownHereIsNotForgotten() throws {
        try journal.know(device: "old")
        _ = try journal.import(
            [location(1), .former(.forgottenDevice("old")), row(1, "old")], receivedAt: now)
        #expect(try journal.devices().map(\.id) == ["old"])
    }

    @Test func locationsThatHaveExchangedTheirNamesAreTakenAgain() throws {
        let items = [
            location(1), location(2), name(1, "Hall", at: 1), name(2, "Location 1", at: 2),
            name(1, "Location 2", at: 3),
        ]
        for _ in 1...2 {
            var results: [ImportResult] = []
            _ = try journal.import(items, receivedAt: now) { results += $0 }
            #expect(results.prefix(2) == [.stored, .stored])
            #expect(try journal.locations().map(\.name) == ["default", "Location 2", "Location 1"])
        }
    }
}
