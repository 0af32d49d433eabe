import CounterModel
import Linux
import SQL

struct NewRow {
    var row: JournalRow
    let projection: LocationProjection
    /// The line that it was read from, or that stands for its row of another journal; nil for what is new.
    let line: StoredLine?
    var order: Request.Order
    /// Whether it stands before what the journal holds, in the order.
    var isLate = false
    /// Whether it is certain to be after all of its location.
    var isLast = true

    var move: ClockMove?

    /// When it counts, in microseconds.
    var time: Int64 { move?.time(row.countedAt.microseconds) ?? row.countedAt.microseconds }
    /// Its place in the order, likewise.
    var orderedAt: Int64 {
        move?.order(row.orderedAt.microseconds, time: row.countedAt.microseconds)
            ?? row.orderedAt.microseconds
    }
}

/// One transaction that appends rows and updates the projections; and the ones after it, of which each mostly appends to the same
/// location. See `next`.
final class AppendTransaction {
    let db: Connection
    private(set) var receivedAt: Timestamp
    let rollups: RollupTable
    private let insertion: RowInsertion
    var nextPosition: Int64
    /// The highest `orderedAt` of the journal, and whether all rows that have it are this journal's.
    var highest: Int64
    var isHighestOwn = false
    /// By file and location, the `orderedAt` of the last line.
    var above = Recent<FileLocation, Int64>()
    private(set) var firstPosition: Int64
    private var projections = Recent<Identifier, LocationProjection>()
    /// The days that have ended by themselves in this transaction.
    var ended: [Receipt] = []
    private var deviceKeys = Recent<Identifier, Int64>()
    var fileKeys = Recent<String, Int64>()
    /// When each device that has sent something was last received.
    private var presentDevices = Recent<Int64, Timestamp>()
    /// nil where it was not read yet.
    var notedClock: NotedClock?
    /// nil where they were not read yet, or there are none.
    var readings: ClockReadings?
    /// The rows that were moved because this machine's clock was wrong.
    var moved: MistimedRows?
    /// As far as this program has read them.
    var timers: TimerBoard
    /// Whether rows of kind `clock` may move a row that is appended; nil where that was not read yet.
    var hasClocks: Bool?
    /// Rows that clocks ahead of this machine's have ordered, each time of one location and journal.
    var ahead: [(projection: LocationProjection, journalId: String, rows: ClosedRange<Position>)] = []
    /// Locations whose projections are to be computed again.
    var outdated: [LocationProjection] = []
    private(set) var identity: EntryIdentity
    private(set) lazy var reader = RowReader(db)
    /// nil until they are asked for, and after the journal has begun a new id.
    var knownIds: JournalIds?
    /// Journals with a row that was refused because another one has its place. Rows that follow it are of no better history.
    var parted: Set<String> = []
    /// Whether rows have come back that this journal had lost.
    var hasRecovered = false

    /// `Connection.dataVersion` after its commit; nil before.
    private var dataVersion: UInt32?

    init(_ db: Connection, receivedAt: Timestamp, timers: TimerBoard = TimerBoard()) throws {
        (self.timers, self.db, self.receivedAt) = (timers, db, receivedAt)
        identity = EntryIdentity(db)
        rollups = RollupTable(db)
        insertion = try RowInsertion(db)
        let last = try JournalTable.lastPosition(db).number
        nextPosition = try (last < .max ? last + 1 : nil).orCorrupt()
        highest = try Self.highestOrder(in: db)
        firstPosition = nextPosition
    }

    /// The transaction after one that was committed: the same object, which need not read again what it knows, unless the database
    /// has changed in between. Call it within the new transaction.
    static func next(
        after last: AppendTransaction?, _ db: Connection, receivedAt: Timestamp
    ) throws -> AppendTransaction {
        guard let last, let version = last.dataVersion, db.dataVersion == version else {
            return try AppendTransaction(db, receivedAt: receivedAt, timers: last?.timers ?? TimerBoard())
        }
        last.begin(receivedAt)
        return last
    }

    private func begin(_ receivedAt: Timestamp) {
        self.receivedAt = receivedAt
        firstPosition = nextPosition
        projections.begin()
        deviceKeys.begin()
        fileKeys.begin()
        rollups.begin()
        (above, presentDevices) = (Recent(), Recent())
        (ended, moved, parted, hasRecovered) = ([], nil, [], false)
        identity = EntryIdentity(db)
        (knownIds, dataVersion) = (nil, nil)
    }

    func noteCommit() { dataVersion = db.dataVersion }

