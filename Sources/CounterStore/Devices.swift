package import CounterModel
package import Linux
import SQL

extension SQLiteJournal {
    /// Devices that were ever seen or named, in the order in which they became known; of a location those that are assigned to it
    /// or, if unassigned, were last connected for it.
    package func devices(of locationId: Identifier? = nil) throws(JournalError) -> [Device] {
        try read { db in
            let sql = """
                SELECT device.id, name, location.id AS location, lastSeenAt, isActive, keysReadBy, device.key,
                    (SELECT id FROM location WHERE key = (SELECT presence.locationKey FROM presence
                        WHERE deviceKey = device.key ORDER BY since DESC LIMIT 1)) AS lastLocation
                FROM knownDevice AS device LEFT JOIN location ON location.key = locationKey
                WHERE NOT isForgotten AND (:id IS NULL OR (SELECT key FROM location WHERE id = :id) = coalesce(locationKey,
                    (SELECT presence.locationKey FROM presence WHERE deviceKey = device.key
                        ORDER BY since DESC LIMIT 1)))
                ORDER BY device.key
                """
            let connections = try PresenceTable.connections(db)
            return try db.statement(sql).bind("id", locationId).all { row in
                Device(
                    id: try row["id"], name: try row["name"], locationId: row["location"],
                    lastSeenAt: row["lastSeenAt"], isActive: try row["isActive"],
                    connection: connections[try row["key"]], lastLocationId: row["lastLocation"],
                    keysReadBy: row["keysReadBy"])
            }
        }
    }

    /// Which of the devices are known that an id means: the one that has it, or those of which it is the beginning before a `/`.
    package func known(of id: Identifier) throws(JournalError) -> [Identifier] {
        let sql: StaticString = """
            SELECT id FROM knownDevice WHERE NOT isForgotten AND (id = :id OR id >= :first AND id < :end) ORDER BY key
            """
        // '0' is the character after '/'.
        return try read { db in
            try db.statement(sql).bind("id", id).bind("first", id.text + "/").bind("end", id.text + "0")
                .all { row in try row["id"] }
        }
    }

    /// The devices that are assigned to a location or disabled, without when they were seen and connected. They are few, however
    /// many devices have sent events.
    package func devicesWithSettings() throws(JournalError) -> [Device] {
        try read { db in
            let sql = """
                SELECT device.id, name, location.id AS location, isActive
                FROM knownDevice AS device LEFT JOIN location ON location.key = locationKey
                WHERE device.key IN (SELECT deviceKey FROM journal WHERE kind = \(RowKind.device))
                    AND (locationKey IS NOT NULL OR NOT isActive)
                """
            return try db.statement(sql).all { row in
                Device(
                    id: try row["id"], name: try row["name"], locationId: row["location"], lastSeenAt: nil,
                    isActive: try row["isActive"])
            }
        }
    }

    /// Notes in one transaction which devices have come and gone. What a new device calls itself becomes its name; a known one
    /// keeps its name. Those that came are connected until they go or this process ends; none comes twice before it goes. Each
    /// has its own name and the location that it counts into; `keysReadBy` is the user whose program reads their keys, nil where
    /// they report by other ways.
    package func note(
        came: [(id: Identifier, name: String, locationId: Identifier)], went: [Identifier],
        at time: Timestamp, keysReadBy: String? = nil
    ) throws(JournalError) {
        while !hasEndedAbandoned {
            hasEndedAbandoned = try write { try PresenceTable.endAbandoned($0) }
        }
        try write { db in
            let new = try came.filter { try $0.name != $0.id.text && !DeviceTable.isKnown(db, id: $0.id) }
            let transaction = try new.isEmpty ? nil : AppendTransaction(db, receivedAt: time)
            for (id, name, _) in new {
                try transaction?.decide(.device(id, .name(name.withSpacesForControls)))
            }
            for (id, _, locationId) in came {
                let device = try DeviceTable.key(db, id: id)
                try DeviceTable.noteSeen(db, key: device, at: time)
                if let keysReadBy { try DeviceTable.note(db, key: device, keysReadBy: keysReadBy) }
                guard let location = try LocationTable.key(db, id: locationId) else { continue }
                try PresenceTable.begin(db, device: device, location: location, at: time)
            }
            for id in went {
                let device = try DeviceTable.key(db, id: id)
                try DeviceTable.noteSeen(db, key: device, at: time)
                try PresenceTable.end(db, device: device, at: time)
            }
        }
    }

