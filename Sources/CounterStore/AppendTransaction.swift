import CounterModel
import Linux
import SQL

/// A row on its way into the journal.
struct NewRow {
    var row: JournalRow
    let projection: LocationProjection
    /// The line that it was read from, or that stands for its row of another journal; nil for what is new.
    let line: StoredLine?

    /// When it counts, in microseconds.
    var time: Int64 { row.countedAt.microseconds }
}

/// One transaction that appends rows and updates the projections.
final class AppendTransaction {
    let db: Connection
    let receivedAt: Timestamp
    let rollups: RollupTable
    let identity: EntryIdentity
    private let insertion: RowInsertion
    private static let lastPosition: StaticString = "SELECT max(position) FROM journal"
    private var nextPosition: Int64
    /// The position of the first row that this transaction appends.
    let firstPosition: Int64
    private var projections: Recent<LocationProjection>
    /// The locations of requests that are not from elsewhere.
    private var live: Set<Int64> = []
    /// The days that have ended by themselves in this transaction.
    var ended: [Receipt] = []
    private var deviceKeys: Recent<Int64>
    private var fileKeys = Recent<Int64>(after: nil)
    /// When each device that has sent something was last received.
    private var presentDevices: [Int64: Timestamp] = [:]
    /// nil where it was not read yet.
    var notedClock: NotedClock?
    /// As far as this program has read them.
    var timers: TimerBoard
    private lazy var ownId = Result { try IdentityTable.id(db) }
    /// The keys of devices that stay forgotten, whatever is appended of them.
    private let forgotten: Set<Int64>

    init(
        _ db: Connection, receivedAt: Timestamp, after last: LastAppend? = nil,
        timers: TimerBoard = TimerBoard(), forgotten: Set<Int64> = []
    ) throws {
        self.timers = timers
        self.db = db
        self.forgotten = forgotten
        self.receivedAt = receivedAt
        let last = last.flatMap { $0.isCurrent(in: db) ? $0 : nil }
        projections = Recent(after: last?.location)
        deviceKeys = Recent(after: last?.device)
        rollups = RollupTable(db, known: last?.minute)
        identity = EntryIdentity(db)
        insertion = try RowInsertion(db)
        notedClock = last?.clock
        nextPosition = try last?.nextPosition ?? Self.nextPosition(in: db)
        firstPosition = nextPosition
    }

    private static func nextPosition(in db: Connection) throws -> Int64 {
        let last = try db.statement(lastPosition).integer() ?? 0
        return try (last < .max ? last + 1 : nil).orCorrupt()
    }

    /// What the next transaction need not read again; nil if SQLite cannot tell whether the database changes. Call it after the
    /// commit.
    func remembered() -> LastAppend? {
        db.dataVersion.map {
            LastAppend(
                nextPosition: nextPosition, minute: rollups.onlyMinute, location: projections.last,
                device: deviceKeys.last, clock: notedClock, dataVersion: $0)
        }
    }

    /// Carries out a request, or refuses it.
    func answer(_ request: Request) throws -> Answer {
        guard let projection = try projection(of: request.row.locationId) else {
            return Answer(.refused(.unknownLocation), level: 0)
        }
        var new = NewRow(row: request.row, projection: projection, line: try line(of: request.row))
        // A row of another journal counts at the same time in every journal.
        if !new.row.isTakenOver { new.row.receivedAt = receivedAt }
        // Rows of files and of other journals bring their own ends of days.
        if new.line == nil {
            try endDueDay(of: projection, until: new.time)
            live.insert(projection.locationKey)
        }
        let outcome = try known(new) ?? outcome(of: new, request.work)
        return Answer(outcome, level: projection.current.end)
    }

