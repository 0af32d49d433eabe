package import CounterModel
package import Linux
import SQL

/// What a journal holds beside its rows: locations as they were added, devices, and when these were connected.
extension SQLiteJournal {
    /// All locations with the name and the zone with which they were added, in that order. Their settings since are rows.
    ///
    /// - throws: `JournalError`
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
    /// - throws: `JournalError`
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
    ///
    /// - throws: `JournalError`
    package func forgottenDevices() throws(JournalError) -> [Identifier] {
        try read { db in
            try db.statement("SELECT id FROM device WHERE isForgotten ORDER BY key").all { try $0["id"] }
        }
    }
}