    /// Appends what this process's user decides of a device. `location`: where it counts from now on, for `.location`; nil for
    /// none of its own. `isNew`: whether it may be one that was not seen yet, or is forgotten. Returns false where there is no
    /// such device or location; then nothing has changed.
    package func set(
        _ setting: DeviceSetting, of device: Identifier, to location: Identifier? = nil, isNew: Bool = false,
        at now: Timestamp
    ) throws(JournalError) -> Bool {
        try appending(at: now) { transaction in
            guard try isNew || DeviceTable.isKnown(transaction.db, id: device) else { return false }
            if let location, try LocationTable.key(transaction.db, id: location) == nil { return false }
            try transaction.decide(.device(device, setting), at: location, by: LoginName.current)
            return true
        }
    }
}

enum DeviceTable {
    static func noteSeen(_ db: Connection, key: Int64, at time: Timestamp) throws {
        try db.statement(seen).bind("time", time).bind("key", key).run()
    }

    /// What was sent before a device was forgotten does not bring it back.
    private static let seen = FixedText(
        """
        UPDATE device SET lastSeenAt = :time WHERE key = :key AND (lastSeenAt < :time
            OR lastSeenAt IS NULL AND NOT EXISTS (SELECT 1 FROM journal WHERE kind = \(RowKind.device)
                AND deviceKey = :key AND setting = \(DeviceSetting.isForgotten.key) AND timestamp > :time))
        """)

    /// Forgets when it was seen, unless that was later.
    static func noteForgotten(_ db: Connection, key: Int64, at time: Timestamp) throws {
        let sql: StaticString = """
            UPDATE device SET lastSeenAt = NULL, keysReadBy = NULL WHERE key = :key AND lastSeenAt <= :time
            """
        try db.statement(sql).bind("time", time).bind("key", key).run()
    }

    static func note(_ db: Connection, key: Int64, keysReadBy userId: String) throws {
        let sql: StaticString =
            "UPDATE device SET keysReadBy = :user WHERE key = :key AND keysReadBy IS NOT :user"
        try db.statement(sql).bind("user", userId).bind("key", key).run()
    }

    /// The last setting of a device, or of any, as an expression of SQL: a column of its row. What was set before the device was forgotten
    /// is forgotten.
    static func last(_ setting: DeviceSetting?, _ column: String) -> String {
        let keys = setting.map { "AND row.setting IN (\($0.key), \(DeviceSetting.isForgotten.key))" } ?? ""
        return """
            (SELECT \(column) FROM journal AS row WHERE row.kind = \(RowKind.device) AND row.deviceKey = device.key \(keys)
                ORDER BY row.orderedAt DESC, \(Schema.place(of: "row")) DESC LIMIT 1)
            """
    }

    /// The key of a device that was ever seen or set, though it may be forgotten.
    static func known(_ db: Connection, id: Identifier) throws -> Int64? {
        let sql: StaticString = "SELECT key FROM device WHERE id = :id"
        return try db.statement(sql).bind("id", id).integer()
    }

    static func isKnown(_ db: Connection, id: Identifier) throws -> Bool {
        let sql: StaticString = "SELECT NOT isForgotten FROM knownDevice WHERE id = :id"
        return try db.statement(sql).bind("id", id).integer() == 1
    }

    /// The key of a device, which becomes known by this if it was not.
    static func key(_ db: Connection, id: Identifier) throws -> Int64 {
        if let key = try known(db, id: id) { return key }
        try db.statement("INSERT INTO device (id) VALUES (:id)").bind("id", id).run()
        return db.lastInsertedKey
    }
}
