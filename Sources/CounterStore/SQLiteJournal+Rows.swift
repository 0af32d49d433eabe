package import CounterModel
package import Linux
import SQL

extension SQLiteJournal {
    /// Passes each entry, correction and reset that is not void to `body`, on one snapshot, without loading them all.
    ///
    /// They come in their order. Appended to an empty journal in this order, as the lines of one file, they result in the same
    /// levels. `body` gets each without its `origin`, and must not call the journal.
    package func forEachRow(of locationId: Identifier? = nil, _ body: (JournalRow) throws -> Void) throws {
        var failure: (any Error)?
        do {
            try read { db in
                let key = try locationId.map { try LocationTable.key(db, id: $0) }
                if let key, key == nil { return }
                let reader = RowReader(db)
                let rows = try OrderedRows(
                    db, RowTable.list,
                    where: """
                        kind IN \(RowKind.voidable) AND \(Schema.counts)
                        AND (kind <> \(RowKind.correction) OR value <> 0)
                        AND (:location IS NULL OR locationKey = :location)
                        """
                ) { try $0.bind("location", key ?? nil) }
                try rows.forEach { row in
                    let row = try reader.read(row)
                    do { try body(row) } catch {
                        failure = error
                        throw error
                    }
                }
            }
        } catch { throw failure ?? error }
    }
}

// MARK: - The feed

/// A row of the feed, with the state of its location where it is that location's last one.
package struct FeedRow: Hashable, Sendable {
    package let row: JournalRow
    /// nil where it is not the last row of its location.
    package let level: Int?
    /// The id under which it has its position: a row that was taken over has another one in its origin.
    package let journalId: String
    package let isOccupancy: Bool
    /// The number to show for the level: of an occupancy never below 0.
    package var count: Int? { level.map { isOccupancy ? max(0, $0) : $0 } }
}

extension SQLiteJournal {
    package func id() throws(JournalError) -> String { try ids().current }

    package func ids() throws(JournalError) -> JournalIds { try access { try JournalIds($0) } }

    /// Whether the journal has the row of that name, which it or another one wrote.
    package func holds(_ row: RowIdentity) throws(JournalError) -> Bool {
        try read { db in
            let own = try JournalIds(db).positions(around: row) != nil
            let sql = """
                SELECT EXISTS (SELECT 1 FROM journal WHERE :own AND position = :position AND \(Schema.isOwn))
                OR EXISTS (SELECT 1 FROM journal
                    WHERE fileKey = (SELECT key FROM file WHERE hash = :hash) AND line = :position)
                """
            return try db.statement(sql).bind("own", own).bind("position", row.position)
                .bind("hash", ImportLine.journalPrefix + row.journalId).integer() == 1
        }
    }

    package func lastPosition() throws(JournalError) -> Position { try access(JournalTable.lastPosition) }

    /// The rows of some locations and those of none after a position, as `feed`, and the position up to which there are no others.
    package func feed(
        after position: Position, of locations: [Identifier], limit: Int
    ) throws(JournalError) -> (rows: [FeedRow], through: Position) {
        try read { db in
            let reader = try FeedReader(db)
            let rows = try db.statement(FeedReader.ofLocations).bind("after", position)
                .bind("ids", JSONLine.list(locations.map(\.text))).bind("limit", limit).all {
                    try reader.read($0)
                }
            let last = try JournalTable.lastPosition(db)
            return (rows, rows.count == limit ? rows.last?.row.id ?? last : last)
        }
    }

    /// The readings of a device after a position, in the order of their positions, each with when it was received by the clock of
    /// that time. Those before the last one that was received before `time` are left out.
    package func readings(
        of device: Identifier, after position: Position, since time: Timestamp
    ) throws(JournalError) -> [(
        position: Position, location: Identifier, receivedAt: Timestamp, text: String
    )] {
        try read { db in
            let own = "kind = \(RowKind.reading) AND deviceKey = (SELECT key FROM device WHERE id = :device)"
            let sql = """
                SELECT position, receivedAt, text, (SELECT id FROM location WHERE key = locationKey) AS location
                FROM journal WHERE \(own) AND position > max(:after, coalesce(
                    (SELECT position FROM journal WHERE \(own) AND position > :after AND receivedAt < :since
                        ORDER BY position DESC LIMIT 1), 0))
                ORDER BY position
                """
            return try db.statement(sql).bind("device", device).bind("after", position)
                .bind("since", time).all { row in
                    (try row["position"], try row["location"], try row["receivedAt"], try row["text"])
                }
        }
    }