    private func outcome(of new: NewRow, _ work: Request.Work) throws -> Outcome {
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
        case .endOfDay(let snapshot, _): return try append(snapshot, of: new)
        case .setting(let setting):
            guard setting.isValid else { return .refused(.invalidSetting) }
            let position = try insert(new)
            new.projection.noteSetting(position: position)
            return .accepted(Position(position))
        case .timerEvent:
            let position = try insert(new)
            new.projection.noteTimerEvent(position: position)
            notedClock = nil
            return .accepted(Position(position))
        case .void(let target, let journalId):
            guard let journalId else { return try void(target.number, by: new) }
            let here = try position(of: RowIdentity(journalId: journalId, position: target))
            return try here.map { try void($0, by: new) } ?? .nothingToVoid
        }
    }

    /// Ends the days that are over, then writes the projections. The last call before the commit.
    func finish() throws {
        for projection in projections.values where live.contains(projection.locationKey) {
            try endDueDay(of: projection, until: receivedAt.microseconds)
        }
        try flush()
    }

    /// The states of the locations that requests have named. Call it after `finish`.
    func states() throws -> [Identifier: CounterState] { try projections.mapped { try $1.state(of: $0) } }

    /// Writes the projections, so that figures can be read.
    func flush() throws {
        try rollups.save { location, reset in
            let projection = try projections.values.first { $0.locationKey == location }.orCorrupt()
            return (try projection.segment(reset), next: try projection.nextReset(after: reset))
        }
        try identity.save()
        for projection in projections.values {
            try projection.save()
        }
        for (device, time) in presentDevices where !forgotten.contains(device) {
            try DeviceTable.noteSeen(db, key: device, at: time)
        }
    }

    /// Inserts a row at the next position.
    func insert(
        _ new: NewRow, device: Int64? = nil, epoch: Int? = nil, lateAfter: Int64? = nil, redoes: Int64? = nil
    ) throws -> Int64 {
        let position = nextPosition
        nextPosition = try (position < .max ? position + 1 : nil).orCorrupt()
        var row = new.row
        row.id = Position(position)
        try insertion.insert(
            row,
            RowKeys(
                location: new.projection.locationKey, device: device, epoch: epoch, line: new.line,
                lateAfter: lateAfter, redoes: redoes))
        return position
    }

    func projection(of locationId: Identifier) throws -> LocationProjection? {
        try projections.value(of: locationId) { try LocationProjection(db, locationId: locationId) }
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
        let epoch: Int?
        switch verdict {
        case .known(let position): return .duplicate(Position(position))
        case .new: epoch = nil
        case .numbered(let current): epoch = current
        case .numberedInNewEpoch(let next): epoch = next
        }
        if !new.row.isTakenOver, let refusal = try projection.refusal(of: entry) { return .refused(refusal) }
        let late = try lateSegment(of: entry, in: new)
        guard try projection.add(entry.type.delta, to: late) else { return .refused(.overflow) }
        try rollups.add(
            entry.type.delta, at: new.time, isCorrection: false,
            to: try late.map(projection.segment) ?? projection.current, of: projection.locationKey)
        let position = try insert(new, device: device, epoch: epoch, lateAfter: late)
        projection.note(
            position: position, time: new.time, isLate: late != nil, isEvent: true,
            isImported: entry.source == .import)
        if entry.source != .import {
            projection.noteEvent(at: new.time)
            noteSeen(device, at: new.row.receivedAt.counted(receivedAt: receivedAt))
        }
        return try conclude(entry, at: position, device: device, verdict: verdict)
    }

    /// Appends several entries that are one change: all of them, or none.
    private func append(_ entry: Entry, times: Int, of new: NewRow) throws -> Outcome {
        let projection = new.projection
        if let refusal = try projection.refusal(of: entry, times: times) { return .refused(refusal) }
        let late = try lateSegment(of: entry, in: new)
        guard try projection.admits(times * entry.type.delta, to: late) else { return .refused(.overflow) }
        var (entry, new, outcome) = (entry, new, Outcome.nothingToVoid)
        for number in 0..<times {
            if number > 0 { entry.continuesHold = true }
            new.row.content = .entry(entry)
            outcome = try append(entry, of: new)
        }
        return outcome
    }

    /// The reset in whose segment an entry counts late; nil where it counts in the current one.
    ///
    /// A key press that was received before the last reset, by a clock that has been set back since, is not late: keys count now.
    private func lateSegment(of entry: Entry, in new: NewRow) throws -> Int64? {
        let canBeLate =
            new.line != nil || entry.source == .import || entry.sequenceNumber != nil
            || new.projection.isAfterReset(new.row.receivedAt.microseconds)
        return canBeLate ? try lateSegment(of: new) : nil
    }

    private func conclude(
        _ entry: Entry, at position: Int64, device: Int64, verdict: EntryIdentity.Verdict
    ) throws -> Outcome {
        guard let number = entry.sequenceNumber else { return .accepted(Position(position)) }
        guard case .numberedInNewEpoch(let epoch) = verdict else {
            try identity.note(device: device, number: number, by: position)
            return .accepted(Position(position))
        }
        try identity.open(epoch: epoch, of: device, number: number, by: position)
        return .acceptedInNewEpoch(Position(position), epoch: epoch)
    }

    private func verdict(on entry: Entry, of new: NewRow, device: Int64) throws -> EntryIdentity.Verdict {
        guard let number = entry.sequenceNumber else { return .new }
        return try identity.verdict(
            device: device, number: number, location: new.projection.locationKey,
            timestamp: new.row.timestamp.microseconds, delta: entry.type.delta)
    }

    private func noteSeen(_ device: Int64, at time: Timestamp) {
        presentDevices[device] = max(presentDevices[device] ?? time, time)
    }
}

