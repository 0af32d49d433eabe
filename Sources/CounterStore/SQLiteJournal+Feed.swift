public import CounterModel
import GRDB

extension SQLiteJournal {
    /// What rows of this journal are known by in others, together with their positions: random, made with it. A copy
    /// of the file has it too.
    ///
    /// - throws: `JournalError`
    public func id() throws(JournalError) -> String { try access(IdentityTable.id) }

    /// The position of the last row; `.start` where there is none.
    ///
    /// - throws: `JournalError`
    public func lastPosition() throws(JournalError) -> Position {
        try access { db in
            let sql = "SELECT coalesce(max(position), 0) FROM journal"
            return Position(try Int64.fetchOne(db.cachedStatement(sql: sql)) ?? 0)
        }
    }

    /// The rows after a position, of all kinds and locations, as another journal can take them over.
    ///
    /// - parameters:
    ///     - position: The one after which they are wanted.
    ///     - limit: How many at most; 1 or more.
    /// - returns: In the order of their positions; fewer than the limit at the journal's end.
    /// - throws: `JournalError`
    public func feed(after position: Position, limit: Int) throws(JournalError) -> [FeedRow] {
        try read { db in
            let decoder = FeedDecoder(ownId: try IdentityTable.id(db))
            let statement = try db.cachedStatement(sql: FeedDecoder.sql)
            return try Row.fetchAll(statement, arguments: [position.number, limit]).map(decoder.decode)
        }
    }
}

/// Turns rows of the journal into what another journal can take over.
private struct FeedDecoder {
    let ownId: String

    static let sql = """
        SELECT journal.position, journal.kind, location.id, journal.userId, journal.timestamp, journal.receivedAt,
            device.id, journal.delta, journal.source, journal.sequenceNumber, journal.continuesHold, journal.value,
            journal.text, journal.setting, counterState.level,
            file.hash, journal.line, journal.target, targetFile.hash, target.line,
            journal.lateAfter, resetFile.hash, reset.line,
            journal.levelBefore, snapshot.begin, snapshot.totalIn, snapshot.totalOut, snapshot.peakStart,
            snapshot.peakIn, snapshot.highest, snapshot.average
        FROM journal JOIN location ON location.key = journal.locationKey
        LEFT JOIN counterState
            ON counterState.locationKey = journal.locationKey AND counterState.position = journal.position
        LEFT JOIN device ON device.key = journal.deviceKey
        LEFT JOIN file ON file.key = journal.fileKey
        LEFT JOIN journal AS target ON target.position = journal.target
        LEFT JOIN file AS targetFile ON targetFile.key = target.fileKey
        LEFT JOIN journal AS reset ON reset.position = journal.lateAfter
        LEFT JOIN file AS resetFile ON resetFile.key = reset.fileKey
        LEFT JOIN snapshot ON snapshot.position = journal.position
        WHERE journal.position > ? ORDER BY journal.position LIMIT ?
        """

    func decode(_ row: Row) throws -> FeedRow {
        let position: Int64 = row[0]
        let origin = RowOrigin(
            identity: identity(position, hash: row[15], line: row[16]),
            receivedAt: Timestamp(microseconds: row[5]),
            lateAfter: (row[20] as Int64?).map { identity($0, hash: row[21], line: row[22]) },
            target: (row[17] as Int64?).map { identity($0, hash: row[18], line: row[19]) })
        return FeedRow(
            id: Position(position), locationId: row[2], userId: row[3],
            timestamp: Timestamp(microseconds: row[4]), change: try change(row), origin: origin,
            level: row[14])
    }

    /// A row that came from another journal keeps the identity that it has there.
    private func identity(_ position: Int64, hash: String?, line: Int64?) -> RowIdentity {
        hash.flatMap { hash in line.flatMap { RowIdentity(fileHash: hash, line: $0) } }
            ?? RowIdentity(journalId: ownId, position: Position(position))
    }

    private func change(_ row: Row) throws -> Change {
        switch row[1] as Int {
        case 1: .entry(try entry(row))
        case 2: .void(Position(row[17]))
        case 3:
            (row[24] as Int64?).map { .endOfDay(snapshot(row, from: $0)) }
                ?? .reset(NewReset(to: row[11], deviceId: row[6]))
        default:
            .setting(
                try LocationSetting.Name(key: row[13]).flatMap { LocationSetting($0, text: row[12]) }
                    .orCorrupt())
        }
    }

    private func entry(_ row: Row) throws -> NewEntry {
        NewEntry(
            type: try EntryType(delta: row[7]).orCorrupt(), deviceId: try (row[6] as String?).orCorrupt(),
            source: try EventSource(key: row[8]).orCorrupt(), sequenceNumber: row[9],
            continuesHold: row[10], reason: row[12])
    }

    private func snapshot(_ row: Row, from: Int64) -> DaySnapshot {
        let receivedAt = Timestamp(microseconds: row[5])
        let peak = Timestamp(stored: row[27]).map { DaySnapshot.PeakHour(start: $0, totalIn: row[28]) }
        return DaySnapshot(
            from: Timestamp(microseconds: from),
            to: Timestamp(microseconds: row[4]).counted(receivedAt: receivedAt), finalLevel: row[23],
            totalIn: row[25], totalOut: row[26], peakHour: peak, highestLevel: row[29],
            averageOccupancy: row[30])
    }
}
