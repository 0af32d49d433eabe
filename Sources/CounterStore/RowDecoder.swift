import CounterModel
import GRDB

/// Turns rows of the journal into values of the model.
struct RowDecoder {
    static let columns = """
        position, kind, locationKey, userId, timestamp, receivedAt, deviceKey, delta, source, sequenceNumber,
        continuesHold, value, levelBefore, text
        """

    private let locationIds: [Int64: String]
    private let deviceIds: [Int64: String]

    init(_ db: Database) throws {
        locationIds = try RowDecoder.ids(db, of: "location")
        deviceIds = try RowDecoder.ids(db, of: "device")
    }

    /// What a row with `columns` is, if it is an entry or a reset.
    func decode(_ row: Row) throws -> JournalRow {
        let locationId = try locationIds[row[2]].orCorrupt()
        let deviceKey: Int64? = row[6]
        let deviceId = try deviceKey.map { try deviceIds[$0].orCorrupt() }
        if row[1] == 3 {
            return .reset(
                Reset(
                    id: Position(row[0]), locationId: locationId, userId: row[3],
                    timestamp: Timestamp(microseconds: row[4]), receivedAt: Timestamp(microseconds: row[5]),
                    deviceId: deviceId, value: row[11], levelBefore: row[12]))
        }
        return .entry(
            Entry(
                id: Position(row[0]), locationId: locationId, userId: row[3],
                timestamp: Timestamp(microseconds: row[4]), receivedAt: Timestamp(microseconds: row[5]),
                type: try EntryType(delta: row[7]).orCorrupt(), deviceId: try deviceId.orCorrupt(),
                source: try EventSource(key: row[8]).orCorrupt(), sequenceNumber: row[9],
                continuesHold: row[10], reason: row[13]))
    }

    private static func ids(_ db: Database, of table: String) throws -> [Int64: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT key, id FROM \(table)")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
}
