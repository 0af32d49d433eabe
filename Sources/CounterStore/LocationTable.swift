import CounterModel
import GRDB

/// The SQL of locations.
enum LocationTable {
    /// Inserts a location with an empty first segment and level 0.
    ///
    /// - returns: Its key; nil where the id is taken.
    @discardableResult
    static func insert(_ db: Database, id: String, name: String, timezone: String) throws -> Int64? {
        try db.execute(
            sql: "INSERT INTO location (id, name, timezone) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
            arguments: [id, name, timezone])
        guard db.changesCount == 1 else { return nil }
        let key = db.lastInsertedRowID
        try db.execute(
            sql: "INSERT INTO segment VALUES (?, 0, ?, NULL, 0, 0)",
            arguments: [key, Segment.beginningOfTime])
        try db.execute(sql: "INSERT INTO counterState VALUES (?, 0, NULL, NULL, 0)", arguments: [key])
        return key
    }

    static func all(_ db: Database) throws -> [Location] {
        let rows = try Row.fetchAll(db, sql: "SELECT id, name, timezone FROM location ORDER BY key")
        return rows.map { Location(id: $0[0], name: $0[1], timezone: $0[2]) }
    }

    static func key(_ db: Database, id: String) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT key FROM location WHERE id = ?"), arguments: [id])
    }
}