// MARK: - Corrections and resets

extension AppendTransaction {
    /// Appends a correction as one row.
    private func append(_ correction: Correction, of new: NewRow) throws -> Outcome {
        let (projection, difference) = (new.projection, correction.difference)
        let level = projection.current.end
        // A row of a file or of another journal is taken over as it is.
        if new.line == nil, let refusal = try projection.refusal(of: difference) { return .refused(refusal) }
        if difference == 0, correction.endedDay == nil { return .refused(.sameLevel) }
        guard correction.isAdmitted else { return .refused(.tooLarge) }
        let late = new.line == nil ? nil : try lateSegment(of: new)
        guard try projection.add(difference, to: late) else { return .refused(.overflow) }
        if difference != 0 {
            try rollups.add(
                difference, at: new.time, isCorrection: true,
                to: try late.map(projection.segment) ?? projection.current, of: projection.locationKey)
        }
        var (new, correction) = (new, correction)
        correction.levelBefore = level
        new.row.content = .correction(correction)
        let position = try insert(new, device: try deviceKey(correction.deviceId), lateAfter: late)
        projection.note(
            position: position, time: new.time, isLate: late != nil, isEvent: false, isImported: true)
        return .corrected(Position(position), from: level, to: projection.current.end)
    }

    private func append(_ reset: Reset, of new: NewRow) throws -> Outcome {
        // An occupancy is only set to 0, by the end of a day. In another journal the location may have been a tally
        // then.
        let isEndOfDay = new.line != nil && reset.value == 0
        if !new.row.isTakenOver, !isEndOfDay, try new.projection.location().maxCapacity != nil {
            return .refused(.resetOfOccupancy)
        }
        if try isLate(new) { return .refused(.lateReset) }
        return .accepted(Position(try set(reset, by: new)))
    }

    private func append(_ snapshot: DaySnapshot, of new: NewRow) throws -> Outcome {
        if new.line != nil, snapshot.isAutomatic, let own = try ownEnd(at: new.time, in: new.projection) {
            return .duplicate(own)
        }
        if try isLate(new) { return .refused(.lateReset) }
        return .accepted(Position(try end(snapshot, by: new)))
    }

    /// Whether a reset from elsewhere is older than the last reset here.
    private func isLate(_ new: NewRow) throws -> Bool {
        try new.line != nil && lateSegment(of: new) != nil
    }

    /// Appends the end of a day that was checked.
    func end(_ snapshot: DaySnapshot, by new: NewRow) throws -> Int64 {
        var new = new
        new.row.content = .endOfDay(snapshot, levelBefore: new.projection.current.end)
        return try begin(at: 0, by: new, device: nil)
    }

    /// Appends a reset that was checked.
    func set(_ reset: Reset, by new: NewRow, redoes: Int64? = nil) throws -> Int64 {
        var (new, reset) = (new, reset)
        reset.levelBefore = new.projection.current.end
        new.row.content = .reset(reset)
        return try begin(
            at: reset.value, by: new, device: try reset.deviceId.map(deviceKey), redoes: redoes)
    }

    private func begin(at value: Int, by new: NewRow, device: Int64?, redoes: Int64? = nil) throws -> Int64 {
        let position = try insert(new, device: device, redoes: redoes)
        try new.projection.beginSegment(
            reset: position, time: new.time, file: new.line?.file, start: value)
        new.projection.note(position: position, time: new.time, isLate: false, isEvent: false)
        return position
    }
}

// MARK: - Rows from elsewhere

