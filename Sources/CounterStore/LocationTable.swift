import CounterModel
import Linux
import SQL

/// The SQL of locations.
enum LocationTable {
    /// Inserts a location with an empty first segment and level 0.
    ///
    /// - returns: Its key; nil if the id is taken.
    @discardableResult
    static func insert(_ db: Connection, id: Identifier, name: String, timezone: String) throws -> Int64? {
        let insertion = """
            INSERT INTO location (id, name, timezone) VALUES (:id, :name, :timezone) ON CONFLICT (id) DO NOTHING
            """
        try db.statement(insertion).bind("id", id).bind("name", name).bind("timezone", timezone).run()
        guard db.changes == 1 else { return nil }
        let key = db.lastInsertedKey
        try db.statement("INSERT INTO segment VALUES (:location, 0, :begin, :begin, NULL, 0, 0)")
            .bind("location", key).bind("begin", Segment.beginningOfTime).run()
        try db.statement("INSERT INTO counterState VALUES (:location, 0, NULL, NULL, :latest, 0)")
            .bind("location", key).bind("latest", Segment.beginningOfTime).run()
        return key
    }

    static func all(_ db: Connection) throws -> [Location] {
        try db.statement("SELECT key FROM location ORDER BY key").integers().map { key in
            try location(db, key: key).orCorrupt()
        }
    }

    /// A location with its present settings.
    static func location(_ db: Connection, key: Int64) throws -> Location? {
        let find: StaticString = "SELECT id, name, timezone FROM location WHERE key = :key"
        let found = try db.statement(find).bind("key", key).first { row in
            Location(id: try row["id"], name: try row["name"], timezone: try row["timezone"])
        }
        guard var location = found else { return nil }
        for setting in try settings(db, key: key) { location.apply(setting) }
        return location
    }

    /// All settings in order, so that the last of each applies. The index has only such rows, and few of them.
    private static func settings(_ db: Connection, key: Int64) throws -> [LocationSetting] {
        let sql: StaticString = """
            SELECT setting, text FROM journal WHERE kind = 4 AND locationKey = :location ORDER BY setting, position
            """
        return try db.statement(sql).bind("location", key).all { try LocationSetting($0) }
    }

    static func key(_ db: Connection, id: Identifier) throws -> Int64? {
        try db.statement("SELECT key FROM location WHERE id = :id").binding("id", to: id) { try $0.integer() }
    }
}

extension LocationSetting {
    /// A row with its `setting` and `text`.
    init(_ row: borrowing Row) throws {
        let text: String? = row["text"]
        self = try Name(key: row["setting"]).flatMap { LocationSetting($0, text: text) }.orCorrupt()
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
        case .openingHours: 7
        case .endsDaysAutomatically: 8
        case .group: 9
        case .key: 10
        case .target: 11
        }
    }

    /// The setting with a key of the table `setting`.
    init?(key: Int64) {
        guard let name = LocationSetting.Name.allCases.first(where: { $0.key == key }) else { return nil }
        self = name
    }
}
