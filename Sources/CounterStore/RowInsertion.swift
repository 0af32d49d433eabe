import CounterModel
import SQL

/// The line of a file that a row was read from, or that stands for its row of another journal.
struct StoredLine {
    /// The key in the table `file`.
    let file: Int64
    let number: Int
}

/// The statements that append rows, one for each kind.
struct RowInsertion {
    private let db: Connection
    private let entry: Statement

    init(_ db: Connection) throws {
        self.db = db
        entry = try db.statement(RowInsertion.entrySQL)
    }

    func insert(
        _ new: NewEntry, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        device: Int64, epoch: Int?, line: StoredLine?, lateAfter: Int64?
    ) throws {
        try bind(entry, position, request, receivedAt, location, line).bind("lateAfter", lateAfter)
            .bind("device", device).bind("delta", new.type.delta).bind("source", new.source.key)
            .bind("continuesHold", new.continuesHold).bind("sequenceNumber", new.sequenceNumber)
            .bind("epoch", epoch).bind("text", new.reason).run()
    }

    func insert(
        _ new: NewReset, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        device: Int64?, levelBefore: Int, line: StoredLine?
    ) throws {
        let reset = try db.statement(RowInsertion.resetSQL)
        try bind(reset, position, request, receivedAt, location, line).bind("device", device)
            .bind("value", new.value).bind("levelBefore", levelBefore).run()
    }

    func insert(
        _ new: NewCorrection, difference: Int, at position: Int64, request: Request, receivedAt: Timestamp,
        location: Int64, device: Int64, levelBefore: Int, line: StoredLine?, lateAfter: Int64?
    ) throws {
        let correction = try db.statement(RowInsertion.correctionSQL)
        try bind(correction, position, request, receivedAt, location, line).bind("lateAfter", lateAfter)
            .bind("device", device).bind("value", difference).bind("levelBefore", levelBefore)
            .bind("text", new.reason).run()
    }

    func insert(
        _ new: LocationSetting, at position: Int64, request: Request, receivedAt: Timestamp,
        location: Int64, line: StoredLine?
    ) throws {
        let setting = try db.statement(RowInsertion.settingSQL)
        try bind(setting, position, request, receivedAt, location, line)
            .bind("setting", new.property.key).bind("text", new.text).run()
    }

    func insert(
        timerEvent text: String, at position: Int64, request: Request, receivedAt: Timestamp,
        location: Int64, line: StoredLine?
    ) throws {
        let event = try db.statement(RowInsertion.timerSQL)
        try bind(event, position, request, receivedAt, location, line).bind("text", text).run()
    }

    /// The archive of a day that the reset at a position has ended.
    func insert(_ snapshot: DaySnapshot, at position: Int64) throws {
        try db.statement(RowInsertion.snapshotSQL).bind("position", position)
            .bind("begin", snapshot.from.microseconds).bind("totalIn", snapshot.totalIn)
            .bind("totalOut", snapshot.totalOut).bind("peakStart", snapshot.peakHour?.start.microseconds)
            .bind("peakIn", snapshot.peakHour?.totalIn).bind("highest", snapshot.highestLevel)
            .bind("average", snapshot.averageOccupancy).bind("automatic", snapshot.isAutomatic)
            .bind("finalLevel", snapshot.finalLevel).run()
    }

    func insert(
        void target: Int64, at position: Int64, request: Request, receivedAt: Timestamp, location: Int64,
        lateAfter: Int64?, line: StoredLine?
    ) throws {
        let void = try db.statement(RowInsertion.voidSQL)
        try bind(void, position, request, receivedAt, location, line).bind("lateAfter", lateAfter)
            .bind("target", target).run()
    }

    /// Binds the columns that all rows have.
    private func bind(
        _ statement: Statement, _ position: Int64, _ request: Request, _ receivedAt: Timestamp,
        _ location: Int64, _ line: StoredLine?
    ) throws(SQLError) -> Statement {
        try statement.bind("position", position).bind("location", location).bind("user", request.userId)
            .bind("timestamp", request.timestamp.microseconds).bind("receivedAt", receivedAt.microseconds)
            .bind("file", line?.file).bind("line", line?.number)
    }
}

extension RowInsertion {
    private static let entrySQL: StaticString = """
        INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, fileKey, line, lateAfter,
            deviceKey, delta, source, continuesHold, sequenceNumber, epoch, text)
        VALUES (1, :position, :location, :user, :timestamp, :receivedAt, :file, :line, :lateAfter,
            :device, :delta, :source, :continuesHold, :sequenceNumber, :epoch, :text)
        """

    private static let resetSQL: StaticString = """
        INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, fileKey, line,
            deviceKey, value, levelBefore)
        VALUES (3, :position, :location, :user, :timestamp, :receivedAt, :file, :line,
            :device, :value, :levelBefore)
        """

    private static let correctionSQL: StaticString = """
        INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, fileKey, line, lateAfter,
            deviceKey, source, value, levelBefore, text)
        VALUES (5, :position, :location, :user, :timestamp, :receivedAt, :file, :line, :lateAfter,
            :device, 2, :value, :levelBefore, :text)
        """

    private static let voidSQL: StaticString = """
        INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, fileKey, line,
            lateAfter, target)
        VALUES (2, :position, :location, :user, :timestamp, :receivedAt, :file, :line, :lateAfter, :target)
        """

    private static let settingSQL: StaticString = """
        INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, fileKey, line,
            setting, text)
        VALUES (4, :position, :location, :user, :timestamp, :receivedAt, :file, :line, :setting, :text)
        """

    private static let timerSQL: StaticString = """
        INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, fileKey, line, text)
        VALUES (6, :position, :location, :user, :timestamp, :receivedAt, :file, :line, :text)
        """

    private static let snapshotSQL: StaticString = """
        INSERT INTO snapshot VALUES
            (:position, :begin, :totalIn, :totalOut, :peakStart, :peakIn, :highest, :average, :automatic, :finalLevel)
        """
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