extension AppendTransaction {
    /// The outcome of a row or a line that is in the journal already; nil for one that is new.
    private func known(_ new: NewRow) throws -> Outcome? {
        guard let identity = new.row.origin?.identity else {
            guard let line = new.line else { return nil }
            return try self.identity.position(file: line.file, line: line.number)
                .map { .duplicate(Position($0)) }
        }
        guard let position = try position(of: identity) else {
            // A row of this very journal that is not in it: an earlier state of the file was restored.
            return try identity.journalId == ownId.get() ? .refused(.otherHistory) : nil
        }
        let sql = "SELECT timestamp FROM journal WHERE position = :position"
        let time = try db.statement(sql).bind("position", position).integer()
        return time == new.row.timestamp.microseconds
            ? .duplicate(Position(position)) : .refused(.otherHistory)
    }

    private func line(of row: JournalRow) throws -> StoredLine? {
        guard let line = row.origin?.line else { return nil }
        return StoredLine(file: try fileKey(line.fileHash), number: line.number)
    }

    /// The segment in which something counts late; nil if it counts in the current one.
    ///
    /// A row of another journal counts after the reset after which it counts there, unless that reset is not here.
    private func lateSegment(of new: NewRow) throws -> Int64? {
        guard let reset = new.row.lateAfter, let anchor = try anchor(reset) else {
            return try new.projection.lateSegment(at: new.time, file: new.line?.file)
        }
        let segment = try new.projection.segment(holding: anchor)
        return segment == new.projection.current.reset ? nil : segment
    }

    private func anchor(_ reset: RowIdentity) throws -> Int64? {
        reset.position == .start ? 0 : try position(of: reset)
    }

    /// The position in this journal of a row of any; nil if it is not here.
    private func position(of identity: RowIdentity) throws -> Int64? {
        if try identity.journalId == ownId.get() {
            let sql = "SELECT position FROM journal WHERE position = :position"
            return try db.statement(sql).bind("position", identity.position.number).integer()
        }
        let line = ImportLine(identity)
        return try self.identity.position(file: fileKey(line.fileHash), line: line.number)
    }

    func fileKey(_ hash: String) throws -> Int64 {
        try fileKeys.value(of: Identifier(hash)) {
            let insertion = try db.statement("INSERT INTO file (hash) VALUES (:hash) ON CONFLICT DO NOTHING")
            try insertion.binding("hash", to: hash) { try $0.run() }
            return try db.statement("SELECT key FROM file WHERE hash = :hash")
                .binding("hash", to: hash) { try $0.integer() }
        }.orCorrupt()
    }
}

/// The id by which other journals know this one.
enum IdentityTable {
    static func id(_ db: Connection) throws -> String {
        try db.statement("SELECT id FROM identity").text().orCorrupt()
    }
}

// MARK: - From one transaction to the next

/// What a transaction knew last of a location, a device and a minute. The next one mostly appends to the same, and reads
/// them again only if the database has changed in between.
struct LastAppend {
    let nextPosition: Int64
    let minute: RollupTable.Minute?
    let location: Recent<LocationProjection>.Named?
    let device: Recent<Int64>.Named?
    let clock: NotedClock?
    /// `Connection.dataVersion` after the commit.
    let dataVersion: UInt32

    /// Whether no other connection has committed since then. Call it within a transaction.
    func isCurrent(in db: Connection) -> Bool { db.dataVersion == dataVersion }
}

/// What was looked up by name in a transaction. The same name mostly comes again at once, so the last one is compared
/// before any is hashed.
struct Recent<Value> {
    typealias Named = (name: Identifier, value: Value)

    private var byName: [Identifier: Value] = [:]
    private(set) var last: Named?
    private let previous: Named?

    /// `previous` is the last of the transaction before, where it still holds.
    init(after previous: Named?) { self.previous = previous }

    var values: Dictionary<Identifier, Value>.Values { byName.values }

    func mapped<T>(_ body: (Identifier, Value) throws -> T) rethrows -> [Identifier: T] {
        try Dictionary(uniqueKeysWithValues: byName.map { ($0, try body($0, $1)) })
    }

    mutating func value(of name: Identifier, find: () throws -> Value?) rethrows -> Value? {
        if let last, last.name == name { return last.value }
        let known = byName[name] ?? (previous?.name == name ? previous?.value : nil)
        guard let value = try known ?? find() else { return nil }
        byName[name] = value
        last = (name, value)
        return value
    }
}
