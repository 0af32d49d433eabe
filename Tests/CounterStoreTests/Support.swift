import CounterModel
import Glibc
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// A directory that is removed with its content when its owner goes.
final class TemporaryDirectory {
    var path: String { folder.path }
    private let folder: ScratchFolder

    init() {
        do { folder = try ScratchFolder() } catch { fatalError("\(error)") }
    }

    /// The names in a directory, sorted; empty if there is none.
    func names(in path: String) -> [String] { directoryEntries(of: path, hidden: true).sorted() }
}

/// What most suites work on: a new journal for each test.
class NewJournal {
    let directory = TemporaryDirectory()
    let journal: SQLiteJournal

    init() throws { journal = try SQLiteJournal(in: directory) }
}

/// The bytes of a file; empty if there is none.
func contents(of path: String) -> [UInt8] {
    (try? Descriptor(opening: path, flags: O_RDONLY).readAll(limit: .max)) ?? []
}

/// Writes a file, or overwrites a part of it.
func write(_ bytes: [UInt8], to path: String, at offset: Int = 0) throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try #require(pwrite(file, bytes, bytes.count, offset) == bytes.count)
}

/// Short forms of requests.
enum Ask {
    /// The user of all that is done by hand.
    static let me = "anna"
    /// All devices of these tests but `stranger`.
    static let scope = UndoScope(
        userId: me,
        deviceIds: [
            "remote", "a", "b", "c", "far", "fardefault", "fardoor", "file", "terminal", "hand", "default",
            "door",
            "defaulta", "defaultb", "doora", "doorb", "defaultkey", "doorkey",
        ])

    static func count(
        _ type: EntryType = .in, at time: Int64 = 1_000, _ location: Identifier = "default",
        device: Identifier = "remote",
        source: EventSource = .hardware, number: Int? = nil, continues: Bool = false, line: ImportLine? = nil,
        order: Request.Order? = nil
    ) -> Request {
        let entry = Entry(
            type, deviceId: device, source: source, sequenceNumber: number, continuesHold: continues)
        // A device that numbers its events has a clock of its own; keys count now.
        let isOwn = number != nil || source == .import
        return request(
            location, time, .entry(entry), line: line, order: order ?? (isOwn ? .ownTime : .now))
    }

    /// So many counts by hand as one change, out where negative.
    static func entries(
        _ count: Int, at time: Int64 = 1_000, _ location: Identifier = "default", user: String = me
    )
        -> Request
    {
        let entry = Entry(count < 0 ? .out : .in, deviceId: Devices.commandLine, source: .manual)
        return request(location, time, .entry(entry), .times(abs(count)), user: user)
    }

    /// A press that counts so many.
    static func press(
        _ type: EntryType = .in, at time: Int64 = 1_000, _ location: Identifier = "default", times: Int,
        continues: Bool = false
    ) -> Request {
        let entry = Entry(type, deviceId: location, source: .hardware, continuesHold: continues)
        return request(location, time, .entry(entry), .times(times))
    }

    static func void(_ rows: ClosedRange<Int64>, _ location: Identifier = "default") -> Request {
        request(
            location, 1_000, .voidByWork, .voidPress(Position(rows.lowerBound)...Position(rows.upperBound)))
    }

    static func correction(
        _ amount: Correction.Amount, at time: Int64 = 1_000, _ location: Identifier = "default",
        user: String = me, line: ImportLine? = nil
    ) -> Request {
        let (correction, work) = amount.correction(deviceId: Devices.terminal, reason: "why")
        return request(location, time, correction, work, user: user, line: line)
    }

    static func reset(
        _ value: Int = 0, at time: Int64 = 1_000, _ location: Identifier = "default", line: ImportLine? = nil
    ) -> Request {
        request(location, time, .reset(Reset(to: value)), user: me, line: line)
    }

    static func void(
        _ position: Int64, at time: Int64 = 1_000, _ location: Identifier = "default", user: String? = nil
    ) -> Request {
        request(location, time, .void(Position(position)), user: user)
    }

    static func setting(
        _ setting: LocationSetting, at time: Int64 = 1_000, _ location: Identifier = "default"
    )
        -> Request
    {
        request(location, time, .setting(setting))
    }

    static func endOfDay(at time: Int64 = 1_000, _ location: Identifier = "default") -> Request {
        let zero = Timestamp(microseconds: time)
        let snapshot = DaySnapshot(
            from: zero, to: zero, finalLevel: 0, totalIn: 0, totalOut: 0, peakHour: nil, highestLevel: 0,
            averageOccupancy: nil)
        return request(location, time, .endOfDay(snapshot), user: me)
    }

    static func undo(_ location: Identifier = "default", at time: Int64 = 1_000) -> Request {
        request(location, time, .voidByWork, .undo(scope), user: me)
    }

    static func undo(_ scope: UndoScope) -> Request {
        request("default", 1_000, .voidByWork, .undo(scope), user: scope.userId)
    }

    static func redo(_ location: Identifier = "default", at time: Int64 = 1_000) -> Request {
        request(location, time, .voidByWork, .redo(scope), user: me)
    }

