public import CounterModel
import SQL
import System
public import TimerModel

extension SQLiteJournal: TimerRepository {
    /// Applies the rows that a board does not have yet.
    ///
    /// - throws: `JournalError`
    public func update(_ board: inout TimerBoard) throws(JournalError) {
        var rows: [TimerRow] = []
        let last = board.position
        try access { rows = try TimerRows.after(last, $0) }
        for row in rows { board.apply(row) }
    }

    /// Applies the rows that a board does not have yet, and appends what the caller decides on it, all in one transaction
    /// that survives a power cut once this returns.
    ///
    /// - parameters:
    ///     - board: The rows that the caller knows. It has the appended rows too on return.
    ///     - userId: Who does it.
    ///     - now: The present time of this machine's clock.
    ///     - decide: Makes the new rows from the board, or refuses; then nothing is appended.
    /// - returns: What `decide` refused; nil where it did not.
    /// - throws: `JournalError`; then nothing was appended.
    public func change(
        _ board: inout TimerBoard, by userId: String, at now: Timestamp,
        decide: (TimerBoard) -> Result<[TimerRowContent], TimerRefusal>
    ) throws(JournalError) -> TimerRefusal? {
        var next = board
        let refusal = try write { db -> TimerRefusal? in
            for row in try TimerRows.after(next.position, db) { next.apply(row) }
            switch decide(next) {
            case .failure(let refusal): return refusal
            case .success(let contents):
                try append(contents, by: userId, at: now, db)
                for row in try TimerRows.after(next.position, db) { next.apply(row) }
                return nil
            }
        }
        board = next
        return refusal
    }

    private func append(_ contents: [TimerRowContent], by userId: String, at now: Timestamp, _ db: Connection)
        throws
    {
        guard !contents.isEmpty else { return }
        let transaction = try AppendTransaction(db, receivedAt: now)
        // A row is of some location. That of a timer of all locations is of the oldest.
        let oldest = try Identifier(
            db.statement("SELECT id FROM location ORDER BY key LIMIT 1").text().orCorrupt())
        for content in contents {
            let location = try content.event.locationId.flatMap {
                try LocationTable.key(db, id: $0) != nil ? $0 : nil
            }
            _ = try transaction.answer(
                Request(
                    locationId: location ?? oldest, userId: userId, timestamp: now,
                    change: .timerEvent(content.text)))
        }
        try transaction.finish()
    }
}

/// The SQL of `timerEvent` rows.
private enum TimerRows {
    static func after(_ position: Position, _ db: Connection) throws -> [TimerRow] {
        let sql: StaticString = """
            SELECT position, timestamp, userId, text FROM journal
            WHERE kind = 6 AND position > :after ORDER BY position
            """
        return try db.statement(sql).bind("after", position.number).all { row -> TimerRow? in
            guard let content = TimerRowContent(text: try row["text"]) else { return nil }
            return TimerRow(
                position: Position(try row["position"]),
                timestamp: Timestamp(microseconds: try row["timestamp"]), userId: row["userId"],
                content: content)
        }.compactMap(\.self)
    }
}

extension TimerEvent {
    /// The first location in which a timer that starts counts; nil for all, and for other events.
    fileprivate var locationId: Identifier? {
        guard case .started(_, let setup, _, _) = self else { return nil }
        return setup.locations.ids.first
    }
}

extension SQLiteJournal: TimerResultRepository {
    /// The entries that are not void, within windows of one location or several.
    ///
    /// - returns: For each window, by location, without locations that have no entries in it.
    /// - throws: `JournalError`
    public func counts(
        in windows: [TimerWindow], of locations: TimerLocations
    ) throws(JournalError) -> [[TimerCount]] {
        guard !windows.isEmpty else { return [] }
        return try read { db in
            let keys = try Self.keys(of: locations, db)
            return try windows.map { window in
                try keys.compactMap { key, id in try Self.count(in: window, key, id, db) }
            }
        }
    }

    private static func keys(of locations: TimerLocations, _ db: Connection) throws -> [(Int64, Identifier)] {
        try db.statement("SELECT key, id FROM location ORDER BY id").all { row in
            (try row["key"] as Int64, try row["id"] as Identifier)
        }.filter { locations.contains($0.1) }
    }

    /// The index `journalTime` finds the rows of the window; entries by hand of earlier versions may be corrections.
    private static func count(in window: TimerWindow, _ key: Int64, _ id: Identifier, _ db: Connection) throws
        -> TimerCount?
    {
        let sql = """
            SELECT coalesce(sum(delta = 1), 0) AS ins, coalesce(sum(delta = -1), 0) AS outs FROM journal
            WHERE kind <> 2 AND kind = 1 AND locationKey = :location
            AND (\(Schema.countedAt)) >= :from AND (\(Schema.countedAt)) < :to AND NOT \(Schema.isCorrection)
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            """
        return try db.statement(sql).bind("location", key).bind("from", window.from.microseconds)
            .bind("to", window.to.microseconds)
            .first { row in
                let count = TimerCount(locationId: id, totalIn: try row["ins"], totalOut: try row["outs"])
                return count.totalIn + count.totalOut > 0 ? count : nil
            } ?? nil
    }
}
