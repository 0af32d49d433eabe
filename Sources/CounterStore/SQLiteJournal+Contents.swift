public import CounterModel
import SQL
public import System

/// What a journal holds beside its rows: locations as they were added, devices, and when these were connected.
extension SQLiteJournal {
    /// All locations with the name and the zone with which they were added, in that order. Their settings since are rows.
    ///
    /// - throws: `JournalError`
    public func locationsAsAdded() throws(JournalError) -> [Location] {
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
    /// - throws: `JournalError`
    public func connections(now: Timestamp) throws(JournalError) -> [PastConnection] {
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
    ///
    /// - throws: `JournalError`
    public func forgottenDevices() throws(JournalError) -> [Identifier] {
        try read { db in
            try db.statement("SELECT id FROM device WHERE isForgotten ORDER BY key").all { try $0["id"] }
        }
    }

    /// Adds a location of another journal, with its name and zone. One that is here already keeps its own, unless it has no rows
    /// yet, as `default` in an empty journal.
    ///
    /// - returns: The other location that has its name or id; then nothing has changed. Otherwise nil.
    /// - throws: `JournalError`
    public func takeOver(_ location: Location) throws(JournalError) -> Location? {
        try write { db in
            let taken = try LocationTable.all(db).first {
                $0.id != location.id
                    && [$0.id, Identifier($0.name)].contains {
                        [location.id, Identifier(location.name)].contains($0)
                    }
            }
            if let taken { return taken }
            let added = try LocationTable.insert(
                db, id: location.id, name: location.name, timezone: location.timezone)
            guard added == nil else { return nil }
            let sql = """
                UPDATE location SET name = :name, timezone = :timezone WHERE id = :id
                AND NOT EXISTS (SELECT 1 FROM journal WHERE locationKey = location.key)
                """
            try db.statement(sql).bind("name", location.name).bind("timezone", location.timezone)
                .bind("id", location.id).run()
            return nil
        }
    }

    /// Adds a device of another journal; one that is known here stays as it is.
    ///
    /// - returns: Whether it was added.
    /// - throws: `JournalError`
    @discardableResult
    public func takeOver(_ device: Device) throws(JournalError) -> Bool {
        try write { db in
            let sql = """
                INSERT INTO device (id, name, locationKey, lastSeenAt, isActive, keysReadBy)
                VALUES (:id, :name, :location, :seen, :active, :reader) ON CONFLICT (id) DO NOTHING
                """
            let location = try device.locationId.flatMap { try LocationTable.key(db, id: $0) }
            try db.statement(sql).bind("id", device.id).bind("name", device.name).bind("location", location)
                .bind("seen", device.lastSeenAt?.microseconds).bind("active", device.isActive)
                .bind("reader", device.keysReadBy).run()
            return db.changes == 1
        }
    }

    /// Adds when a device was connected elsewhere, unless it is known here.
    ///
    /// - returns: False where there is no such device or location; then nothing has changed.
    /// - throws: `JournalError`
    public func takeOver(_ connection: PastConnection) throws(JournalError) -> Bool {
        try write { db in
            guard let location = try LocationTable.key(db, id: connection.locationId) else { return false }
            let find = try db.statement("SELECT key FROM device WHERE id = :id")
            guard let device = try find.binding("id", to: connection.deviceId, { try $0.integer() })
            else { return false }
            let sql = """
                INSERT INTO presence SELECT :device, :location, :since, :until, 0, 0 WHERE NOT EXISTS (
                    SELECT 1 FROM presence WHERE deviceKey = :device AND locationKey = :location AND since = :since)
                """
            try db.statement(sql).bind("device", device).bind("location", location)
                .bind("since", connection.from.microseconds).bind("until", connection.to.microseconds).run()
            return true
        }
    }
}
