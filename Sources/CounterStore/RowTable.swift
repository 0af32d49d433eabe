import CounterModel
import Linux
import SQL

/// The columns of the table `journal` that a row consists of, in the order of the table: SQLite reaches a column by walking through
/// those before it. `RowInsertion` writes them, and they are never changed; `RowReader` reads them. The table also has `isLate`,
/// `movedBy` and `latestAt`, which follow from other rows.
enum RowTable {
    static let columns = [
        "position", "kind", "locationKey", "deviceKey", "userId", "timestamp", "receivedAt", "orderedAt",
        "delta", "source", "continuesHold", "sequenceNumber", "fileKey", "line", "value",
        "levelBefore", "target", "setting", "text", "redoes",
    ]
    static let list = columns.joined(separator: ", ")
    fileprivate static let insertion = {
        let all = columns + ["isLate"]
        let values = all.map { ":\($0)" }.joined(separator: ", ")
        return FixedText("INSERT INTO journal (\(all.joined(separator: ", "))) VALUES (\(values))")
    }()
}

/// In SQL the numbers of kinds are interpolated, because an index of a part of the table is used only where a statement has the very
/// number of its condition.
extension RowKind {
    static let voidable = "(\(entry), \(reset), \(correction))"
    /// The kinds of rows that say what a location, a device or a journal is. They are no part of a location's history.
    static let defining = "(\(location), \(device), \(journal))"
    /// The kinds of rows that a location's history does not list, beside voids.
    static let unlisted = "(\(timerEvent), \(reading), \(location), \(device), \(journal))"
    /// The kinds of rows that move the level by a difference.
    static let steps = "(\(entry), \(correction))"
}

extension RowContent {
    var source: EventSource? { if case .entry(let entry) = self { entry.source } else { nil } }

    /// Whether it says what a location, a device or a journal is.
    var isDefining: Bool {
        switch kind {
        case .location, .device, .journal: true
        default: false
        }
    }
}

extension DeviceSetting {
    static let all: [DeviceSetting] = [.name(""), .location, .isActive(true), .isForgotten]

    /// The key in the table `setting`, which has those of locations too.
    var key: Int64 {
        switch self {
        case .name: LocationProperty.name.key
        case .location: 101
        case .isActive: 102
        case .isForgotten: 103
        }
    }
}

extension EventSource {
    var key: Int64 {
        switch self {
        case .hardware: 1
        case .manual: 2
        case .import: 3
        }
    }
}

extension LocationSetting {
    init(_ row: borrowing Row) throws {
        self = try LocationSetting(key: row["setting"], text: row["text"]).orCorrupt()
    }
}

extension LocationSharing {
    init(_ row: borrowing Row) throws {
        let text: String = try row["text"]
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        self.init(
            worldId: try parts.first.orCorrupt(), isShared: try row["value"] as Int64 == 1,
            machine: parts.dropFirst().first)
    }
}

// MARK: - Times and positions

extension Row {
    subscript(_ name: StaticString) -> Timestamp {
        get throws(SQLError) { Timestamp(microseconds: try self[name]) }
    }

    subscript(_ name: StaticString) -> Timestamp? {
        (self[name] as Int64?).map { Timestamp(microseconds: $0) }
    }

    subscript(_ name: StaticString) -> Position { get throws(SQLError) { Position(try self[name]) } }
}

extension Statement {
    @discardableResult
    func bind(_ name: StaticString, _ time: Timestamp?) throws(SQLError) -> Statement {
        try bind(name, time?.microseconds)
    }

    @discardableResult
    func bind(_ name: StaticString, _ position: Position) throws(SQLError) -> Statement {
        try bind(name, position.number)
    }

    /// The first column of the first row, a time; nil where there is no row, or NULL in it.
    func time() throws -> Timestamp? { try integer().map { Timestamp(microseconds: $0) } }
}

// MARK: - Writing

struct RowKeys {
    let location: Int64?
    var device: Int64?
    /// The line of a file that it was read from, or that stands for its row of another journal.
    var line: StoredLine?
    /// Whether rows of lower positions are after it in the order.
    var isLate: Bool
    var move: ClockMove?
    /// The position of the row that it is again, the first of them.
    var redoes: Int64?
}

