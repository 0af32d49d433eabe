package import CounterModel
package import Linux
import SQL

/// Finds what was changed here in a location after a row, by the table of `UndoScope`. Each query walks an index backwards to its
/// first hit.
struct OwnChanges {
    private let db: Connection
    private let location, first: Int64
    /// Which changes are looked for, in SQL.
    private let condition: String
    /// The row after which they are in the order, and the first position at which one can be.
    private let end: RowOrder
    private let start: Int64

    /// Those after the end of a day that are not void; from `first` on, the first row of the present transaction, rows are of the
    /// program that asks.
    init(_ db: Connection, location: Int64, after end: LastDayEnd?, appendedFrom first: Int64 = .max) throws {
        (self.db, self.location, self.first, condition) = (db, location, first, Schema.counts)
        self.end = end?.order ?? .start
        start = try end.map { try Self.lastBefore($0, db) + 1 } ?? 1
    }

    /// Those that were appended after a row, wherever they are in the order, void or not, but for what a redo has appended again.
    init(_ db: Connection, location: Int64, appendedAfter position: Int64, from first: Int64) {
        (self.db, self.location, self.first, condition) = (db, location, first, "redoes IS NULL")
        (end, start) = (.start, position + 1)
    }

    /// The last position of which all rows up to it are at or before a row, in the order.
    private static func lastBefore(_ end: LastDayEnd, _ db: Connection) throws -> Int64 {
        // What is not late is after all of lower positions.
        let isLate = "SELECT isLate FROM journal WHERE position = :position"
        if try db.statement(isLate).bind("position", end.position).integer() == nil {
            return end.position.number
        }
        let sql: StaticString = """
            SELECT position FROM journal WHERE isLate IS NULL AND orderedAt < :end ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("end", end.order.orderedAt).integer() ?? 0
    }

    func last(in scope: UndoScope) throws -> Int64? {
        try [lastOf(scope.own), lastByHand(scope), lastByKeys(scope)].compactMap(\.self).max()
    }

    private func lastOf(_ own: OwnRows) throws -> Int64? {
        for rows in own.ranges.reversed() where rows.upperBound >= start {
            if let row = try last(in: rows) { return row }
        }
        return nil
    }

    private func last(in rows: ClosedRange<Int64>) throws -> Int64? {
        let sql = """
            SELECT position FROM journalRow WHERE position BETWEEN :first AND :last AND locationKey = :location
            AND kind IN \(RowKind.voidable) AND \(condition) AND \(RowOrder.isAfter) ORDER BY position DESC LIMIT 1
            """
        return try end.bind(db.statement(sql)).bind("first", max(rows.lowerBound, start))
            .bind("last", rows.upperBound).bind("location", location).integer()
    }

    /// A row without a device is a command's.
    private func lastByHand(_ scope: UndoScope) throws -> Int64? {
        let sql = """
            SELECT position FROM journalRow WHERE locationKey = :location AND userId = :user
            AND position >= :start AND kind <> \(RowKind.void) AND kind IN \(RowKind.voidable) AND fileKey IS NULL
            AND (position <= :since OR position >= :first OR deviceKey IS NULL
                OR deviceKey = (SELECT key FROM device WHERE id = :commandLine))
            AND \(condition) AND \(RowOrder.isAfter) ORDER BY position DESC LIMIT 1
            """
        return try end.bind(db.statement(sql)).bind("location", location).bind("user", scope.userId)
            .bind("start", start).bind("since", scope.since).bind("first", first)
            .bind("commandLine", Devices.commandLine).integer()
    }

    private func lastByKeys(_ scope: UndoScope) throws -> Int64? {
        let keys = try scope.deviceIds.compactMap { try DeviceTable.known(db, id: $0) }
        guard !keys.isEmpty else { return nil }
        let sql = """
            SELECT position FROM journalRow WHERE position BETWEEN :first AND :last AND locationKey = :location
            AND userId IS NULL AND kind IN (\(RowKind.entry), \(RowKind.reset)) AND fileKey IS NULL
            AND deviceKey IN (SELECT value FROM json_each(:devices))
            AND \(condition) AND \(RowOrder.isAfter) ORDER BY position DESC LIMIT 1
            """
        let devices = "[\(keys.map(String.init).joined(separator: ","))]"
        for rows in [(first, Int64.max), (0, scope.since.number)] {
            let found = try end.bind(db.statement(sql)).bind("first", max(rows.0, start)).bind("last", rows.1)
                .bind("location", location).bind("devices", devices).integer()
            if let found { return found }
        }
        return nil
    }
}

extension OwnChanges {
    /// The last void by a user that no redo has appended again; nil where that is not of a count, a correction or a reset.
    func lastUndo(by user: String) throws -> Int64? {
        let sql = """
            SELECT iif(void.kind IN \(RowKind.voidable), undo.position, NULL)
            FROM journal AS undo JOIN journalRow AS void ON void.position = undo.target
            WHERE undo.target >= :start AND \(RowOrder.isAfter(in: "void")) AND undo.locationKey = :location AND undo.userId = :user
            AND undo.fileKey IS NULL
            AND NOT EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = undo.target)
            AND NOT EXISTS (SELECT 1 FROM journal AS again WHERE again.position > undo.position
                AND again.redoes = coalesce(void.redoes, void.position))
            ORDER BY undo.position DESC LIMIT 1
            """
        return try end.bind(db.statement(sql)).bind("start", start).bind("location", location)
            .bind("user", user).integer()
    }
}

extension SQLiteJournal {
    /// The location with the last change that an undo of a command takes back, or with the last undo that a redo of a command
    /// takes back; nil where no location has one.
    package func location(toUndo scope: UndoScope, isRedo: Bool = false) throws(JournalError) -> Identifier? {
        try read { db in
            let locations = try db.statement("SELECT id, key FROM location").all { row in
                (id: Identifier(try row["id"]), key: try row["key"] as Int64)
            }
            let found = try locations.compactMap { location in
                let end = try SnapshotTable.last(db, of: location.id)
                let changes = try OwnChanges(db, location: location.key, after: end)
                return try (isRedo ? changes.lastUndo(by: scope.userId) : changes.last(in: scope))
                    .map { (id: location.id, position: $0) }
            }
            return found.max { $0.position < $1.position }?.id
        }
    }
}
