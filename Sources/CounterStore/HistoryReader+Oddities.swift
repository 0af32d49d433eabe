import CounterModel
import GRDB

extension HistoryReader {
    func oddities(of locationId: String, from: Timestamp, to: Timestamp) throws -> [Anomaly] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        let range: StatementArguments = [key, from.microseconds, to.microseconds]
        return try gaps(range) + restarts(range) + skewed(range)
    }

    /// Whether a row of the journal counts within a range of a location.
    private static let isInRange = """
        journal.locationKey = ?1 AND \(Schema.countedAt) >= ?2 AND \(Schema.countedAt) < ?3
        """

    /// A gap is noticed with the entry that shows it.
    private func gaps(_ range: StatementArguments) throws -> [Anomaly] {
        let sql = """
            SELECT device.id, first, last, \(Schema.countedAt) FROM gap
            JOIN journal ON position = noticedBy JOIN device ON device.key = gap.deviceKey
            WHERE \(HistoryReader.isInRange) ORDER BY position, first
            """
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: range).map { row in
            .sequenceGap(
                deviceId: row[0], first: row[1], last: row[2], at: Timestamp(microseconds: row[3]))
        }
    }

    private func restarts(_ range: StatementArguments) throws -> [Anomaly] {
        let sql = """
            SELECT device.id, epoch.epoch, \(Schema.countedAt) FROM epoch
            JOIN journal ON position = openedBy JOIN device ON device.key = epoch.deviceKey
            WHERE epoch.epoch > 0 AND \(HistoryReader.isInRange) ORDER BY position
            """
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: range).map { row in
            .restart(deviceId: row[0], epoch: row[1], at: Timestamp(microseconds: row[2]))
        }
    }

    private func skewed(_ range: StatementArguments) throws -> [Anomaly] {
        let sql = """
            SELECT device.id, timestamp, receivedAt FROM journal JOIN device ON device.key = deviceKey
            WHERE \(Schema.isSkewed) AND journal.locationKey = ?1 AND receivedAt >= ?2 AND receivedAt < ?3
            ORDER BY position
            """
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: range).map { row in
            .clockSkew(
                deviceId: row[0], timestamp: Timestamp(microseconds: row[1]),
                receivedAt: Timestamp(microseconds: row[2]))
        }
    }

    func firstSign(of locationId: String) throws -> Timestamp? {
        let sql = """
            SELECT min(time) FROM (
                SELECT * FROM (SELECT \(Schema.countedAt) AS time FROM journal WHERE kind <> 2 AND locationKey = ?1
                    ORDER BY (\(Schema.countedAt)) LIMIT 1)
                UNION ALL SELECT min(since) FROM presence WHERE locationKey = ?1)
            """
        guard let key = try LocationTable.key(db, id: locationId) else { return nil }
        return Timestamp(stored: try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [key]))
    }

    func presence(of locationId: String, from: Timestamp, to: Timestamp) throws -> [Range<Timestamp>] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        return try PresenceTable.presence(db, of: key, from: from.microseconds, to: to.microseconds)
    }
}
