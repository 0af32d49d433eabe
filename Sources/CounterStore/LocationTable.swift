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
            sql: "INSERT INTO segment VALUES (?, 0, ?, ?, NULL, 0, 0)",
            arguments: [key, Segment.beginningOfTime, Segment.beginningOfTime])
        try db.execute(
            sql: "INSERT INTO counterState VALUES (?, 0, NULL, NULL, ?, 0)",
            arguments: [key, Segment.beginningOfTime])
        return key
    }

    static func all(_ db: Database) throws -> [Location] {
        try Int64.fetchAll(db, sql: "SELECT key FROM location ORDER BY key").map { key in
            try location(db, key: key).orCorrupt()
        }
    }

    /// A location with its settings as of now.
    static func location(_ db: Database, key: Int64) throws -> Location? {
        let find = try db.cachedStatement(sql: "SELECT id, name, timezone FROM location WHERE key = ?")
        guard let row = try Row.fetchOne(find, arguments: [key]) else { return nil }
        var location = Location(id: row[0], name: row[1], timezone: row[2])
        for setting in try settings(db, key: key) { location.apply(setting) }
        return location
    }

    /// The last row of each setting. The index holds no other rows, and few of those.
    private static func settings(_ db: Database, key: Int64) throws -> [LocationSetting] {
        let sql = """
            SELECT setting, text FROM journal WHERE position IN
            (SELECT max(position) FROM journal WHERE kind = 4 AND locationKey = ? GROUP BY setting)
            """
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [key]).map { row in
            try LocationSetting.Name(key: row[0]).flatMap { LocationSetting($0, text: row[1]) }.orCorrupt()
        }
    }

    static func key(_ db: Database, id: String) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT key FROM location WHERE id = ?"), arguments: [id])
    }
}

extension LocationSetting.Name {
    /// The key in the table `setting`.
    var key: Int64 {
        switch self {
        case .capacity: 1
        case .name: 2
        case .timezone: 3
        case .dayStart: 4
        case .admitsOverFull: 5
        case .isHidden: 6
        }
    }

    /// The setting with a key of the table `setting`.
    init?(key: Int64) {
        guard let name = LocationSetting.Name.allCases.first(where: { $0.key == key }) else { return nil }
        self = name
    }
}