    func ids() throws -> JournalIds {
        let ids = try knownIds ?? JournalIds(db)
        knownIds = ids
        return ids
    }

    /// What is not late is after all before it, unless that was moved; then it is late.
    static func highestOrder(in db: Connection) throws -> Int64 {
        let last: StaticString =
            "SELECT orderedAt FROM journal WHERE isLate IS NULL ORDER BY position DESC LIMIT 1"
        let late = """
            SELECT \(Schema.orderedAt) FROM journal WHERE isLate = 1 AND kind NOT IN \(RowKind.defining)
            ORDER BY \(Schema.orderedAt) DESC LIMIT 1
            """
        return try [db.statement(last).integer(), db.statement(late).integer()].compactMap(\.self).max()
            ?? Segment.beginningOfTime
    }

    /// Carries out a request, or refuses it.
    func answer(_ request: Request) throws -> Receipt {
        let line = try line(of: request.row)
        let known = try line.flatMap { try self.known(request.row, $0) }
        if request.row.content.isDefining {
            return Receipt(request, try known ?? define(request, line), level: 0)
        }
        guard let projection = try projection(for: request.row, isNew: known == nil) else {
            // What a void of another journal takes back is not here then.
            let outcome = known ?? (request.row.isTakenOver ? .nothingToVoid : .refused(.unknownLocation))
            return Receipt(request, outcome, level: 0)
        }
        if let known { return Receipt(request, known, level: projection.current.end) }
        var new = NewRow(row: request.row, projection: projection, line: line, order: request.order)
        // A row of another journal counts at the same time in every journal.
        if !new.row.isTakenOver { new.row.receivedAt = receivedAt }
        // Of several clock rows in succession that came from elsewhere the last one has the figures computed again.
        if case .clock = new.row.content, new.line != nil {} else { try bringUpToDate() }
        // Rows of files and of other journals bring their own ends of days.
        if new.line == nil, !new.row.isTakenOver {
            try endDueDay(of: projection, until: new.time)
            projection.isLive = true
        }
        try order(&new)
        let outcome = try outcome(of: new, request.work)
        return Receipt(request, outcome, level: projection.current.end)
    }

    /// Appends what this journal decides itself, or a user decides now.
    func decide(_ content: RowContent, at location: Identifier? = nil, by userId: String? = nil) throws {
        _ = try answer(Request(locationId: location, userId: userId, timestamp: receivedAt, content))
    }

    func outcome(of new: NewRow, _ work: Request.Work) throws -> Outcome {
        switch work {
        case .voidPress(let rows): return try void(rows, by: new)
        case .undo(let scope): return try undo(scope, by: new)
        case .redo(let scope): return try redo(scope, by: new)
        case .append, .times, .toLevel: break
        }
        switch new.row.content {
        case .entry(let entry):
            if case .times(let count) = work { return try append(entry, times: count, of: new) }
            return try append(entry, of: new)
        case .correction(let correction):
            let level = new.projection.current.end
            guard case .toLevel(let target) = work else { return try append(correction, of: new) }
            let (difference, overflow) = target.subtractingReportingOverflow(level)
            if overflow { return .refused(.tooLarge) }
            var correction = correction
            correction.difference = difference
            return try append(correction, of: new)
        case .reset(let reset): return try append(reset, of: new)
        case .endOfDay(let snapshot, _): return .accepted(try end(snapshot, by: new))
        case .setting(let setting) where !setting.isValid: return .refused(.invalidSetting)
        case .setting, .timerEvent, .sharing, .unknown, .reading, .clock:
            let position = try insert(new, device: new.row.content.deviceId.map(deviceKey))
            new.projection.noteRow(position)
            switch new.row.content {
            case .setting: new.projection.forgetSettings()
            case .timerEvent: notedClock = nil
            case .clock(let mend): try mendClock(mend, of: new.projection)
            default: break
            }
            return .accepted(position)
        case .void(let target, let journalId):
            guard let journalId else { return try void(target.number, by: new) }
            let here = try position(of: RowIdentity(journalId: journalId, position: target))
            return try here.map { try void($0, by: new) } ?? .nothingToVoid
        // `define` appends them.
        case .location, .device, .journal: return .nothingToVoid
        }
    }

