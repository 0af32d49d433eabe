public import CounterModel
import GRDB

extension SQLiteJournal {
    /// All devices ever seen or named, in the order in which they became known.
    ///
    /// - throws: `JournalError`
    public func devices() throws(JournalError) -> [Device] {
        try read { db in
            let sql = """
                SELECT device.id, device.name, location.id, lastSeenAt, isActive
                FROM device LEFT JOIN location ON location.key = locationKey ORDER BY device.key
                """
            return try Row.fetchAll(db, sql: sql).map { row in
                Device(
                    id: row[0], name: row[1], locationId: row[2], lastSeenAt: Timestamp(stored: row[3]),
                    isActive: row[4])
            }
        }
    }

    /// Notes that a device was there. One that is new gets `name`; a known one keeps the name it has.
    ///
    /// - throws: `JournalError`
    public func seen(device id: String, name: String, at time: Timestamp) throws(JournalError) {
        try write { db in
            try DeviceTable.noteSeen(db, id: id, name: name, at: time)
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
