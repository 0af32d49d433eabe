import CounterModel
import Testing

@testable import CounterStore

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
