import CounterModel
import SQL

/// Finds the row that an undo of a location voids. Each query walks an index backwards to its first hit.
struct UndoCandidates {
    private let db: Connection
    private let location: Int64

    init(_ db: Connection, location: Int64) {
        self.db = db
        self.location = location
    }

    /// The last row within a scope that is not void.
    ///
    /// - parameters:
    ///     - scope: Which rows are meant.
    ///     - first: The first row of this transaction: from there on rows are of the program that asks.
    /// - returns: Its position; nil where there is none.
    /// - throws: `SQLError`
    func last(in scope: UndoScope, appendedFrom first: Int64) throws -> Int64? {
        let found = [
            try lastOwn(scope.own), try lastByHand(scope, appendedFrom: first),
            try lastByKeys(scope, appendedFrom: first),
        ]
        return found.compactMap(\.self).max()
    }

    private func lastOwn(_ own: OwnRows) throws -> Int64? {
        for rows in own.ranges.reversed() {
            if let row = try last(in: rows) { return row }
        }
        return nil
    }

    private func last(in rows: ClosedRange<Int64>) throws -> Int64? {
        let sql: StaticString = """
            SELECT position FROM journal
            WHERE position BETWEEN :first AND :last AND locationKey = :location AND kind IN (1, 3, 5)
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("first", rows.lowerBound).bind("last", rows.upperBound)
            .bind("location", location).integer()
    }

    /// A row without a device is a command's, or an End Day.
    private func lastByHand(_ scope: UndoScope, appendedFrom first: Int64) throws -> Int64? {
        let sql: StaticString = """
            SELECT position FROM journal
            WHERE locationKey = :location AND userId = :user AND kind <> 2 AND kind IN (1, 3, 5) AND fileKey IS NULL
            AND (position <= :since OR position >= :first OR deviceKey IS NULL
                OR deviceKey = (SELECT key FROM device WHERE id = :commandLine))
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", location).bind("user", scope.userId)
            .bind("since", scope.since.number).bind("first", first)
            .bind("commandLine", Devices.commandLine).integer()
    }

    private func lastByKeys(_ scope: UndoScope, appendedFrom first: Int64) throws -> Int64? {
        let key: StaticString = "SELECT key FROM device WHERE id = :id"
        let keys = try scope.deviceIds.compactMap { try db.statement(key).bind("id", $0).integer() }
        guard !keys.isEmpty else { return nil }
        let sql: StaticString = """
            SELECT position FROM journal
            WHERE position BETWEEN :first AND :last AND locationKey = :location AND userId IS NULL AND kind IN (1, 3)
            AND deviceKey IN (SELECT value FROM json_each(:devices)) AND fileKey IS NULL
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            ORDER BY position DESC LIMIT 1
            """
        let devices = "[\(keys.map(String.init).joined(separator: ","))]"
        for rows in [first...Int64.max, 0...scope.since.number] {
            let found = try db.statement(sql).bind("first", rows.lowerBound).bind("last", rows.upperBound)
                .bind("location", location).bind("devices", devices).integer()
            if let found { return found }
        }
        return nil
    }
}
