import CounterModel
import CounterStore
import CounterTUI
import KeyProtocol
import Linux
import Reports
import TestSupport
import Testing
import VolumeInput

@testable import Counting

/// A journal with a session on it, whose keys the test presses.
final class Place {
    let folder: ScratchFolder
    let keys: KeySource
    let session: CountingSession
    /// Another program's connection to the journal.
    let other: SQLiteJournal
    let focusTracker = FocusTracker(
        CapturePolicy(intercept: .auto, always: false, focusSource: .focusReports))

    /// `count` is what another program has counted before.
    init(
        _ locations: [Location] = [], role: UserRole = .admin, step: Int = 1, counting count: Int = 0
    ) throws {
        folder = try ScratchFolder()
        keys = try KeySource(folder)
        other = try SQLiteJournal(directory: folder.path, timezone: "UTC")
        let now = WallClock().now
        for location in locations {
            if let known = try other.location(named: location.id.text) {
                try other.change(known, to: location, at: now)
            } else {
                try other.add(new: location, at: now)
            }
        }
        if count > 0 { try Self.add(count, to: other, at: now) }
        let journal = try SQLiteJournal(
            directory: folder.path, timezone: "UTC", role: role, busyTimeout: CountingSession.busyTimeout)
        var settings = SessionSettings()
        settings.step = step
        session = try CountingSession(
            journal, settings, Preferences(),
            SessionSurroundings(
                keyClient: { [keys] _ in
                    KeyClient(executable: "/bin/false", service: keys.path, settings: KeyClientSettings())
                }, timing: { _ in GestureTiming() },
                changePreference: { _, _ in .success(Preferences()) }, ringer: "/bin/true",
                machine: { Machine(executable: nil, usesService: false) }))
        _ = session.receive(at: .now)
        try keys.accept()
        _ = session.receive(at: .now)
    }

    private static func add(_ count: Int, to journal: SQLiteJournal, at now: Timestamp) throws {
        let entry = Entry(.in, deviceId: Devices.terminal, source: .manual)
        let request = Request(
            locationId: Location.defaultId, userId: "ada", timestamp: now, .entry(entry), .count(count))
        _ = try journal.append([request], receivedAt: now)
    }

    /// Appends an entry as another program, some seconds ago.
    func append(_ type: EntryType, at location: Identifier, ago seconds: Int = 0) throws {
        let time = WallClock().now - .seconds(seconds)
        let entry = Entry(type, deviceId: Devices.commandLine, source: .manual)
        _ = try other.append(
            [Request(locationId: location, userId: "bob", timestamp: time, .entry(entry), order: .ownTime)],
            receivedAt: time)
    }

    /// What is committed.
    func count(of location: Identifier = Location.defaultId) throws -> Int {
        try other.stateOrZero(of: location).currentCount
    }
}

extension Location {
    /// The location that every journal has, with a capacity or a target.
    static func door(capacity: Int? = nil, key: String? = nil) -> Location {
        var location = Location(
            id: defaultId, name: "Door", timezone: "UTC", maxCapacity: capacity)
        location.key = key.flatMap { LocationKey($0) }
        return location
    }

    static func species(_ name: String, key: String) -> Location {
        var location = Location(id: Identifier(name), name: name, timezone: "UTC")
        location.key = LocationKey(key)
        return location
    }
}

/// The screens on a place, as the loop runs them.
final class ScreenDesk {
    let place: Place
    let terminal = RecordedScreen()
    let front: ScreenFrontend
    let loop: MainLoop

    init(_ place: Place, size: Size = Size(columns: 80, rows: 24)) throws {
        self.place = place
        terminal.size = size
        front = try ScreenFrontend(place.session, terminal: terminal, focusTracker: place.focusTracker)
        loop = try MainLoop(place.session, front, signals: SignalDescriptor([]))
        try type([.focusGained])
    }

    func type(_ events: [TerminalEvent]) throws {
        terminal.typed += events
        try loop.turn()
    }

    func type(_ text: String) throws { try type(text.map { $0 == "\n" ? .key(.enter) : .character($0) }) }

    func press(_ keys: CountedKey...) throws {
        for key in keys { try place.keys.press(key) }
        try loop.turn()
    }

    /// Clicks on a text.
    func click(_ text: String) throws {
        let row = try #require(terminal.lines.firstIndex { $0.contains(text) })
        let start = try #require(terminal.lines[row].firstRange(of: text)).lowerBound
        let column = CharacterWidth.columns(String(terminal.lines[row][..<start]))
        try type([.click(Point(column: column, row: row))])
    }

    /// What the top line ends in.
    var count: String { String(terminal.lines[0].split(separator: " ").suffix(2).joined(separator: " ")) }

    func shows(_ text: String) -> Bool { terminal.text.contains(text) }

    /// Turns the loop until a text is shown: what others have committed is noticed, and histories are read, after a moment.
    func wait(for text: String) throws {
        try eventually(text, timeout: .seconds(5), last: { self.terminal.text }) {
            try type([])
            return shows(text)
        }
    }
}
