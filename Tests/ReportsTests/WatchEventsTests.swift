import CounterModel
import CounterStore
import Linux
import TestSupport
import Testing

@testable import Reports

/// What `counter watch` runs its command for when a device falls silent, also after a restart.
@Suite struct WatchEventsTests {
    private let folder: ScratchFolder
    private let journal: SQLiteJournal

    init() throws {
        folder = try ScratchFolder()
        journal = try SQLiteJournal(directory: folder.path, timezone: "UTC")
        _ = try journal.set(.location, of: "door", to: "default", isNew: true, at: Self.at(0))
        try see(at: 0)
    }

    /// A number of seconds after 2026-11-21 12:00 UTC.
    private static func at(_ seconds: Int) -> Timestamp { Timestamp(seconds: 1_795_262_400 + seconds) }

    /// The device is connected for a moment.
    private func see(at seconds: Int) throws {
        try journal.note(came: [("door", "door", "default")], went: [], at: Self.at(seconds))
        try journal.note(came: [], went: ["door"], at: Self.at(seconds))
    }

    /// A watch that waits for `stale` alone or for more, and goes on where an earlier one has ended.
    private func watch(at seconds: Int, for conditions: Set<LocationCondition> = [.stale]) throws
        -> WatchEvents
    {
        let record = try WatchRecord(in: folder.path(of: "watch"), of: ["x"], end: journal.lastPosition())
        return try WatchEvents(
            journal, conditions, only: nil, staleAfter: .seconds(120), pause: .zero, record: record,
            now: Self.at(seconds))
    }

    /// Starts the command of the next event, which is that the location has become stale.
    private func start(_ events: WatchEvents) throws {
        let event = try #require(try events.next())
        #expect(event.condition == .stale)
        try events.start(event) {}
    }

    @Test func `A device that was back before a restart, and is silent after it, is told of again`() throws {
        do {
            let events = try watch(at: 0)
            try events.update(at: Self.at(300))
            try start(events)
            try see(at: 400)
            try events.update(at: Self.at(401))
            #expect(try events.next() == nil)
        }
        try start(watch(at: 1000))
        #expect(try watch(at: 1001).next() == nil)
    }

    @Test func `So is one that falls silent twice while a command runs, where only the first was started`()
        throws
    {
        do {
            let events = try watch(at: 0)
            try events.update(at: Self.at(300))
            try see(at: 400)
            for seconds in [401, 700] { try events.update(at: Self.at(seconds)) }
            try start(events)
        }
        try start(watch(at: 800))
    }

    @Test func `What waits behind a command is told after a restart, though the device is back`() throws {
        let both: Set<LocationCondition> = [.stale, .live]
        do {
            let events = try watch(at: 0, for: both)
            try events.update(at: Self.at(300))
            try see(at: 400)
            try events.update(at: Self.at(401))
        }
        for (condition, devices) in [(LocationCondition.stale, ["door"]), (.live, [])] {
            let events = try watch(at: 410, for: both)
            let event = try #require(try events.next())
            #expect(event.condition == condition && event.staleDevices == devices)
            try events.start(event) {}
        }
        #expect(try watch(at: 420, for: both).next() == nil)
    }
}
