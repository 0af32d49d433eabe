import CounterModel
import SQL

/// Reads pages of a location's history.
struct HistoryRows {
    private let db: Connection
    private let decoder: RowDecoder

    init(_ db: Connection) throws {
        self.db = db
        decoder = try RowDecoder(db)
    }

    func fetch(_ locationId: String, _ page: HistoryPage) throws -> [HistoryRow] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        let order = page.isBackward ? "DESC" : "ASC"
        let (beyond, orAt) = page.isBackward ? ("<", "<=") : (">", ">=")
        let sql = """
            SELECT \(RowDecoder.columns), setting,
                EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position) AS isVoid,
                EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journal.position) AS isEndOfDay
            FROM journal WHERE kind <> 2 AND locationKey = :location
            AND (\(Schema.countedAt)) >= :from AND (\(Schema.countedAt)) < :to
            AND (\(Schema.countedAt)) \(orAt) :time
            AND ((\(Schema.countedAt)) \(beyond) :time OR position \(beyond) :position)
            ORDER BY (\(Schema.countedAt)) \(order), position \(order) LIMIT :limit
            """
        let anchor = page.anchor ?? page.outermost
        let rows = try db.statement(sql).bind("location", key)
            .bind("from", page.range.lowerBound.microseconds).bind("to", page.range.upperBound.microseconds)
            .bind("time", anchor.time.microseconds).bind("position", anchor.position.number)
            .bind("limit", page.limit).all { try decode($0) }
        return page.isBackward ? rows.reversed() : rows
    }

    private func decode(_ row: borrowing Row) throws -> HistoryRow {
        guard try row["kind"] == 4 else {
            let isVoid: Bool = try row["isVoid"]
            switch try decoder.decode(row) {
            case .entry(let entry): return HistoryRow(.entry(entry), isVoid: isVoid)
            case .reset(let reset):
                return HistoryRow(try row["isEndOfDay"] ? .endOfDay(reset) : .reset(reset), isVoid: isVoid)
            }
        }
        let change = SettingChange(
            id: Position(try row["position"]), userId: row["userId"],
            timestamp: Timestamp(microseconds: try row["timestamp"]),
            receivedAt: Timestamp(microseconds: try row["receivedAt"]), setting: try LocationSetting(row))
        return HistoryRow(.setting(change), isVoid: false)
    }
}

extension HistoryPage {
    /// Before the first row of the range, or after its last.
    fileprivate var outermost: HistoryAnchor {
        isBackward
            ? HistoryAnchor(time: range.upperBound, position: Position(.max))
            : HistoryAnchor(time: range.lowerBound, position: .start)
    }
}
