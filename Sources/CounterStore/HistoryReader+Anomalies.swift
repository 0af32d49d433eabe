import CounterModel
import Linux
import SQL

extension HistoryReader {
    func anomalies(of locationId: Identifier, from: Timestamp, to: Timestamp) throws -> [Anomaly] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        let range = from.microseconds..<to.microseconds
        return try gaps(of: key, range) + restarts(of: key, range) + skewed(of: key, range)
    }

    private func statement(_ sql: String, _ location: Int64, _ range: Range<Int64>) throws -> Statement {
        try db.statement(sql).bind("location", location).bind("from", range.lowerBound)
            .bind("to", range.upperBound)
    }

    /// Whether a row of the journal counts within a range of a location.
    private static let isInRange = """
        journal.locationKey = :location AND \(Schema.countedAt) >= :from AND \(Schema.countedAt) < :to
        """

    /// A gap is dated by the entry that shows it.
    private func gaps(of location: Int64, _ range: Range<Int64>) throws -> [Anomaly] {
        let sql = """
            SELECT device.id, first, last, \(Schema.countedAt) AS time FROM gap
            JOIN journal ON position = noticedBy JOIN device ON device.key = gap.deviceKey
            WHERE \(HistoryReader.isInRange) ORDER BY position, first
            """
        return try statement(sql, location, range).all { row in
            .sequenceGap(
                deviceId: try row["id"], first: try row["first"], last: try row["last"],
                at: Timestamp(microseconds: try row["time"]))
        }
    }

    private func restarts(of location: Int64, _ range: Range<Int64>) throws -> [Anomaly] {
        let sql = """
            SELECT device.id, epoch.epoch, \(Schema.countedAt) AS time FROM epoch
            JOIN journal ON position = openedBy JOIN device ON device.key = epoch.deviceKey
            WHERE epoch.epoch > 0 AND \(HistoryReader.isInRange) ORDER BY position
            """
        return try statement(sql, location, range).all { row in
            .restart(
                deviceId: try row["id"], epoch: try row["epoch"], at: Timestamp(microseconds: try row["time"])
            )
        }
    }

    private func skewed(of location: Int64, _ range: Range<Int64>) throws -> [Anomaly] {
        let sql = """
            SELECT device.id, timestamp, receivedAt FROM journal JOIN device ON device.key = deviceKey
            WHERE \(Schema.isSkewed) AND journal.locationKey = :location AND receivedAt >= :from
            AND receivedAt < :to ORDER BY position
            """
        return try statement(sql, location, range).all { row in
            .clockSkew(
                deviceId: try row["id"], timestamp: Timestamp(microseconds: try row["timestamp"]),
                receivedAt: Timestamp(microseconds: try row["receivedAt"]))
        }
    }

    func firstSign(of locationId: Identifier) throws -> Timestamp? {
        let sql = """
            SELECT min(time) FROM (
                SELECT * FROM (SELECT \(Schema.countedAt) AS time FROM journal WHERE kind <> 2 AND kind <> 6
                    AND locationKey = :location ORDER BY (\(Schema.countedAt)) LIMIT 1)
                UNION ALL SELECT min(since) FROM presence WHERE locationKey = :location)
            """
        guard let key = try LocationTable.key(db, id: locationId) else { return nil }
        return Timestamp(stored: try db.statement(sql).bind("location", key).integer())
    }

    func presence(of locationId: Identifier, from: Timestamp, to: Timestamp) throws -> [Range<Timestamp>] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        return try PresenceTable.presence(db, of: key, from: from.microseconds, to: to.microseconds)
    }
}
