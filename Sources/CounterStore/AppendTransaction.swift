import CounterModel
import Linux
import SQL

/// One transaction that appends rows and updates the projections.
final class AppendTransaction {
    let db: Connection
    let receivedAt: Timestamp
    let rollups: RollupTable
    let identity: EntryIdentity
    let insertion: RowInsertion
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
    private(set) lazy var ownId = Result { try IdentityTable.id(db) }

    /// The keys of devices that stay forgotten, whatever is appended of them.
    private let forgotten: Set<Int64>

    init(
        _ db: Connection, receivedAt: Timestamp, after last: LastAppend? = nil,
        timers: TimerBoard = TimerBoard(),
        forgotten: Set<Int64> = []
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
        guard let projection = try projection(of: request.locationId) else {
            return Answer(.refused(.unknownLocation), level: 0)
        }
        let line = try line(of: request)
        // Rows of files and of other journals bring their own ends of days.
        if line == nil {
            try endDueDay(of: projection, until: countedAt(request))
            live.insert(projection.locationKey)
        }
        let outcome = try known(request, line: line) ?? outcome(of: request, line: line, in: projection)
        return Answer(outcome, level: projection.current.end)
    }

    private func outcome(of request: Request, line: StoredLine?, in projection: LocationProjection) throws
        -> Outcome
    {
        switch request.change {
        case .entry(let entry): return try append(entry, of: request, line: line, to: projection)
        case .entries(let entry, let count):
            return try append(entry, times: count, of: request, line: line, to: projection)
        case .correction(let correction):
            return try append(correction, of: request, line: line, to: projection)
        case .reset(let reset): return try append(reset, of: request, line: line, to: projection)
        case .endOfDay(let snapshot): return try append(snapshot, of: request, line: line, to: projection)
        case .setting(let setting): return try append(setting, of: request, to: projection)
        case .timerEvent(let text): return try append(timerEvent: text, of: request, to: projection)
        case .voidPress(let rows): return try void(rows, of: request, in: projection)
        case .void(let target):
            let position = try request.origin.map(self.target) ?? target.number
            return try position.map { try void($0, of: request, in: projection) } ?? .nothingToVoid
        case .undo(let scope): return try undo(scope, for: request, in: projection)
        }
    }

    /// Ends the days that are over, then writes the projections. The last call before the commit.
    func finish() throws {
        for projection in projections.values where live.contains(projection.locationKey) {
            try endDueDay(of: projection, until: receivedAt.microseconds)
        }
        try flush()
    }

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

    /// The position of the row that is appended next.
    func takePosition() throws -> Int64 {
        let position = nextPosition
        nextPosition = try (position < .max ? position + 1 : nil).orCorrupt()
        return position
    }

    /// Appends the void of a row.
    func insertVoid(
        of target: Int64, lateAfter: Int64?, for request: Request, in projection: LocationProjection
    ) throws
        -> Int64
    {
        let position = try takePosition()
        try insertion.insert(
            void: target, at: position, request: request, receivedAt: received(request),
            location: projection.locationKey, lateAfter: lateAfter, line: try line(of: request))
        projection.noteVoid(position: position, time: countedAt(request), isLate: lateAfter != nil)
        return position
    }
}

extension AppendTransaction {
    private func append(
        _ entry: NewEntry, of request: Request, line: StoredLine?, to projection: LocationProjection
    ) throws
        -> Outcome
    {
        let device = try deviceKey(entry.deviceId)
        let verdict = try self.verdict(on: entry, of: request, device: device, in: projection)
        let epoch: Int?
        switch verdict {
        case .known(let position): return .duplicate(Position(position))
        case .new: epoch = nil
        case .numbered(let current): epoch = current
        case .numberedInNewEpoch(let next): epoch = next
        }
        if request.origin == nil, let refusal = try projection.refusal(of: entry) { return .refused(refusal) }
        let time = countedAt(request)
        let late = try segment(of: entry, of: request, line: line, in: projection)
        guard try projection.add(entry.type.delta, to: late) else { return .refused(.overflow) }
        try rollups.add(
            entry.type.delta, at: time, isCorrection: false,
            to: try late.map(projection.segment) ?? projection.current, of: projection.locationKey)
        let position = try takePosition()
        try insertion.insert(
            entry, at: position, request: request, receivedAt: received(request),
            location: projection.locationKey, device: device, epoch: epoch, line: line, lateAfter: late)
        projection.note(position: position, time: time, isLate: late != nil, isEvent: true)
        if entry.source != .import { noteSeen(device, at: received(request).counted(receivedAt: receivedAt)) }
        return try conclude(entry, at: position, device: device, verdict: verdict)
    }

    /// Appends several entries that are one change: all of them, or none.
    private func append(
        _ entry: NewEntry, times: Int, of request: Request, line: StoredLine?,
        to projection: LocationProjection
    ) throws -> Outcome {
        if let refusal = try projection.refusal(of: entry, times: times) { return .refused(refusal) }
        let late = try segment(of: entry, of: request, line: line, in: projection)
        guard try projection.admits(times * entry.type.delta, to: late) else { return .refused(.overflow) }
        var outcome = Outcome.nothingToVoid
        for number in 0..<times {
            let isRepeat = number > 0 || entry.continuesHold
            outcome = try append(entry.continuing(isRepeat), of: request, line: line, to: projection)
        }
        return outcome
    }