    /// Appends a row that says what a location, a device or a journal is. It moves nothing, so there is no projection to update; one
    /// by a clock that is ahead does not order what moves something, but what is said of the same afterwards.
    private func define(_ request: Request, _ line: StoredLine?) throws -> Outcome {
        var row = request.row
        if !row.isTakenOver { row.receivedAt = receivedAt }
        let location = try row.locationId.map {
            try LocationTable.key(db, id: $0) ?? LocationTable.insert(db, id: $0)
        }
        let device = try row.content.deviceId.map(deviceKey)
        if request.order != .given {
            let last = try lastDefinition(of: row.content, device)
            row.orderedAt = max(now(row), Timestamp(microseconds: last + 1))
        }
        let order = row.orderedAt.microseconds
        let isAhead = order > max(highest, receivedAt.microseconds + Self.aheadLimit)
        let keys = RowKeys(
            location: location, device: device, line: line, isLate: order <= highest || isAhead)
        let position = try insert(row, keys)
        if let device, case .device(_, .isForgotten) = row.content {
            if let seen = presentDevices[device], seen <= row.countedAt { presentDevices[device] = nil }
            try DeviceTable.noteForgotten(db, key: device, at: row.countedAt)
        }
        return .accepted(position)
    }

    /// The `orderedAt` of the last row that has set something of the same device, or has named a journal.
    private func lastDefinition(of content: RowContent, _ device: Int64?) throws -> Int64 {
        let last =
            switch content {
            case .device: try db.statement(Self.lastOfDevice).bind("device", device).integer()
            case .journal: try db.statement(Self.lastName).integer()
            default: nil as Int64?
            }
        return last ?? .min
    }

    private static let lastOfDevice =
        "SELECT max(orderedAt) FROM journal WHERE kind = \(RowKind.device) AND deviceKey = :device"
    private static let lastName = "SELECT max(orderedAt) FROM journal WHERE kind = \(RowKind.journal)"

    /// Ends the days that are over, then writes the projections. The last call before the commit.
    func finish() throws {
        try bringUpToDate()
        try projections.forEach { _, projection in
            guard projection.isLive else { return }
            projection.isLive = false
            try endDueDay(of: projection, until: receivedAt.microseconds)
        }
        try mendClocksAhead()
        try bringUpToDate()
        try flush()
    }

    /// The states of the locations that requests have named. Call it after `finish`.
    func states() throws -> [CounterState] {
        var states: [CounterState] = []
        try projections.forEach { states.append(try $1.state()) }
        return states
    }

    /// Writes the projections, so that figures can be read.
    func flush() throws {
        try rollups.save { location, reset in
            try SegmentTable.range(db, of: reset, location: location)
        }
        try identity.save()
        try projections.forEach { try $1.save() }
        try presentDevices.forEach { try DeviceTable.noteSeen(db, key: $0, at: $1) }
    }

    func insert(_ new: NewRow, device: Int64? = nil, redoes: Int64? = nil) throws -> Position {
        let keys = RowKeys(
            location: new.projection.locationKey, device: device, line: new.line, isLate: new.isLate,
            move: new.move, redoes: redoes)
        return try insert(new.row, keys)
    }

    private func insert(_ row: JournalRow, _ keys: RowKeys) throws -> Position {
        let position = Position(nextPosition)
        nextPosition = try (nextPosition < .max ? nextPosition + 1 : nil).orCorrupt()
        try insertion.insert(row, at: position, keys)
        let (given, time) = (row.orderedAt.microseconds, row.countedAt.microseconds)
        let order = keys.move?.order(given, time: time) ?? given
        if order >= highest, !(row.content.isDefining && keys.isLate) {
            isHighestOwn = !row.isTakenOver && (isHighestOwn || order > highest)
            highest = order
        }
        return position
    }

    func projection(of locationId: Identifier) throws -> LocationProjection? {
        try projections.value(of: locationId) { try LocationProjection(db, locationId: locationId) }
    }

    /// That of a new row. A row of another journal makes its location known, until the row that adds it comes.
    private func projection(for row: JournalRow, isNew: Bool) throws -> LocationProjection? {
        guard let id = row.locationId else { return nil }
        if let found = try projection(of: id) { return found }
        guard isNew, row.isTakenOver, row.content.kind != .void else { return nil }
        try LocationTable.insert(db, id: id)
        return try projection(of: id)
    }

    func deviceKey(_ id: Identifier) throws -> Int64 {
        try deviceKeys.value(of: id) { try DeviceTable.key(db, id: id) }.orCorrupt()
    }
}

// MARK: - Entries

