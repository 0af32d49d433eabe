package import CounterModel
package import Linux
import SQL

extension SQLiteJournal {
    /// Devices that were ever seen or named, in the order in which they became known.
    ///
    /// - parameter locationId: Only devices that count into this location: assigned to it or, if unassigned, last
    ///   connected for it; nil for all.
    /// - returns: The devices, each with whether it is connected now.
    package func devices(of locationId: Identifier? = nil) throws(JournalError) -> [Device] {
        try read { db in
            let sql = """
                SELECT device.id, device.name, location.id AS location, lastSeenAt, isActive, keysReadBy, device.key,
                    (SELECT id FROM location WHERE key = (SELECT presence.locationKey FROM presence
                        WHERE deviceKey = device.key ORDER BY since DESC LIMIT 1)) AS lastLocation
                FROM device LEFT JOIN location ON location.key = locationKey
                WHERE NOT isForgotten AND (:id IS NULL OR (SELECT key FROM location WHERE id = :id) = coalesce(locationKey,
                    (SELECT presence.locationKey FROM presence WHERE deviceKey = device.key
                        ORDER BY since DESC LIMIT 1)))
                ORDER BY device.key
                """
            let connections = try PresenceTable.connections(db)
            return try db.statement(sql).bind("id", locationId).all { row in
                Device(
                    id: try row["id"], name: try row["name"], locationId: row["location"],
                    lastSeenAt: Timestamp(stored: row["lastSeenAt"]), isActive: try row["isActive"],
                    connection: connections[try row["key"]], lastLocationId: row["lastLocation"],
                    keysReadBy: row["keysReadBy"])
            }
        }
    }

    /// The devices that are assigned to a location or disabled, without when they were seen and connected. They are few, however
    /// many devices have sent events.
    package func devicesWithSettings() throws(JournalError) -> [Device] {
        try read { db in
            let sql: StaticString = """
                SELECT device.id, device.name, location.id AS location, isActive
                FROM device LEFT JOIN location ON location.key = locationKey
                WHERE locationKey IS NOT NULL OR isActive = 0
                """
            return try db.statement(sql).all { row in
                Device(
                    id: try row["id"], name: try row["name"], locationId: row["location"], lastSeenAt: nil,
                    isActive: try row["isActive"])
            }
        }
    }

