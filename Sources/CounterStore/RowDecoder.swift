import CounterModel
import Linux
import SQL

/// Turns rows of the journal into values of the model.
struct RowDecoder {
    static let columns = """
        position, kind, locationKey, userId, timestamp, receivedAt, deviceKey, delta, source, sequenceNumber,
        continuesHold, value, levelBefore, text
        """

    private let locationIds: [Int64: Identifier]
    private let deviceIds: [Int64: Identifier]
    private let legacy: LegacyCorrections

    init(_ db: Connection) throws {
        legacy = try LegacyCorrections(db)
        locationIds = try RowDecoder.ids(db, of: "location")
        deviceIds = try RowDecoder.ids(db, of: "device")
    }

    /// What a row with `columns` is, if it is an entry, a correction or a reset.
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
        if try row["kind"] == 5 || isLegacyCorrection(row) {
            return .correction(try correction(row, deviceId: deviceId.orCorrupt()))
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

    private func isLegacyCorrection(_ row: borrowing Row) throws -> Bool {
        try row["source"] == EventSource.manual.key
            && legacy.contains(row["position"], of: row["locationKey"])
    }

    private func correction(_ row: borrowing Row, deviceId: Identifier) throws -> Correction {
        let (delta, value): (Int?, Int?) = (row["delta"], row["value"])
        return Correction(
            id: Position(try row["position"]),
            locationId: try locationIds[row["locationKey"]].orCorrupt(), userId: row["userId"],
            timestamp: Timestamp(microseconds: try row["timestamp"]),
            receivedAt: Timestamp(microseconds: try row["receivedAt"]), deviceId: deviceId,
            difference: try (delta ?? value).orCorrupt(), levelBefore: row["levelBefore"],
            reason: row["text"])
    }

    private static func ids(_ db: Connection, of table: String) throws -> [Int64: Identifier] {
        var ids: [Int64: Identifier] = [:]
        try db.statement("SELECT key, id FROM \(table)").forEach {
            ids[try $0["key"]] = try $0["id"] as Identifier
        }
        return ids
    }
}
