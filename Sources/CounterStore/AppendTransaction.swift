import CounterModel
import GRDB

/// One transaction that appends rows and keeps the derived tables in step with them.
final class AppendTransaction {
    let db: Database
    let receivedAt: Timestamp
    private let identity: EntryIdentity
    private let insertion: RowInsertion
    private var nextPosition: Int64
    private var ledgers: [String: Ledger] = [:]
    private var deviceKeys: [String: Int64] = [:]
    private var fileKeys: [String: Int64] = [:]
    private var presentDevices: Set<String> = []

    init(_ db: Database, receivedAt: Timestamp) throws {
        self.db = db
        self.receivedAt = receivedAt
        identity = EntryIdentity(db)
        insertion = try RowInsertion(db)
        let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(position) FROM journal")) ?? 0
        nextPosition = try (last < .max ? last + 1 : nil).orCorrupt()
    }

    /// Appends what is asked, or says why not.
    func answer(_ request: Request) throws -> Answer {
        guard let ledger = try ledger(of: request.locationId) else {
            return Answer(.refused(.unknownLocation), level: 0)
        }
        let outcome = try outcome(of: request, in: ledger)
        return Answer(outcome, level: ledger.current.end)
    }

    private func outcome(of request: Request, in ledger: Ledger) throws -> Outcome {
        switch request.change {
        case .entry(let entry): return try append(entry, of: request, to: ledger)
        case .reset(let reset): return try append(reset, of: request, to: ledger)
        case .void(let target): return try void(target.number, of: request, in: ledger)
        case .undo: return try undo(request, in: ledger)
        }
    }

    /// Writes the derived tables. The last call before the commit.
    func finish() throws {
        for ledger in ledgers.values {
            try ledger.save()
        }
        for device in presentDevices {
            try DeviceTable.noteSeen(db, id: device, name: device, at: receivedAt)
        }
    }

    /// The position of the row that is appended next.
    func takePosition() throws -> Int64 {
        let position = nextPosition
        nextPosition = try (position < .max ? position + 1 : nil).orCorrupt()
        return position
    }

    /// Appends the void of a row.
    func insertVoid(of target: Int64, lateAfter: Int64?, for request: Request, in ledger: Ledger) throws
        -> Int64
    {
        let position = try takePosition()
        try insertion.insert(
            void: target, at: position, request: request, receivedAt: receivedAt,
            location: ledger.locationKey,
            lateAfter: lateAfter)
        ledger.note(
            position: position, time: countedAt(request), isLate: lateAfter != nil, isEvent: false)
        return position
    }
}

extension AppendTransaction {
    private func append(_ entry: NewEntry, of request: Request, to ledger: Ledger) throws -> Outcome {
        let file = try entry.line.map { try fileKey($0.fileHash) }
        if let file, let line = entry.line, let known = try identity.position(file: file, line: line.number) {
            return .duplicate(Position(known))
        }
        let device = try deviceKey(entry.deviceId)
        let verdict = try self.verdict(on: entry, of: request, device: device, in: ledger)
        let epoch: Int?
        switch verdict {
        case .known(let position): return .duplicate(Position(position))
        case .new: epoch = nil
        case .numbered(let current): epoch = current
        case .numberedInNewEpoch(let next): epoch = next
        }
        let canBeLate = file != nil || entry.source == .import || entry.sequenceNumber != nil
        let late = canBeLate ? try ledger.lateSegment(at: countedAt(request), file: file) : nil
        guard try ledger.add(entry.type.delta, to: late) else { return .refused(.overflow) }
        let position = try takePosition()
        try insertion.insert(
            entry, at: position, request: request, receivedAt: receivedAt, location: ledger.locationKey,
            device: device, epoch: epoch, file: file, lateAfter: late)
        ledger.note(position: position, time: countedAt(request), isLate: late != nil, isEvent: true)
        return try conclude(entry, at: position, device: device, verdict: verdict)
    }

    private func conclude(
        _ entry: NewEntry, at position: Int64, device: Int64, verdict: EntryIdentity.Verdict
    ) throws -> Outcome {
        if entry.source != .import { presentDevices.insert(entry.deviceId) }
        if let number = entry.sequenceNumber { identity.note(device: device, number: number) }
        guard case .numberedInNewEpoch(let epoch) = verdict else { return .accepted(Position(position)) }
        try identity.open(epoch: epoch, of: device, by: position)
        return .acceptedInNewEpoch(Position(position), epoch: epoch)
    }

    private func verdict(
        on entry: NewEntry, of request: Request, device: Int64, in ledger: Ledger
    ) throws -> EntryIdentity.Verdict {
        guard let number = entry.sequenceNumber else { return .new }
        return try identity.verdict(
            device: device, number: number, location: ledger.locationKey,
            timestamp: request.timestamp.microseconds, delta: entry.type.delta)
    }

    private func append(_ reset: NewReset, of request: Request, to ledger: Ledger) throws -> Outcome {
        let file = try reset.line.map { try fileKey($0.fileHash) }
        if let file, let line = reset.line, let known = try identity.position(file: file, line: line.number) {
            return .duplicate(Position(known))
        }
        let time = countedAt(request)
        if file != nil, try ledger.lateSegment(at: time, file: file) != nil { return .refused(.lateReset) }
        let position = try takePosition()
        try insertion.insert(
            reset, at: position, request: request, receivedAt: receivedAt, location: ledger.locationKey,
            device: try reset.deviceId.map(deviceKey), levelBefore: ledger.current.end, file: file)
        try ledger.beginSegment(reset: position, time: time, file: file, start: reset.value)
        ledger.note(position: position, time: time, isLate: false, isEvent: false)
        return .accepted(Position(position))
    }

    private func countedAt(_ request: Request) -> Int64 {
        request.timestamp.counted(receivedAt: receivedAt).microseconds
    }

    private func ledger(of locationId: String) throws -> Ledger? {
        if let ledger = ledgers[locationId] { return ledger }
        let ledger = try Ledger(db, locationId: locationId)
        ledgers[locationId] = ledger
        return ledger
    }

    private func deviceKey(_ id: String) throws -> Int64 {
        if let key = deviceKeys[id] { return key }
        let key = try DeviceTable.key(db, id: id)
        deviceKeys[id] = key
        return key
    }

    private func fileKey(_ hash: String) throws -> Int64 {
        if let key = fileKeys[hash] { return key }
        try db.execute(sql: "INSERT INTO file (hash) VALUES (?) ON CONFLICT DO NOTHING", arguments: [hash])
        let key = try Int64.fetchOne(db, sql: "SELECT key FROM file WHERE hash = ?", arguments: [hash])
        fileKeys[hash] = key
        return try key.orCorrupt()
    }
}