    private static func request(
        _ location: Identifier, _ time: Int64, _ content: RowContent, _ work: Request.Work = .append,
        user: String? = nil, line: ImportLine? = nil, order: Request.Order = .now
    ) -> Request {
        var request = Request(
            locationId: location, userId: user, timestamp: Timestamp(microseconds: time), content, work,
            order: line == nil ? order : .ownTime)
        request.row.origin = line.map(RowOrigin.line)
        return request
    }
}

extension FeedRow {
    /// The request that appends the row to another journal.
    var request: Request { Request(row) }
}

extension SQLiteJournal {
    convenience init(in directory: TemporaryDirectory, _ name: String = "data") throws(JournalError) {
        try self.init(directory: "\(directory.path)/\(name)", timezone: "UTC")
    }

    /// With `default` in Zurich, by the first row.
    convenience init(inZurich directory: TemporaryDirectory, _ name: String = "data") throws {
        try self.init(in: directory, name)
        if try lastPosition() > .start { return }
        _ = try append(
            [
                Request(
                    locationId: "default", timestamp: Timestamp.journalTimes.lowerBound,
                    .setting(.timezone("Europe/Zurich")))
            ],
            receivedAt: Timestamp.journalTimes.lowerBound)
    }

    /// Appends at the time 10 000 000.
    @discardableResult
    func ask(_ requests: Request...) throws(JournalError) -> [Outcome] {
        try append(requests, receivedAt: Timestamp(microseconds: 10_000_000)).map(\.outcome)
    }

    func append(_ requests: Request..., at time: Timestamp) throws(JournalError) {
        _ = try append(requests, receivedAt: time)
    }

    /// Takes all rows of another journal over.
    @discardableResult
    func takeOver(
        _ other: SQLiteJournal, at time: Timestamp = Timestamp(microseconds: 10_000_000)
    ) throws(JournalError) -> [Outcome] {
        try append(other.feed(after: .start, limit: .max).map(\.request), receivedAt: time).map(\.outcome)
    }

    /// Copies the file into a directory, which this makes.
    func copyFile(to directory: String) throws {
        try #require(mkdir(directory, 0o700) == 0)
        try RawDatabase(path).execute("VACUUM INTO '\(directory)/journal.sqlite'")
        try #require(chmod(directory + "/journal.sqlite", 0o600) == 0)
    }

    func level(_ location: Identifier = "default") throws -> Int {
        try #require(try state(of: location)).level
    }

    /// All of a location's history.
    func history(of location: Identifier = "default") throws -> [HistoryRow] {
        let all = Timestamp(microseconds: .min)..<Timestamp(microseconds: .max)
        return try history(of: location, HistoryPage(range: all, isBackward: false, limit: .max))
    }

    /// The figures of `default`; until `now`, where that is earlier than the end.
    func kpis(
        from: Timestamp, to end: Timestamp, now: Timestamp? = nil, silence: Int64 = .max
    ) throws -> KPIs {
        let location = try #require(try locations().first)
        return try kpis(of: location, hours: [from], end: end, now: now ?? end, silence: silence)
    }

    /// All rows that are not void, in short form: `+`, `-`, `by 3` for a correction, `=5` for a reset.
    func summary(of location: Identifier? = nil) throws -> String {
        var words: [String] = []
        try forEachRow(of: location) { row in
            switch row.content {
            case .entry(let entry): words.append(entry.type == .in ? "+" : "-")
            case .correction(let correction): words.append("by \(correction.difference)")
            case .reset(let reset): words.append("=\(reset.value)")
            case .endOfDay: words.append("=0")
            default:
                Issue.record("not a row of the level")
            }
        }
        return words.joined(separator: " ")
    }

    /// Runs SQL on a connection without this program's checks.
    func run(sql: String) throws {
        try access { try $0.execute(sql) }
    }
}

extension Outcome {
    var isRefused: Bool { if case .refused = self { true } else { false } }

    /// The position of an accepted request.
    var position: Int64? {
        guard case .accepted(let position) = self else { return nil }
        return position.number
    }
}

/// What commands and screens decide of a device.
extension SQLiteJournal {
    func know(device id: Identifier) throws { _ = try write { try DeviceTable.key($0, id: id) } }
    func rename(device id: Identifier, to name: String) throws -> Bool {
        try set(.name(name), of: id, at: Timestamp(microseconds: 1))
    }
    func assign(device id: Identifier, to location: Identifier?) throws -> Bool {
        try set(.location, of: id, to: location, at: Timestamp(microseconds: 1))
    }
    func setActive(_ isActive: Bool, device id: Identifier) throws -> Bool {
        try set(.isActive(isActive), of: id, at: Timestamp(microseconds: 1))
    }
    func forget(device id: Identifier, at time: Timestamp) throws -> Bool {
        try set(.isForgotten, of: id, at: time)
    }

    /// When devices were connected, in the order in which it was stored.
    func connections(now: Timestamp) throws -> [Range<Timestamp>] {
        try read { db in
            try LocationTable.all(db).flatMap { location in
                try PresenceTable.presence(
                    db, of: LocationTable.key(db, id: location.id).orCorrupt(), from: .min,
                    to: now.microseconds)
            }
        }
    }
}

extension JournalRow {
    /// The location of a row that has one.
    var location: Identifier { locationId ?? "" }
}
