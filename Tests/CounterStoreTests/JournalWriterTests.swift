import CounterModel
import Linux
import Testing

@testable import CounterStore

/// What is queued, dropped, and appended as one transaction.
@Suite final class JournalWriterTests: NewJournal {
    private lazy var writer = JournalWriter(journal)

    private func count(
        _ token: UInt64, _ type: EntryType = .in, times: Int = 1, device: Identifier = "remote",
        continues: Bool = false
    ) {
        let entry = Entry(type, deviceId: device, source: .hardware, continuesHold: continues)
        writer.add(
            Request(locationId: "default", timestamp: time(Int64(token)), .entry(entry), .count(times)),
            token: token)
    }

    private func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }

    /// Commits, and returns the transaction in short form: `in`, `in+` for a repeat, `10 in`, `void 3`, `reset 0`, `undo`.
    @discardableResult
    private func commit() throws -> [String] {
        try writer.commit(at: time(99)).map { receipt in
            switch (receipt.request.row.content, receipt.request.work) {
            case (.entry(let entry), let work):
                (work == .append ? "" : "\(receipt.count) ") + entry.type.rawValue
                    + (entry.continuesHold ? "+" : "")
            case (.void, .undo): "undo"
            case (.void, .voidPress(let rows)): "void \(rows.lowerBound.number)-\(rows.upperBound.number)"
            case (.void(let position, _), _): "void \(position.number)"
            case (.reset(let reset), _): "reset \(reset.value)"
            default: "\(receipt.request)"
            }
        }
    }

    @Test func `All that waits is one transaction, in order`() throws {
        count(1)
        count(2, .out)
        writer.add(Ask.reset(5, at: 3))
        writer.add(Ask.undo(at: 4))
        #expect(writer.waiting == 4)
        let receipts = try writer.commit(at: time(99))
        #expect(receipts.prefix(3).map(\.outcome) == (1...3).map { .accepted(Position($0)) })
        #expect(receipts.last?.outcome == .undone(Position(4), Undone(.reset(value: 5), at: time(3))))
        #expect(receipts.map(\.request.row.timestamp.microseconds) == [1, 2, 3, 4])
        #expect(writer.waiting == 0)
        #expect(try writer.commit(at: time(100)).isEmpty)
    }

    @Test func `A failed commit keeps everything in order`() throws {
        try journal.run(sql: "PRAGMA query_only = 1")
        count(1)
        #expect(throws: JournalError.self) { try commit() }
        count(2, .out)
        #expect(throws: JournalError.self) { try commit() }
        #expect(writer.waiting == 2)
        try journal.run(sql: "PRAGMA query_only = 0")
        #expect(try commit() == ["in", "out"])
    }

    @Test func `A count that waits is dropped, a stored one is made void once`() throws {
        count(1)
        count(2)
        writer.takeBack(tokens: [1], timestamp: time(3))
        #expect(try commit() == ["in"])
        count(8)
        try commit()
        writer.takeBack(tokens: [8, 8, 1234], timestamp: time(9))
        #expect(try commit() == ["void 2"])
        #expect(try journal.level() == 1)
    }

    @Test func `A chord voids and resets in one transaction`() throws {
        count(1)
        try commit()
        count(2, .out)
        writer.takeBack(tokens: [1, 2], timestamp: time(3))
        writer.add(Ask.reset(at: 3))
        #expect(try commit() == ["void 1", "reset 0"])
    }

    @Test func `Every repeat of a long hold can be taken back`() throws {
        for token in UInt64(1)...3_000 { count(token, continues: token > 1) }
        try commit()
        writer.takeBack(tokens: UInt64(1)...3_000, timestamp: time(0))
        #expect(writer.waiting == 3_000)
    }

    @Test func `A press of ten is taken back as a whole`() throws {
        count(1, times: 10)
        count(2, times: 10, continues: true)
        #expect(try commit() == ["10 in", "10 in+"])
        count(3, times: 10, continues: true)
        writer.takeBack(tokens: [2, 3], timestamp: time(4))
        #expect(try commit() == ["void 11-20"])
        #expect(try journal.level() == 10)
    }

    @Test func `The next repeat begins a hold whose first count was dropped`() throws {
        count(1)
        count(2, device: "other", continues: true)
        count(3, continues: true)
        count(4, continues: true)
        writer.takeBack(tokens: [1], timestamp: time(5))
        #expect(try commit() == ["in+", "in", "in+"])
        count(6, times: 10)
        count(7, times: 10, continues: true)
        writer.takeBack(tokens: [6], timestamp: time(8))
        #expect(try commit() == ["10 in"])
        // A repeat that comes later begins it too.
        count(9)
        writer.takeBack(tokens: [9], timestamp: time(10))
        count(11, continues: true)
        count(12, continues: true)
        #expect(try commit() == ["in", "in+"])
    }

    @Test func `Of very many counts the oldest are forgotten`() throws {
        for token in UInt64(1)...8_193 { count(token) }
        try commit()
        writer.takeBack(tokens: [1, 4_097], timestamp: time(8_194))
        #expect(writer.waiting == 0)
        writer.takeBack(tokens: [4_098, 4_098, 8_193], timestamp: time(8_194))
        #expect(try commit() == ["void 4098", "void 8193"])
    }
}

/// Which events of devices count, and where.
@Suite struct DeviceIngestionServiceTests {
    private let directory = TemporaryDirectory()
    private let writer: JournalWriter
    private let ingestion: DeviceIngestionService

