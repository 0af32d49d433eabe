import CounterModel
import CounterStore
import Linux
import TestSupport
import Testing

@testable import Transfer

/// A session of `ingest` to which nothing is sent.
@Suite struct IdleIngestTests {
    private let folder: ScratchFolder
    private let journal: SQLiteJournal
    private let session: IngestSession
    private let clock = Clock()

    /// A clock that the test sets, at 9:00 of a Monday.
    private final class Clock {
        /// 2026-10-19 00:00 UTC.
        static let monday = 1_792_368_000
        var hour = 9
        var now: Timestamp { Timestamp(seconds: Self.monday + hour * 3600) }
    }

    /// A location whose days end by themselves, with one entry.
    init() throws {
        folder = try ScratchFolder()
        journal = try SQLiteJournal(
            directory: folder.path + "/data", timezone: "UTC", busyTimeout: 0.01)
        let entry = Entry(.in, deviceId: "door", source: .hardware)
        for change in [RowContent.setting(.endsDaysAutomatically(true)), .entry(entry)] {
            _ = try journal.append(
                [Request(locationId: "default", timestamp: clock.now, change)], receivedAt: clock.now)
        }
        session = try IngestSession(
            journal, location: "default",
            follower: try JournalFollower(journal),
            now: { [clock] in clock.now })
    }

    @Test func `A day ends by itself when it is over, without a line`() throws {
        #expect(session.wallDeadline == Timestamp(seconds: Clock.monday + 24 * 3600))
        session.advance(at: .now)
        #expect(try journal.endedDays(of: "default").isEmpty)
        clock.hour = 25
        session.advance(at: .now)
        #expect(try journal.endedDays(of: "default").map(\.snapshot.totalIn) == [1])
        #expect(try journal.stateOrZero(of: "default").level == 0)
    }

    @Test func `A day that could not be ended, because the journal was locked, ends soon after`() throws {
        let other = try RawDatabase(journal.path)
        try other.execute("BEGIN IMMEDIATE")
        clock.hour = 25
        session.advance(at: .now)
        #expect(try journal.endedDays(of: "default").isEmpty)
        let deadline = try #require(session.deadline)
        #expect(deadline < .now + .seconds(2))
        try other.execute("COMMIT")
        try eventually("the day to end") {
            session.advance(at: .now)
            return try journal.endedDays(of: "default").count == 1
        }
    }
}

/// Which devices are connected, as far as the journal knows.
@Suite struct DevicePresenceTests {
    @Test func `Many devices are stored a part at a time, each in the order in which it came`() {
        var presence = DevicePresence()
        let devices: [Identifier] = (0..<2_500).map { "door-\($0)" }
        for device in devices { presence.connect(device, "hall") }
        var stored: [Identifier] = []
        while !presence.isStored {
            #expect(presence.change.came.count <= DevicePresence.maxChanged)
            #expect(presence.change.went.isEmpty)
            stored += presence.change.came.map(\.id)
            presence.isTold()
        }
        #expect(stored == devices)
        for device in devices { presence.disconnect(device) }
        var gone: [Identifier] = []
        while !presence.isStored {
            #expect(presence.change.came.isEmpty && presence.change.went.count <= DevicePresence.maxChanged)
            gone += presence.change.went
            presence.isTold()
        }
        #expect(gone == devices)
    }

    @Test func `One more connection of a device is no change, and neither is its end`() {
        var presence = DevicePresence()
        for _ in 1...2 { presence.connect("door", "hall") }
        #expect(presence.change.came.map(\.id) == ["door"])
        presence.isTold()
        presence.connect("door", "hall")
        presence.disconnect("door")
        #expect(presence.change.came.isEmpty && presence.change.went.isEmpty)
        presence.isTold()
        for _ in 1...2 { presence.disconnect("door") }
        #expect(presence.change.went == ["door"])
    }

    @Test func `A device that came and went meanwhile was there`() {
        var presence = DevicePresence()
        presence.connect("door", "hall")
        presence.disconnect("door")
        #expect(presence.change.came.map(\.id) == ["door"] && presence.change.went == ["door"])
        presence.isTold()
        #expect(presence.isStored)
    }
}

/// Which connection is closed where there are too many.
@Suite struct ConnectionStandingTests {
    private let start = MonotonicTime.now

    /// A connection that sent its last line so many seconds after the start.
    private func connection(_ user: UInt32, _ process: Int32, lines: Bool = false, at seconds: Int)
        -> ConnectionStanding
    {
        ConnectionStanding(
            user: user, process: process, hasLines: lines, lastLine: start + .seconds(seconds))
    }

    private func closed(_ connections: [ConnectionStanding]) -> Int? {
        ConnectionStanding.indexToClose(connections)
    }

    @Test func `Of the user with most connections, the one that was silent for longest`() {
        let mine = connection(1000, 1, at: 0)
        let others = (2...5).map { connection(1001, Int32($0), at: 10 - $0) }
        #expect(closed([mine] + others) == 4)
        #expect(closed([mine] + others + [connection(1000, 6, at: 20)]) == 4)
    }

    @Test func `Of the process with most connections`() {
        let quiet = [connection(1000, 1, at: 0), connection(1000, 2, at: 1)]
        let flood = (0..<5).map { connection(1000, 3, lines: true, at: 10 + $0) }
        #expect(closed(quiet + flood) == 2)
        #expect(closed(quiet + flood + [connection(1000, 4, at: 30)]) == 2)
    }

    @Test func `Where each has a process of its own, one whose lines wait is kept`() {
        let all = [
            connection(1000, 1, lines: true, at: 0), connection(1000, 2, at: 9), connection(1000, 3, at: 5),
        ]
        #expect(closed(all) == 2)
        #expect(closed([]) == nil)
    }
}
