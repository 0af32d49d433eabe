public import CounterModel
import GRDB

extension SQLiteJournal {
    /// Devices that were ever seen or named, in the order in which they became known.
    ///
    /// - parameter locationId: Only those that count into it: assigned to it or, where nobody has assigned them, last
    ///   connected for it; nil for all.
    /// - returns: Those, each with whether it is connected now.
    /// - throws: `JournalError`
    public func devices(of locationId: String? = nil) throws(JournalError) -> [Device] {
        try read { db in
            let sql = """
                SELECT device.id, device.name, location.id, lastSeenAt, isActive, device.key
                FROM device LEFT JOIN location ON location.key = locationKey
                WHERE ?1 IS NULL OR (SELECT key FROM location WHERE id = ?1) = coalesce(locationKey,
                    (SELECT presence.locationKey FROM presence WHERE deviceKey = device.key
                        ORDER BY since DESC LIMIT 1))
                ORDER BY device.key
                """
            let connected = try PresenceTable.connected(db)
            return try Row.fetchAll(db, sql: sql, arguments: [locationId]).map { row in
                Device(
                    id: row[0], name: row[1], locationId: row[2], lastSeenAt: Timestamp(stored: row[3]),
                    isActive: row[4], isConnected: connected.contains(row[5]))
            }
        }
    }

    /// Notes that devices have come and gone, all of them in one transaction. One that is new gets its name here; a
    /// known one keeps the name it has. Those that came are connected until they go or this process ends.
    ///
    /// - parameters:
    ///     - came: Each with what it calls itself, and the location that it counts into.
    ///     - went: The ids of those that are gone.
    ///     - time: When.
    /// - throws: `JournalError`; then none was noted.
    public func note(
        came: [(id: String, name: String, locationId: String)], went: [String], at time: Timestamp
    ) throws(JournalError) {
        try write { db in
            try PresenceTable.endAbandoned(db)
            for (id, name, locationId) in came {
                try DeviceTable.noteSeen(db, id: id, name: name, at: time)
                guard let location = try LocationTable.key(db, id: locationId) else { continue }
                try PresenceTable.begin(
                    db, device: try DeviceTable.key(db, id: id), location: location, at: time)
            }
            for id in went {
                try DeviceTable.noteSeen(db, id: id, name: id, at: time)
                try PresenceTable.end(db, device: try DeviceTable.key(db, id: id), at: time)
            }
        }
    }

    /// Assigns a device to the location it counts into from now on, or to none.
    ///
    /// - returns: False where there is no such device or location; then nothing has changed.
    /// - throws: `JournalError`
    public func assign(device id: String, to locationId: String?) throws(JournalError) -> Bool {
        try write { db in
            let key = try locationId.map { try LocationTable.key(db, id: $0) }
            if let key, key == nil { return false }
            return try DeviceTable.update(db, id: id, set: "locationKey = ?", to: key ?? nil)
        }
    }

    /// Gives a device another name.
    ///
    /// - returns: False where there is no such device.
    /// - throws: `JournalError`
    public func rename(device id: String, to name: String) throws(JournalError) -> Bool {
        try write { db in try DeviceTable.update(db, id: id, set: "name = ?", to: name) }
    }

    /// Says whether a device is to count. The journal itself takes what it is given; who listens asks this.
    ///
    /// - returns: False where there is no such device.
    /// - throws: `JournalError`
    public func setActive(_ isActive: Bool, device id: String) throws(JournalError) -> Bool {
        try write { db in try DeviceTable.update(db, id: id, set: "isActive = ?", to: isActive) }
    }
}

/// The SQL of devices.
enum DeviceTable {
    static func noteSeen(_ db: Database, id: String, name: String, at time: Timestamp) throws {
        let sql = """
            INSERT INTO device (id, name, lastSeenAt, isActive) VALUES (?, ?, ?, 1)
            ON CONFLICT (id) DO UPDATE SET lastSeenAt = max(coalesce(lastSeenAt, excluded.lastSeenAt), excluded.lastSeenAt)
            """
        try db.cachedStatement(sql: sql).execute(arguments: [id, name, time.microseconds])
    }

    /// The key of a device, which becomes known by this if it was not.
    static func key(_ db: Database, id: String) throws -> Int64 {
        let find = try db.cachedStatement(sql: "SELECT key FROM device WHERE id = ?")
        if let key = try Int64.fetchOne(find, arguments: [id]) { return key }
        try db.execute(sql: "INSERT INTO device (id, name, isActive) VALUES (?, ?, 1)", arguments: [id, id])
        return db.lastInsertedRowID
    }

    static func update(
        _ db: Database, id: String, set assignment: String, to value: (any DatabaseValueConvertible)?
    ) throws -> Bool {
        try db.execute(sql: "UPDATE device SET \(assignment) WHERE id = ?", arguments: [value, id])
        return db.changesCount == 1
    }
}