    /// The reset in whose segment an entry counts late; nil where it counts in the current one.
    private func segment(
        of entry: NewEntry, of request: Request, line: StoredLine?, in projection: LocationProjection
    ) throws -> Int64? {
        canBeLate(entry, of: request, line: line, in: projection)
            ? try lateSegment(of: request, line: line, in: projection) : nil
    }

    /// Whether an entry may count before the last reset. A key press that was received before the reset, by a clock
    /// that has been set back since, may not: keys count now.
    private func canBeLate(
        _ entry: NewEntry, of request: Request, line: StoredLine?, in projection: LocationProjection
    )
        -> Bool
    {
        line != nil || entry.source == .import || entry.sequenceNumber != nil
            || projection.isAfterReset(received(request).microseconds)
    }

    private func conclude(
        _ entry: NewEntry, at position: Int64, device: Int64, verdict: EntryIdentity.Verdict
    ) throws -> Outcome {
        guard let number = entry.sequenceNumber else { return .accepted(Position(position)) }
        guard case .numberedInNewEpoch(let epoch) = verdict else {
            try identity.note(device: device, number: number, by: position)
            return .accepted(Position(position))
        }
        try identity.open(epoch: epoch, of: device, number: number, by: position)
        return .acceptedInNewEpoch(Position(position), epoch: epoch)
    }

    private func verdict(
        on entry: NewEntry, of request: Request, device: Int64, in projection: LocationProjection
    ) throws -> EntryIdentity.Verdict {
        guard let number = entry.sequenceNumber else { return .new }
        return try identity.verdict(
            device: device, number: number, location: projection.locationKey,
            timestamp: request.timestamp.microseconds, delta: entry.type.delta)
    }

    private func append(
        _ reset: NewReset, of request: Request, line: StoredLine?, to projection: LocationProjection
    ) throws
        -> Outcome
    {
        // An occupancy is only set to 0, by the end of a day. In another journal the location may have been a tally
        // then.
        let isEndOfDay = line != nil && reset.value == 0
        if request.origin == nil, !isEndOfDay, try projection.location().maxCapacity != nil {
            return .refused(.resetOfOccupancy)
        }
        if try isLate(line, request, in: projection) { return .refused(.lateReset) }
        return .accepted(Position(try set(reset, of: request, in: projection, line: line)))
    }

    private func append(
        _ snapshot: DaySnapshot, of request: Request, line: StoredLine?, to projection: LocationProjection
    ) throws -> Outcome {
        if line != nil, snapshot.isAutomatic, let own = try ownEnd(at: countedAt(request), in: projection) {
            return .duplicate(own)
        }
        if try isLate(line, request, in: projection) { return .refused(.lateReset) }
        let position = try set(NewReset(to: 0), of: request, in: projection, line: line)
        try insertion.insert(snapshot, at: position)
        return .accepted(Position(position))
    }

    /// Whether a reset from elsewhere is older than the last reset here.
    private func isLate(_ line: StoredLine?, _ request: Request, in projection: LocationProjection) throws
        -> Bool
    {
        try line != nil && lateSegment(of: request, line: line, in: projection) != nil
    }

    /// Appends a reset that was checked.
    func set(
        _ reset: NewReset, of request: Request, in projection: LocationProjection, line: StoredLine?
    ) throws -> Int64 {
        let position = try takePosition()
        let time = countedAt(request)
        try insertion.insert(
            reset, at: position, request: request, receivedAt: received(request),
            location: projection.locationKey,
            device: try reset.deviceId.map(deviceKey), levelBefore: projection.current.end, line: line)
        try projection.beginSegment(reset: position, time: time, file: line?.file, start: reset.value)
        projection.note(position: position, time: time, isLate: false, isEvent: false)
        return position
    }

    private func append(_ setting: LocationSetting, of request: Request, to projection: LocationProjection)
        throws -> Outcome
    {
        guard setting.isValid else { return .refused(.invalidSetting) }
        let position = try takePosition()
        try insertion.insert(
            setting, at: position, request: request, receivedAt: received(request),
            location: projection.locationKey, line: try line(of: request))
        projection.noteSetting(position: position)
        return .accepted(Position(position))
    }

    private func append(timerEvent text: String, of request: Request, to projection: LocationProjection)
        throws -> Outcome
    {
        let position = try takePosition()
        try insertion.insert(
            timerEvent: text, at: position, request: request, receivedAt: received(request),
            location: projection.locationKey, line: try line(of: request))
        projection.noteTimerEvent(position: position)
        notedClock = nil
        return .accepted(Position(position))
    }

    func countedAt(_ request: Request) -> Int64 {
        request.timestamp.counted(receivedAt: received(request)).microseconds
    }

    func noteSeen(_ device: Int64, at time: Timestamp) {
        presentDevices[device] = max(presentDevices[device] ?? time, time)
    }

    func projection(of locationId: Identifier) throws -> LocationProjection? {
        try projections.value(of: locationId) { try LocationProjection(db, locationId: locationId) }
    }

    func deviceKey(_ id: Identifier) throws -> Int64 {
        try deviceKeys.value(of: id) { try DeviceTable.key(db, id: id) }.orCorrupt()
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
