import CounterModel
import GRDB

/// The statements that append rows, prepared once.
struct RowInsertion {
    private let entry: Statement
    private let reset: Statement
    private let void: Statement

    init(_ db: Database) throws {
        entry = try db.cachedStatement(
            sql: """
                INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, lateAfter,
                    deviceKey, delta, source, continuesHold, sequenceNumber, epoch, fileKey, line)
                VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        reset = try db.cachedStatement(
            sql: """
                INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt,
                    deviceKey, value, levelBefore, fileKey, line)
                VALUES (3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        void = try db.cachedStatement(
            sql: """
                INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, lateAfter, target)
                VALUES (2, ?, ?, ?, ?, ?, ?, ?)
                """)
    }

    func insert(
        _ new: NewEntry, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        device: Int64, epoch: Int?, file: Int64?, lateAfter: Int64?
    ) throws {
        try entry.execute(arguments: [
            position, location, request.userId, request.timestamp.microseconds, receivedAt.microseconds,
            lateAfter, device, new.type.delta, new.source.key, new.continuesHold, new.sequenceNumber, epoch,
            file, new.line?.number,
        ])
    }

    func insert(
        _ new: NewReset, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        device: Int64?, levelBefore: Int, file: Int64?
    ) throws {
        try reset.execute(arguments: [
            position, location, request.userId, request.timestamp.microseconds, receivedAt.microseconds,
            device, new.value, levelBefore, file, new.line?.number,
        ])
    }

    func insert(
        void target: Int64, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        lateAfter: Int64?
    ) throws {
        try void.execute(arguments: [
            position, location, request.userId, request.timestamp.microseconds, receivedAt.microseconds,
            lateAfter, target,
        ])
    }
}

extension EventSource {
    /// The key in the table `source`.
    var key: Int64 {
        switch self {
        case .hardware: 1
        case .manual: 2
        case .import: 3
        }
    }

    /// The source with a key of the table `source`.
    init?(key: Int64) {
        guard let source = EventSource.allCases.first(where: { $0.key == key }) else { return nil }
        self = source
    }
}