struct StoredLine {
    let file: Int64
    let number: Int
}

struct RowInsertion {
    private let db: Connection
    private let statement: Statement

    init(_ db: Connection) throws {
        self.db = db
        statement = try db.statement(RowTable.insertion)
    }

    func insert(_ row: JournalRow, at position: Position, _ keys: RowKeys) throws {
        let own = OwnColumns(row.content)
        // All columns but `userId` and `text`, in their order.
        let values: [21 of Int64?] = [
            position.number, row.content.kind.rawValue, keys.location, keys.device, nil,
            row.timestamp.microseconds, row.receivedAt.microseconds, row.orderedAt.microseconds,
            own.delta, own.source?.key, own.continuesHold, own.sequenceNumber, keys.line?.file,
            keys.line.map { Int64($0.number) }, own.value, own.levelBefore, own.target, own.setting, nil,
            keys.redoes, keys.isLate ? 1 : nil,
        ]
        try statement.bind(values.span)
        if let userId = row.userId { try statement.bind("userId", userId) }
        if let text = own.text { try statement.bind("text", text) }
        try statement.run()
        if let move = keys.move { try ClockTable.apply(db, move, to: position.number) }
        switch row.content {
        case .endOfDay(let snapshot, _): try SnapshotTable.insert(db, snapshot, at: position.number)
        case .correction(let correction):
            if let day = correction.endedDay { try SnapshotTable.insert(db, day, at: position.number) }
        case .clock(let mend): try ClockTable.insert(db, mend, at: position.number)
        default: break
        }
    }

    private struct OwnColumns {
        var delta, continuesHold, sequenceNumber, value, levelBefore, target, setting: Int64?
        var source: EventSource?
        var text: String?

        init(_ content: RowContent) {
            switch content {
            case .entry(let entry):
                delta = Int64(entry.type.delta)
                source = entry.source
                continuesHold = entry.continuesHold ? 1 : 0
                sequenceNumber = entry.sequenceNumber.map { Int64($0) }
                text = entry.reason
            case .correction(let correction):
                source = .manual
                value = Int64(correction.difference)
                levelBefore = correction.levelBefore.map { Int64($0) }
                text = correction.reason
            case .void(let position, _): target = position.number
            case .reset(let reset): (value, levelBefore) = (Int64(reset.value), Int64(reset.levelBefore))
            case .endOfDay(_, let levelBefore): (value, self.levelBefore) = (0, Int64(levelBefore))
            case .setting(let setting): (self.setting, text) = (setting.property.key, setting.text)
            case .timerEvent(let text), .reading(_, let text): self.text = text
            case .clock: break
            case .location(let name, let timezone): text = LocationTable.text(name, timezone)
            case .device(_, let setting): (self.setting, text) = (setting.key, setting.text)
            case .journal(let name): text = name
            case .sharing(let sharing):
                value = sharing.isShared ? 1 : 0
                text = [sharing.worldId, sharing.machine].compactMap(\.self).joined(separator: " ")
            case .unknown(let content):
                text = ([content.type] + content.members).joined(separator: "\n")
            }
        }
    }
}

// MARK: - Reading

/// Reads rows with the columns of `RowTable`, within one transaction. What many rows refer to is looked up once.
final class RowReader {
    private let db: Connection
    private var locations: [Int64: Identifier] = [:]
    private var devices: [Int64: Identifier] = [:]
    private var files: [Int64: String] = [:]
    private var journals: [Int64: String?] = [:]

    init(_ db: Connection) { self.db = db }

