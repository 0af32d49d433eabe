package import CounterModel
import SQL

extension SQLiteJournal {
    /// The random id of this journal, which identifies its rows in other journals, together with their positions. A
    /// copy of the file has the same id.
    ///
    /// - throws: `JournalError`
    package func id() throws(JournalError) -> String { try access(IdentityTable.id) }

    /// The position of the last row; `.start` if there is none.
    ///
    /// - throws: `JournalError`
    package func lastPosition() throws(JournalError) -> Position {
        try access { db in
            Position(try db.statement("SELECT max(position) FROM journal").integer() ?? 0)
        }
    }

    /// The rows after a position, of all kinds and locations, as another journal can import them.
    ///
    /// - parameters:
    ///     - position: The position before the first row.
    ///     - limit: The largest number of rows; at least 1.
    /// - returns: In the order of their positions; fewer than the limit at the journal's end.
    /// - throws: `JournalError`
    package func feed(after position: Position, limit: Int) throws(JournalError) -> [FeedRow] {
        try read { db in
            let decoder = FeedDecoder(ownId: try IdentityTable.id(db))
            return try db.statement(FeedDecoder.sql).bind("after", position.number).bind("limit", limit)
                .all { try decoder.decode($0) }
        }
    }
}

/// Decodes rows of the journal into rows that another journal can import.
private struct FeedDecoder {
    let ownId: String

    static let sql = """
        SELECT journal.position, journal.kind, location.id AS location, journal.userId, journal.timestamp,
            journal.receivedAt, device.id AS device, journal.delta, journal.source, journal.sequenceNumber,
            journal.continuesHold, journal.value, journal.text, journal.setting, counterState.level,
            file.hash, journal.line, journal.target, targetFile.hash AS targetHash, target.line AS targetLine,
            reset.position AS reset, journal.lateAfter, resetFile.hash AS resetHash, reset.line AS resetLine,
            \(SnapshotTable.finalLevel), \(Schema.isCorrection) AS isCorrection, snapshot.begin, snapshot.totalIn, snapshot.totalOut, snapshot.peakStart,
            snapshot.peakIn, snapshot.highest, snapshot.average, snapshot.isAutomatic,
            (SELECT text FROM journal AS capacity WHERE kind = 4 AND setting = 1
                AND capacity.locationKey = counterState.locationKey ORDER BY capacity.position DESC LIMIT 1) AS capacity
        FROM journal JOIN location ON location.key = journal.locationKey
        LEFT JOIN counterState
            ON counterState.locationKey = journal.locationKey AND counterState.position = journal.position
        LEFT JOIN device ON device.key = journal.deviceKey
        LEFT JOIN file ON file.key = journal.fileKey
        LEFT JOIN journal AS target ON target.position = journal.target
        LEFT JOIN file AS targetFile ON targetFile.key = target.fileKey
        LEFT JOIN journal AS reset ON reset.position = coalesce(journal.lateAfter, \(laterReset))
        LEFT JOIN file AS resetFile ON resetFile.key = reset.fileKey
        LEFT JOIN snapshot ON snapshot.position = journal.position
        WHERE journal.position > :after ORDER BY journal.position LIMIT :limit
        """

    /// The reset after which a row counts, where that has a later time, because a clock was set back in between: another journal
    /// could not tell from the times that the row counts after it.
    private static let laterReset = """
        (SELECT iif(min(last.timestamp, last.receivedAt) > min(journal.timestamp, journal.receivedAt), last.position, NULL)
            FROM journal AS last WHERE journal.kind IN (1, 3, 5) AND last.kind = 3
            AND last.locationKey = journal.locationKey AND last.position < journal.position
            AND NOT EXISTS (SELECT 1 FROM journal AS void
                WHERE void.target = last.position AND void.position < journal.position)
            ORDER BY last.position DESC LIMIT 1)
        """

    func decode(_ row: borrowing Row) throws -> FeedRow {
        let position: Int64 = try row["position"]
        let (lateAfter, target): (Int64?, Int64?) = (row["reset"] ?? row["lateAfter"], row["target"])
        let reset = (hash: row["resetHash"] as String?, line: row["resetLine"] as Int64?)
        let void = (hash: row["targetHash"] as String?, line: row["targetLine"] as Int64?)
        let origin = RowOrigin(
            identity: identity(position, hash: row["hash"], line: row["line"]),
            receivedAt: Timestamp(microseconds: try row["receivedAt"]),
            lateAfter: lateAfter.map { identity($0, hash: reset.hash, line: reset.line) },
            target: target.map { identity($0, hash: void.hash, line: void.line) })
        return FeedRow(
            id: Position(position), locationId: try row["location"], userId: row["userId"],
            timestamp: Timestamp(microseconds: try row["timestamp"]), change: try change(row), origin: origin,
            level: row["level"], isOccupancy: (row["capacity"] as String?) != nil)
    }

    /// A row that came from another journal keeps its identity there.
    private func identity(_ position: Int64, hash: String?, line: Int64?) -> RowIdentity {
        hash.flatMap { hash in line.flatMap { RowIdentity(ImportLine(fileHash: hash, number: Int($0))) } }
            ?? RowIdentity(journalId: ownId, position: Position(position))
    }

    private func change(_ row: borrowing Row) throws -> Change {
        switch try row["kind"] as Int {
        case 1: return try row["isCorrection"] ? .correction(try correction(row)) : .entry(try entry(row))
        case 5: return .correction(try correction(row))
        case 2: return .void(Position(try row["target"]))
        case 3:
            guard let begin: Int64 = row["begin"] else {
                return .reset(NewReset(to: try row["value"], deviceId: row["device"]))
            }
            return .endOfDay(try snapshot(row, from: begin))
        case 6: return .timerEvent(try row["text"])
        default: return .setting(try LocationSetting(row))
        }
    }

    private func entry(_ row: borrowing Row) throws -> NewEntry {
        NewEntry(
            type: try EntryType(delta: row["delta"]).orCorrupt(), deviceId: try row["device"],
            source: try EventSource(key: row["source"]).orCorrupt(), sequenceNumber: row["sequenceNumber"],
            continuesHold: try row["continuesHold"], reason: row["text"])
    }

    private func correction(_ row: borrowing Row) throws -> NewCorrection {
        let (delta, value): (Int?, Int?) = (row["delta"], row["value"])
        return NewCorrection(
            .by(try (delta ?? value).orCorrupt()), deviceId: try row["device"], reason: row["text"])
    }

    private func snapshot(_ row: borrowing Row, from: Int64) throws -> DaySnapshot {
        let receivedAt = Timestamp(microseconds: try row["receivedAt"])
        let time = Timestamp(microseconds: try row["timestamp"])
        return DaySnapshot(
            from: Timestamp(microseconds: from), to: time.counted(receivedAt: receivedAt),
            finalLevel: try row["finalLevel"], totalIn: try row["totalIn"], totalOut: try row["totalOut"],
            peakHour: try DaySnapshot.PeakHour(row), highestLevel: try row["highest"],
            averageOccupancy: row["average"], isAutomatic: try row["isAutomatic"])
    }
}

extension DaySnapshot.PeakHour {
    /// A row with its `peakStart` and `peakIn`; nil if the day has no peak.
    init?(_ row: borrowing Row) throws {
        guard let start = Timestamp(stored: row["peakStart"]) else { return nil }
        self.init(start: start, totalIn: try row["peakIn"])
    }
}
