import CounterModel
import GRDB

/// Reads pages of a location's history.
struct HistoryRows {
    private let db: Database
    private let decoder: RowDecoder

    init(_ db: Database) throws {
        self.db = db
        decoder = try RowDecoder(db)
    }

    func fetch(_ locationId: String, _ page: HistoryPage) throws -> [HistoryRow] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        let order = page.isBackward ? "DESC" : "ASC"
        let (beyond, orAt) = page.isBackward ? ("<", "<=") : (">", ">=")
        let sql = """
            SELECT \(RowDecoder.columns), setting,
                EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position),
                EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journal.position)
            FROM journal WHERE kind <> 2 AND locationKey = ?1
            AND (\(Schema.countedAt)) >= ?2 AND (\(Schema.countedAt)) < ?3
            AND (\(Schema.countedAt)) \(orAt) ?4 AND ((\(Schema.countedAt)) \(beyond) ?4 OR position \(beyond) ?5)
            ORDER BY (\(Schema.countedAt)) \(order), position \(order) LIMIT ?6
            """
        let anchor = page.anchor ?? page.outermost
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: sql),
            arguments: [
                key, page.range.lowerBound.microseconds, page.range.upperBound.microseconds,
                anchor.time.microseconds, anchor.position.number, page.limit,
            ]
        ).map(decode)
        return page.isBackward ? rows.reversed() : rows
    }

    private func decode(_ row: Row) throws -> HistoryRow {
        let (isVoid, isEndOfDay): (Bool, Bool) = (row[15], row[16])
        guard row[1] == 4 else {
            switch try decoder.decode(row) {
            case .entry(let entry): return HistoryRow(.entry(entry), isVoid: isVoid)
            case .reset(let reset):
                return HistoryRow(isEndOfDay ? .endOfDay(reset) : .reset(reset), isVoid: isVoid)
            }
        }
        let setting = try LocationSetting.Name(key: row[14])
            .flatMap { LocationSetting($0, text: row[13]) }.orCorrupt()
        let change = SettingChange(
            id: Position(row[0]), userId: row[3], timestamp: Timestamp(microseconds: row[4]),
            receivedAt: Timestamp(microseconds: row[5]), setting: setting)
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