    /// A row; a void has its target's position in this journal.
    func read(_ row: borrowing Row) throws -> JournalRow {
        let position: Position = try row["position"]
        let kind = try RowKind(rawValue: row["kind"]).orCorrupt()
        let locationKey: Int64? = row["locationKey"]
        let location = try locationKey.map { try id($0, in: "location", &locations) }
        let deviceKey: Int64? = row["deviceKey"]
        let device = try deviceKey.map { try id($0, in: "device", &devices) }
        let (timestamp, receivedAt): (Timestamp, Timestamp) = (try row["timestamp"], try row["receivedAt"])
        return JournalRow(
            id: position, locationId: location, userId: row["userId"], timestamp: timestamp,
            receivedAt: receivedAt, orderedAt: try row["orderedAt"] as Timestamp,
            try content(row, kind, device, of: position, at: timestamp.counted(receivedAt: receivedAt)))
    }

    private func content(
        _ row: borrowing Row, _ kind: RowKind, _ device: Identifier?, of position: Position,
        at time: Timestamp
    ) throws -> RowContent {
        switch kind {
        case .entry:
            let source: Int64 = try row["source"]
            return .entry(
                Entry(
                    try EntryType(delta: row["delta"]).orCorrupt(), deviceId: try device.orCorrupt(),
                    source: try EventSource.allCases.first { $0.key == source }.orCorrupt(),
                    sequenceNumber: row["sequenceNumber"], continuesHold: try row["continuesHold"],
                    reason: row["text"]))
        case .correction:
            return .correction(
                Correction(
                    by: try row["value"], deviceId: try device.orCorrupt(), reason: row["text"],
                    levelBefore: row["levelBefore"],
                    endedDay: try SnapshotTable.snapshot(
                        db, of: position, at: time + FileDay.fromEndToNextDay)))
        case .void: return .void(try row["target"])
        case .reset:
            let levelBefore: Int = try row["levelBefore"]
            if let snapshot = try SnapshotTable.snapshot(db, of: position, at: time) {
                return .endOfDay(snapshot, levelBefore: levelBefore)
            }
            return .reset(Reset(to: try row["value"], deviceId: device, levelBefore: levelBefore))
        case .setting: return .setting(try LocationSetting(row))
        case .timerEvent: return .timerEvent(try row["text"])
        case .clock: return .clock(try ClockTable.mend(db, at: position.number).orCorrupt())
        case .location:
            let (name, timezone) = LocationTable.added(try row["text"])
            return .location(name: name, timezone: timezone)
        case .device:
            let key: Int64 = try row["setting"]
            let word = try DeviceSetting.all.first { $0.key == key }.orCorrupt().word
            return .device(
                try device.orCorrupt(), try DeviceSetting(named: word, text: row["text"]).orCorrupt())
        case .journal: return .journal(name: try row["text"])
        case .sharing: return .sharing(try LocationSharing(row))
        case .reading: return .reading(try device.orCorrupt(), text: try row["text"])
        case .unknown:
            let text: String = try row["text"]
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return .unknown(UnknownContent(type: lines[0], members: Array(lines.dropFirst())))
        }
    }

    /// Where a row comes from; nil for a row of this journal.
    func origin(_ row: borrowing Row) throws -> RowOrigin? {
        guard let file: Int64 = row["fileKey"] else { return nil }
        let line = ImportLine(fileHash: try hash(of: file), number: try row["line"])
        return line.identity.map(RowOrigin.journal) ?? .line(line)
    }

    /// The name of the journal that wrote a row, with its `journalKey`; nil for a row of this one.
    func journalName(_ row: borrowing Row) throws -> String? {
        guard let file: Int64 = row["journalKey"] else { return nil }
        if let known = journals[file] { return known }
        let name = try JournalTable.label(db, file: file)
        journals[file] = .some(name)
        return name
    }

    private func hash(of file: Int64) throws -> String {
        if let known = files[file] { return known }
        let found = try db.statement("SELECT hash FROM file WHERE key = :key" as StaticString)
            .bind("key", file).text().orCorrupt()
        files[file] = found
        return found
    }

    private func id(_ key: Int64, in table: String, _ known: inout [Int64: Identifier]) throws -> Identifier {
        if let id = known[key] { return id }
        let found = try db.statement("SELECT id FROM \(table) WHERE key = :key").bind("key", key).text()
        let id = Identifier(try found.orCorrupt())
        known[key] = id
        return id
    }
}