    /// Notes in one transaction which devices have come and gone. A new device gets its name here; a known one keeps
    /// its name. Those that came are connected until they go or this process ends; none comes twice before it goes.
    ///
    /// - parameters:
    ///     - came: Each with its own name and the location that it counts into.
    ///     - keysReadBy: The user whose program reads the keys of those that came; nil where they report by other ways.
    package func note(
        came: [(id: Identifier, name: String, locationId: Identifier)], went: [Identifier],
        at time: Timestamp,
        keysReadBy: String? = nil
    ) throws(JournalError) {
        while !hasEndedAbandoned {
            hasEndedAbandoned = try write { try PresenceTable.endAbandoned($0) }
        }
        try write { db in
            for (id, name, locationId) in came {
                let device = try DeviceTable.key(db, id: id, name: name)
                // A forgotten device comes as a new one.
                try db.statement("UPDATE device SET name = :name WHERE key = :key AND isForgotten")
                    .bind("name", name).bind("key", device).run()
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

    /// Makes a device known by its id before it was seen, or again after it was forgotten.
    package func know(device id: Identifier) throws(JournalError) {
        try write { db in
            let key = try DeviceTable.key(db, id: id)
            try db.statement("UPDATE device SET isForgotten = 0 WHERE key = :key").bind("key", key).run()
        }
    }

    /// Forgets a device: its name, its location, and that it was seen. What it counted stays. It is known again, as a new
    /// one, as soon as it is seen.
    ///
    /// - returns: False where there is no such device.
    package func forget(device id: Identifier) throws(JournalError) -> Bool {
        try write { db in
            let sql = """
                UPDATE device SET name = id, locationKey = NULL, lastSeenAt = NULL, isActive = 1, isForgotten = 1
                WHERE id = :id AND NOT isForgotten
                """
            try db.statement(sql).bind("id", id).run()
            return db.changes == 1
        }
    }

    /// Assigns a device to the location it counts into from now on, or to none.
    ///
    /// - returns: False where there is no such device or location; then nothing has changed.
    package func assign(device id: Identifier, to locationId: Identifier?) throws(JournalError) -> Bool {
        try write { db in
            let key = try locationId.map { try LocationTable.key(db, id: $0) }
            if let key, key == nil { return false }
            try db.statement("UPDATE device SET locationKey = :location WHERE id = :id")
                .bind("location", key ?? nil).bind("id", id).run()
            return db.changes == 1
        }
    }

    /// Gives a device another name.
    ///
    /// - returns: False where there is no such device.
    package func rename(device id: Identifier, to name: String) throws(JournalError) -> Bool {
        try write { db in
            try db.statement("UPDATE device SET name = :name WHERE id = :id").bind("name", name).bind(
                "id", id
            )
            .run()
            return db.changes == 1
        }
    }

    /// Sets whether a device is to count. The journal does not enforce it; the program that listens does.
    ///
    /// - returns: False where there is no such device.
    package func setActive(_ isActive: Bool, device id: Identifier) throws(JournalError) -> Bool {
        try write { db in
            try db.statement("UPDATE device SET isActive = :isActive WHERE id = :id").bind(
                "isActive", isActive
            )
            .bind("id", id).run()
            return db.changes == 1
        }
    }
}

/// The SQL of devices.
enum DeviceTable {
    static func noteSeen(_ db: Connection, key: Int64, at time: Timestamp) throws {
        let sql: StaticString = """
            UPDATE device SET lastSeenAt = :time, isForgotten = 0
            WHERE key = :key AND (lastSeenAt IS NULL OR lastSeenAt < :time)
            """
        try db.statement(sql).bind("time", time.microseconds).bind("key", key).run()
    }

    static func note(_ db: Connection, key: Int64, keysReadBy userId: String) throws {
        let sql: StaticString =
            "UPDATE device SET keysReadBy = :user WHERE key = :key AND keysReadBy IS NOT :user"
        try db.statement(sql).bind("user", userId).bind("key", key).run()
    }

    /// The key of a device, which becomes known by this if it was not: by its id, where it has no other name.
    static func key(_ db: Connection, id: Identifier, name: String? = nil) throws -> Int64 {
        let sql: StaticString = "SELECT key FROM device WHERE id = :id"
        let find = try db.statement(sql)
        if let key = try find.binding("id", to: id, { try $0.integer() }) { return key }
        try db.statement("INSERT INTO device (id, name, isActive) VALUES (:id, :name, 1)").bind("id", id)
            .bind("name", name ?? id.text).run()
        return db.lastInsertedKey
    }
}

/// What a journal holds beside its rows: locations as they were added, devices, and when these were connected.
extension SQLiteJournal {
    /// All locations with the name and the zone with which they were added, in that order. Their settings since are rows.
    package func locationsAsAdded() throws(JournalError) -> [Location] {
        try read { db in
            try db.statement("SELECT id, name, timezone FROM location ORDER BY key").all { row in
                Location(id: try row["id"], name: try row["name"], timezone: try row["timezone"])
            }
        }
    }

    /// When which devices were connected, in the order in which it was stored. A connection that lasts ends now.
    ///
    /// - parameter now: The present moment.
    /// - returns: The connections.
    package func connections(now: Timestamp) throws(JournalError) -> [PastConnection] {
        try read { db in
            let sql = """
                SELECT device.id AS device, location.id AS location, since, until, process, started, lastSeenAt
                FROM presence JOIN device ON device.key = deviceKey
                JOIN location ON location.key = presence.locationKey ORDER BY presence.rowid
                """
            return try db.statement(sql).all { row in
                let since: Int64 = try row["since"]
                return PastConnection(
                    deviceId: try row["device"], locationId: try row["location"],
                    from: Timestamp(microseconds: since),
                    to: Timestamp(
                        microseconds: max(since, try PresenceTable.end(row, whileConnected: now.microseconds))
                    )
                )
            }
        }
    }

    /// The ids of the devices that were forgotten, and not seen since.
    package func forgottenDevices() throws(JournalError) -> [Identifier] {
        try read { db in
            try db.statement("SELECT id FROM device WHERE isForgotten ORDER BY key").all { try $0["id"] }
        }
    }
}
