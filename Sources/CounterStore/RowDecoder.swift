import CounterModel
import SQL

/// Turns rows of the journal into values of the model.
struct RowDecoder {
    static let columns = """
        position, kind, locationKey, userId, timestamp, receivedAt, deviceKey, delta, source, sequenceNumber,
        continuesHold, value, levelBefore, text
        """

    private let locationIds: [Int64: String]
    private let deviceIds: [Int64: String]

    init(_ db: Connection) throws {
        locationIds = try RowDecoder.ids(db, of: "location")
        deviceIds = try RowDecoder.ids(db, of: "device")
    }

    /// The entry or reset in a row with `columns`.
    func decode(_ row: borrowing Row) throws -> JournalRow {
        let deviceKey: Int64? = row["deviceKey"]
        let deviceId = try deviceKey.map { try deviceIds[$0].orCorrupt() }
        if try row["kind"] == 3 {
            return .reset(
                Reset(
                    id: Position(try row["position"]),
                    locationId: try locationIds[row["locationKey"]].orCorrupt(), userId: row["userId"],
                    timestamp: Timestamp(microseconds: try row["timestamp"]),
                    receivedAt: Timestamp(microseconds: try row["receivedAt"]),
                    deviceId: deviceId, value: try row["value"], levelBefore: try row["levelBefore"]))
        }
        return .entry(
            Entry(
                id: Position(try row["position"]),
                locationId: try locationIds[row["locationKey"]].orCorrupt(), userId: row["userId"],
                timestamp: Timestamp(microseconds: try row["timestamp"]),
                receivedAt: Timestamp(microseconds: try row["receivedAt"]),
                type: try EntryType(delta: row["delta"]).orCorrupt(), deviceId: try deviceId.orCorrupt(),
                source: try EventSource(key: row["source"]).orCorrupt(),
                sequenceNumber: row["sequenceNumber"],
                continuesHold: try row["continuesHold"], reason: row["text"]))
    }

    private static func ids(_ db: Connection, of table: String) throws -> [Int64: String] {
        var ids: [Int64: String] = [:]
        try db.statement("SELECT key, id FROM \(table)").forEach {
            ids[try $0["key"]] = try $0["id"] as String
        }
        return ids
    }
}
