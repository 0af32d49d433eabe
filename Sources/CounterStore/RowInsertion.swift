import CounterModel
import GRDB

/// The line of a file that a row was read from, or the row of another journal that it is.
struct StoredLine {
    /// The key in the table `file`.
    let file: Int64
    let number: Int
}

/// The statements that append rows, prepared once.
struct RowInsertion {
    private let entry: Statement
    private let reset: Statement
    private let void: Statement
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        entry = try db.cachedStatement(
            sql: """
                INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, lateAfter,
                    deviceKey, delta, source, continuesHold, sequenceNumber, epoch, fileKey, line, text)
                VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        reset = try db.cachedStatement(
            sql: """
                INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt,
                    deviceKey, value, levelBefore, fileKey, line)
                VALUES (3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        void = try db.cachedStatement(
            sql: """
                INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, lateAfter, target,
                    fileKey, line)
                VALUES (2, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
    }

    func insert(
        _ new: NewEntry, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        device: Int64, epoch: Int?, line: StoredLine?, lateAfter: Int64?
    ) throws {
        try entry.execute(arguments: [
            position, location, request.userId, request.timestamp.microseconds, receivedAt.microseconds,
            lateAfter, device, new.type.delta, new.source.key, new.continuesHold, new.sequenceNumber, epoch,
            line?.file, line?.number, new.reason,
        ])
    }

    func insert(
        _ new: NewReset, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        device: Int64?, levelBefore: Int, line: StoredLine?
    ) throws {
        try reset.execute(arguments: [
            position, location, request.userId, request.timestamp.microseconds, receivedAt.microseconds,
            device, new.value, levelBefore, line?.file, line?.number,
        ])
    }

    func insert(
        _ setting: LocationSetting, at position: Int64, request: Request, receivedAt: Timestamp,
        location: Int64, line: StoredLine?
    ) throws {
        let sql = """
            INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, setting, text,
                fileKey, line)
            VALUES (4, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            position, location, request.userId, request.timestamp.microseconds, receivedAt.microseconds,
            setting.property.key, setting.text, line?.file, line?.number,
        ])
    }

    /// The archive of a day that the reset at a position has ended.
    func insert(_ snapshot: DaySnapshot, at position: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                position, snapshot.from.microseconds, snapshot.totalIn, snapshot.totalOut,
                snapshot.peakHour?.start.microseconds, snapshot.peakHour?.totalIn, snapshot.highestLevel,
                snapshot.averageOccupancy,
            ])
    }

    func insert(
        void target: Int64, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        lateAfter: Int64?, line: StoredLine?
    ) throws {
        try void.execute(arguments: [
            position, location, request.userId, request.timestamp.microseconds, receivedAt.microseconds,
            lateAfter, target, line?.file, line?.number,
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