    init() throws {
        writer = JournalWriter(try SQLiteJournal(in: directory))
        ingestion = DeviceIngestionService(writer, location: "hall")
        ingestion.update(devices: [
            Device(id: "assigned", name: "A", locationId: "door", lastSeenAt: nil, isActive: true),
            Device(id: "disabled", name: "B", locationId: nil, lastSeenAt: nil, isActive: false),
        ])
    }

    private func receive(_ device: Identifier, at location: Identifier? = nil) -> Bool {
        ingestion.receive(
            Entry(.in, deviceId: device, source: .hardware), location: location,
            timestamp: Timestamp(microseconds: 1))
    }

    private func committed() throws -> [JournalRow] {
        try writer.commit(at: Timestamp(microseconds: 99)).map(\.request.row)
    }

    @Test(arguments: [
        ("assigned", Identifier?.none, "door"), ("assigned", "gate", "gate"), ("unknown", nil, "hall"),
    ])
    func `An event counts where it says, else where its device is assigned, else where all count`(
        device: Identifier, named: Identifier?, location: Identifier
    ) throws {
        #expect(receive(device, at: named))
        #expect(try committed().map(\.locationId) == [location])
    }

    @Test func `A device that is disabled does not count`() throws {
        #expect(!receive("disabled"))
        #expect(try committed().isEmpty)
        ingestion.update(devices: [])
        #expect(receive("disabled"))
        #expect(try committed().count == 1)
    }

    @Test func `An event keeps its number, its time and its hold`() throws {
        let (time, entry) = (
            Timestamp(microseconds: 7),
            Entry(.out, deviceId: "far", source: .hardware, sequenceNumber: 3, continuesHold: true)
        )
        ingestion.receive(entry, timestamp: time)
        let row = try #require(try committed().first)
        #expect(row.timestamp == time && row.content == .entry(entry))
    }

    /// "Tür" with one code point for ü and with two is the same text to Swift, and two devices to the journal.
    @Test func `Devices whose ids are the same text in other bytes are two`() throws {
        let (composed, decomposed): (Identifier, Identifier) = ("T\u{FC}r", "Tu\u{308}r")
        let known = [(composed, Identifier("north"), true), (decomposed, "south", false)].map {
            Device(id: $0, name: $0.text, locationId: $1, lastSeenAt: nil, isActive: $2)
        }
        ingestion.update(devices: known)
        #expect([composed, decomposed].map(ingestion.location) == ["north", "south"])
        #expect([composed, decomposed].map(ingestion.isActive) == [true, false])
        let devices = Devices(known)
        #expect([composed, decomposed].map { devices.location(of: $0, else: "hall") } == ["north", "south"])
        #expect(devices.inactive == [decomposed])
        #expect(Set([composed, decomposed]).count == 2 && decomposed < composed)
    }

    @Test func `A row of another journal is asked for as it is`() throws {
        let row = JournalRow(
            origin: .journal(RowIdentity(journalId: "other", position: Position(9))), locationId: "door",
            timestamp: Timestamp(microseconds: 1), receivedAt: Timestamp(microseconds: 2),
            .void(Position(4), of: "other"))
        writer.add(Request(row))
        #expect(try committed() == [row])
    }
}

/// When what could not be stored is tried again.
@Suite final class JournalRetryTests: NewJournal {
    private let now = Timestamp(microseconds: 1)

    override init() throws {
        try super.init()
        try journal.run(sql: "PRAGMA busy_timeout = 20")
    }

    @Test(arguments: [false, true])
    func whatFindsTheJournalLockedIsRetriedAndStored(always: Bool) throws {
        let writer = JournalWriter(journal, retries: always ? .always : .whileLocked)
        writer.add(Ask.count())
        let other = try SQLiteJournal(in: directory)
        _ = try other.write { _ in
            #expect(throws: JournalError(path: journal.path, reason: .busy)) { try writer.commit(at: now) }
        }
        #expect(writer.retryAt != nil && writer.error?.reason == .busy && writer.waiting == 1)
        writer.add(Ask.count())
        #expect(try writer.commit(at: now).count == 2)
        #expect(writer.retryAt == nil && writer.error == nil && writer.waiting == 0)
        #expect(try journal.level() == 2)
    }

    @Test func anotherFailureIsRetriedOnlyWhereNobodyPressesAgain() throws {
        try journal.run(sql: "PRAGMA query_only = 1")
        for (retries, isRetried) in [(JournalWriter.Retries.whileLocked, false), (.always, true)] {
            let writer = JournalWriter(journal, retries: retries)
            writer.add(Ask.count())
            #expect(throws: JournalError.self) { try writer.commit(at: now) }
            #expect((writer.retryAt != nil) == isRetried)
        }
    }

    @Test func pausesBetweenRetriesGrowUpToTheirLimit() throws {
        try journal.run(sql: "PRAGMA query_only = 1")
        let writer = JournalWriter(journal, retries: .always)
        writer.add(Ask.count())
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
        writer.add(Ask.count())
        _ = try SQLiteJournal(in: directory).write { _ in
            for _ in 0..<8 { #expect(throws: JournalError.self) { try writer.commit(at: now) } }
        }
        #expect(try #require(writer.retryAt) <= MonotonicTime.now + .milliseconds(50))
    }

    @Test func theEndSaysHowManyAreNotStored() throws {
        try journal.run(sql: "PRAGMA query_only = 1")
        let writer = JournalWriter(journal, retries: .whileLocked)
        try writer.finish("change") { Issue.record("nothing waits") }
        writer.add(Ask.count())
        let failure = #expect(throws: ProgramError.self) {
            try writer.finish("change") { _ = try? writer.commit(at: now) }
        }
        #expect(failure?.message.hasPrefix("1 change is not stored: ") == true)
        #expect(failure?.status == 74)
    }
}