    /// The rows of no location, as `feed`: the names of journals, and what is set of devices wherever they count; of a
    /// device only what is set of it.
    package func rowsOfNoLocation(device: Identifier? = nil) throws(JournalError) -> [FeedRow] {
        try read { db in
            let reader = try FeedReader(db)
            let statements =
                if let device {
                    [try db.statement(FeedReader.ofDevice).bind("device", device)]
                } else {
                    try FeedReader.ofNone.map { try db.statement($0) }
                }
            return try statements.flatMap { try $0.all { try reader.read($0) } }
                .sorted { $0.row.id < $1.row.id }
        }
    }

    package func countRows(
        after position: Position, of locations: [Identifier], notOf journal: String?
    ) throws(JournalError) -> Int {
        try access { db in
            let sql = """
                SELECT count(*) FROM journal WHERE position > :after
                AND locationKey IN (SELECT key FROM location WHERE id IN (SELECT value FROM json_each(:ids)))
                AND (fileKey IS NULL
                    OR fileKey NOT IN (SELECT key FROM file WHERE hash = '\(ImportLine.journalPrefix)' || :journal))
                """
            return Int(
                try db.statement(sql).bind("after", position).bind("journal", journal ?? "")
                    .bind("ids", JSONLine.list(locations.map(\.text))).integer() ?? 0)
        }
    }

    /// When the first row after a position was received, by the journal that wrote it; nil where there is none.
    package func receipt(after position: Position) throws(JournalError) -> Timestamp? {
        try access { db in
            let sql: StaticString =
                "SELECT receivedAt FROM journal WHERE position > :after ORDER BY position LIMIT 1"
            return try db.statement(sql).bind("after", position).time()
        }
    }

    /// The rows after a position, of all kinds and locations, as another journal can take them over: in the order of their
    /// positions, `limit` at most, fewer at the journal's end.
    package func feed(after position: Position, limit: Int) throws(JournalError) -> [FeedRow] {
        try read { db in
            let reader = try FeedReader(db)
            return try db.statement(FeedReader.sql).bind("after", position).bind("limit", limit)
                .all { try reader.read($0) }
        }
    }
}

private struct FeedReader {
    private let db: Connection
    private let rows: RowReader
    private let ids: JournalIds

    init(_ db: Connection) throws {
        self.db = db
        rows = RowReader(db)
        ids = try JournalIds(db)
    }

    static let sql = select + " WHERE journal.position > :after ORDER BY journal.position LIMIT :limit"
    static let ofLocations =
        select + """
             WHERE journal.position > :after
            AND (journal.locationKey IS NULL OR journal.locationKey IN
                (SELECT key FROM location WHERE id IN (SELECT value FROM json_each(:ids))))
            ORDER BY journal.position LIMIT :limit
            """
    static let ofNone =
        [("journalName", RowKind.journal), ("journalDevice", .device)].map { index, kind in
            select.replacing("FROM journal LEFT", with: "FROM journal INDEXED BY \(index) LEFT")
                + " WHERE journal.kind = \(kind) AND journal.locationKey IS NULL"
        }
    static let ofDevice =
        ofNone[1] + " AND journal.deviceKey = (SELECT key FROM device WHERE id = :device)"
    private static let select = """
        SELECT \(RowTable.columns.map { "journal.\($0)" }.joined(separator: ", ")), counterState.level,
            \(LocationTable.setting(.capacity, of: "counterState.locationKey")) AS capacity
        FROM journal LEFT JOIN counterState
            ON counterState.locationKey = journal.locationKey AND counterState.position = journal.position
        """

    func read(_ stored: borrowing Row) throws -> FeedRow {
        var row = try rows.read(stored)
        let origin = try rows.origin(stored)?.identity
        row.origin = .journal(origin ?? ids.identity(at: row.id))
        if case .void(let target, _) = row.content {
            let target = try identity(target.number)
            row.content = .void(target.position, of: target.journalId)
        }
        return FeedRow(
            row: row, level: stored["level"], journalId: ids.id(at: row.id),
            isOccupancy: (stored["capacity"] as String?) != nil)
    }

    /// A row that came from another journal keeps its identity there.
    private func identity(_ position: Int64) throws -> RowIdentity {
        let sql: StaticString = "SELECT fileKey, line FROM journal WHERE position = :position"
        let origin = try db.statement(sql).bind("position", position).first { try rows.origin($0) } ?? nil
        return origin?.identity ?? ids.identity(at: Position(position))
    }
}