extension AppendTransaction {
    private func append(_ entry: Entry, of new: NewRow) throws -> Outcome {
        let projection = new.projection
        let device = try deviceKey(entry.deviceId)
        let verdict = try self.verdict(on: entry, of: new, device: device)
        if case .known(let position) = verdict {
            guard new.row.isTakenOver else { return .duplicate(Position(position)) }
            return .accepted(try append(new, as: position, device: device))
        }
        if !new.row.isTakenOver, let refusal = try projection.refusal(of: entry) { return .refused(refusal) }
        guard try count(entry.type.delta, of: new, isCorrection: false) else { return .refused(.overflow) }
        let position = try insert(new, device: device)
        projection.note(position, of: new, event: entry.source)
        if entry.source != .import {
            let time = new.row.receivedAt.counted(receivedAt: receivedAt)
            presentDevices[device] = max(presentDevices[device] ?? time, time)
        }
        guard let number = entry.sequenceNumber else { return .accepted(position) }
        return try identity.note(number, of: device, by: position, new.orderedAt, verdict) {
            try self.order(of: new, at: position)
        }
    }

    /// Adds to the segment in which a row counts. Returns false where the level would leave the range of `Int`.
    func count(_ difference: Int, of new: NewRow, isCorrection: Bool) throws -> Bool {
        if difference == 0 { return true }
        let segment = try segment(of: new)
        guard new.projection.add(difference, to: segment, isForced: new.row.isTakenOver) else { return false }
        let late = new.isLast ? nil : LatePlace(order: new.orderedAt, identity: try identity(of: new.row))
        try rollups.add(
            difference, at: new.time, isCorrection: isCorrection, late: late, to: segment,
            of: new.projection.locationKey)
        return true
    }

    /// Appends several entries that are one change: all of them, or none.
    private func append(_ entry: Entry, times: Int, of new: NewRow) throws -> Outcome {
        let projection = new.projection
        if let refusal = try projection.refusal(of: entry, times: times) { return .refused(refusal) }
        guard try segment(of: new).adding(times * entry.type.delta) != nil else { return .refused(.overflow) }
        var (entry, new, outcome) = (entry, new, Outcome.nothingToVoid)
        for number in 0..<times {
            if number > 0 {
                entry.continuesHold = true
                try order(&new)
            }
            new.row.content = .entry(entry)
            outcome = try append(entry, of: new)
        }
        return outcome
    }

    private func verdict(on entry: Entry, of new: NewRow, device: Int64) throws -> EntryIdentity.Verdict {
        guard let number = entry.sequenceNumber else { return .new }
        return try identity.verdict(
            device: device, number: number, location: new.projection.locationKey,
            timestamp: new.row.timestamp.microseconds, isAtReceipt: new.order == .atReceipt,
            delta: entry.type.delta)
    }
}

// MARK: - What comes again

/// Values by their keys, in one transaction and the ones after it. The same key mostly comes again at once, so the latest one is compared
/// before any is hashed.
struct Recent<Key: Hashable, Value> {
    private var latest: (key: Key, value: Value)?
    /// All; that of `latest` as it was when its key came.
    private var all: [Key: Value] = [:]
    /// The latest one of the transaction before, until its key comes again.
    private var previous: (key: Key, value: Value)?

    subscript(key: Key) -> Value? {
        get {
            if let latest, latest.key == key { return latest.value }
            if !all.isEmpty, let value = all[key] { return value }
            return previous?.key == key ? previous?.value : nil
        }
        set {
            if let latest, latest.key != key || newValue == nil { all[latest.key] = latest.value }
            latest = newValue.map { (key, $0) }
            if newValue == nil { all[key] = nil }
            if previous?.key == key { previous = nil }
        }
    }

    mutating func value(of key: Key, find: () throws -> Value?) rethrows -> Value? {
        if let latest, latest.key == key { return latest.value }
        guard let value = try self[key] ?? find() else { return nil }
        self[key] = value
        return value
    }

    /// Begins the next transaction. Of what the last one has used only the latest is known on.
    mutating func begin() {
        if let latest { previous = latest }
        latest = nil
        if !all.isEmpty { all = [:] }
    }

    func forEach(_ body: (Key, Value) throws -> Void) rethrows {
        for (key, value) in all where key != latest?.key { try body(key, value) }
        if let latest { try body(latest.key, latest.value) }
    }

    mutating func removeAll(where isRemoved: (Key) -> Bool) {
        if let latest, isRemoved(latest.key) { self.latest = nil }
        if let previous, isRemoved(previous.key) { self.previous = nil }
        if !all.isEmpty { all = all.filter { !isRemoved($0.key) } }
    }
}
