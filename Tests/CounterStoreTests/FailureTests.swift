import Glibc
import Testing

@testable import CounterModel
@testable import CounterStore

@Suite struct FailureTests {
    let directory = TemporaryDirectory()

    @Test func onAFullDiskNothingIsStoredAndLaterAllOfIt() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count())
        // Enough rows for several pages, so that the file has to grow. SQLite reports SQLITE_FULL when its page limit is reached, as it
        // does when the disk is full.
        let many = (0..<2_000).map { _ in Ask.count() }
        try journal.run(sql: "PRAGMA max_page_count = 1")
        let error = #expect(throws: JournalError.self) {
            try journal.append(many, receivedAt: Timestamp(microseconds: 1))
        }
        #expect(error == JournalError(path: journal.path, reason: .diskFull))
        #expect(try journal.level() == 1)
        try journal.run(sql: "PRAGMA max_page_count = 1000000")
        _ = try journal.append(many, receivedAt: Timestamp(microseconds: 1))
        #expect(try journal.level() == 2_001)
        #expect(try journal.verify() == [])
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

@Suite struct TwoWritersTests {
    let directory = TemporaryDirectory()

    @Test func eachSeesTheOthersChanges() throws {
        let one = try SQLiteJournal(in: directory)
        let two = try SQLiteJournal(in: directory)
        let before = try two.dataVersion()
        try two.ask(Ask.count())
        #expect(try two.dataVersion() == before, "its own commits do not wake it")
        try one.ask(Ask.count())
        #expect(try two.dataVersion() != before)
        #expect(try two.level() == 2)
        try two.ask(Ask.undo())
        #expect(try one.level() == 1)
        #expect(try one.ask(Ask.count()).first?.position == 4)
        #expect(try one.verify() == [])
    }

    @Test func bothCountAtOnce() async throws {
        let path = directory.path + "/data"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    // Each opens the journal itself, so that making it is a race too. On a slow disk the lock takes
                    // long to get: the program that has just committed is mostly the first to take it again.
                    let journal = try SQLiteJournal(directory: path, timezone: "UTC", busyTimeout: 60)
                    for _ in 0..<50 {
                        try journal.ask(Ask.count(device: "device \(writer)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        let journal = try SQLiteJournal(directory: path, timezone: "UTC")
        #expect(try journal.level() == 200)
        #expect(try journal.verify() == [])
    }
}

/// A viewer's journal refuses every write.
@Suite struct ViewerTests {
    let directory = TemporaryDirectory()
    let viewer: SQLiteJournal

    init() throws {
        let admin = try SQLiteJournal(in: directory)
        try admin.ask(Ask.count(device: "door"))
        viewer = try SQLiteJournal(directory: directory.path + "/data", timezone: "UTC", role: .viewer)
    }

    @Test func eachWayToChangeSomethingIsRefusedAndLeavesAllAsItWas() throws {
        let location = try #require(try viewer.locations().first)
        let time = Timestamp(microseconds: 10_000_000)
        let ways: [() throws -> Void] = [
            { try viewer.ask(Ask.count()) },
            { _ = try viewer.import([.row(Ask.count().row)], receivedAt: time) },
            { _ = try viewer.add(Location(id: "hall", name: "hall", timezone: "UTC")) },
            { try viewer.note(came: [("usb:1", "a", "default")], went: [], at: time) },
            { _ = try viewer.assign(device: "door", to: "default") },
            { _ = try viewer.rename(device: "door", to: "x") },
            { _ = try viewer.setActive(false, device: "door") },
            { _ = try DayEnd(of: location, in: viewer, now: time).end(at: time) },
            { try viewer.rebuild() },
            {
                let moment = TimerMoment(now: time)
                _ = try TimerService(viewer, userId: Ask.me).start(TimerSetup(seconds: 60), at: moment)
            },
        ]
        let before = contents(of: viewer.path + "-wal")
        for way in ways {
            #expect(throws: JournalError(path: viewer.path, reason: .viewerOnly)) { try way() }
        }
        #expect(contents(of: viewer.path + "-wal") == before)
        #expect(try viewer.level() == 1)
    }

    @Test func whatWouldWritePastThatIsRefusedBySQLite() throws {
        #expect(throws: JournalError.self) { try viewer.run(sql: "UPDATE device SET name = 'x'") }
        #expect(try viewer.devices().map(\.name) == ["door"])
    }

    @Test func noJournalIsMade() throws {
        let path = directory.path + "/none"
        #expect(throws: JournalError.self) {
            try SQLiteJournal(directory: path, timezone: "UTC", role: .viewer)
        }
        #expect(directory.names(in: directory.path) == ["data"])
    }
}
