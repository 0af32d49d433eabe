import CounterModel
import Linux
import SQL

/// Reads pages of a location's history.
struct HistoryRows {
    private let db: Connection
    private let decoder: RowDecoder

    init(_ db: Connection) throws {
        self.db = db
        decoder = try RowDecoder(db)
    }

    func fetch(_ locationId: Identifier, _ page: HistoryPage) throws -> [HistoryRow] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        let own = try fetch(HistoryRows.atOwnTime(page), key, page)
        let early = try fetch(HistoryRows.early(page), key, page)
        guard !early.isEmpty else { return page.isBackward ? own.reversed() : own }
        let rows = (own + early).sorted { $0.anchor < $1.anchor }
        return Array(page.isBackward ? rows.suffix(page.limit) : rows.prefix(page.limit))
    }

    private func fetch(_ sql: String, _ location: Int64, _ page: HistoryPage) throws -> [HistoryRow] {
        let anchor = page.anchor ?? page.outermost
        return try db.statement(sql).bind("location", location)
            .bind("from", page.range.lowerBound.microseconds).bind("to", page.range.upperBound.microseconds)
            .bind("time", anchor.time.microseconds).bind("position", anchor.position.number)
            .bind("limit", page.limit).all { try decode($0) }
    }

    private func decode(_ row: borrowing Row) throws -> HistoryRow {
        guard try row["kind"] == 4 else {
            let void = Timestamp(stored: row["voidedAt"]).map {
                VoidMark(userId: row["voidedBy"] as String?, time: $0)
            }
            let countedAt = Timestamp(microseconds: try row["countsAt"])
            let kind: HistoryRow.Kind =
                switch try decoder.decode(row) {
                case .entry(let entry): .entry(entry)
                case .correction(let correction): .correction(correction)
                case .reset(let reset): HistoryRow.Kind(reset, endOfDay: row["isAutomatic"] as Int?)
                }
            return HistoryRow(kind, void: void, countedAt: countedAt)
        }
        let change = SettingChange(
            id: Position(try row["position"]), userId: row["userId"],
            timestamp: Timestamp(microseconds: try row["timestamp"]),
            receivedAt: Timestamp(microseconds: try row["receivedAt"]), setting: try LocationSetting(row))
        return HistoryRow(.setting(change))
    }
}

extension HistoryRows {
    private static let columns = """
        \(RowDecoder.columns), setting,
        (SELECT min(timestamp, receivedAt) FROM journal AS void WHERE void.target = journal.position) AS voidedAt,
        (SELECT userId FROM journal AS void WHERE void.target = journal.position) AS voidedBy,
        (SELECT isAutomatic FROM snapshot WHERE snapshot.position = journal.position) AS isAutomatic
        """

    private static let isVoid = "EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)"

    /// When the segment in which a row counts begins.
    private static let begin = """
        (SELECT begin FROM segment WHERE segment.locationKey = :location
            AND reset <= coalesce(lateAfter, position) ORDER BY reset DESC LIMIT 1)
        """

    /// Rows that are listed at their own time, which is indexed.
    private static func atOwnTime(_ page: HistoryPage) -> String {
        let (order, beyond) = page.direction
        return """
            SELECT \(columns), \(Schema.countedAt) AS countsAt
            FROM journal WHERE kind <> 2 AND kind <> 6 AND locationKey = :location
            AND (\(Schema.countedAt)) >= :from AND (\(Schema.countedAt)) < :to
            AND (\(Schema.countedAt)) \(beyond)= :time
            AND ((\(Schema.countedAt)) \(beyond) :time OR position \(beyond) :position)
            AND (kind = 4 OR \(Schema.countedAt) >= \(begin) OR \(isVoid))
            ORDER BY (\(Schema.countedAt)) \(order), position \(order) LIMIT :limit
            """
    }

    /// Rows whose own time is before the beginning of their segment: lines of a file, keys after a clock was set
    /// back. They are listed at that beginning, where they count. Void ones are left out.
    private static func early(_ page: HistoryPage) -> String {
        let (order, beyond) = page.direction
        let select = "SELECT \(columns), begin AS countsAt FROM opened CROSS JOIN journal"
        let rows = """
            WHERE locationKey = :location AND \(Schema.countedAt) < begin AND NOT \(isVoid)
            AND (begin \(beyond) :time OR position \(beyond) :position)
            """
        return """
            WITH opened AS (
                SELECT reset, time AS resetTime, begin, coalesce((SELECT min(later.reset) FROM segment AS later
                    WHERE later.locationKey = :location AND later.reset > segment.reset), \(Int64.max)) AS next,
                    coalesce((SELECT early FROM rollup WHERE rollup.locationKey = :location
                        AND rollup.reset = segment.reset ORDER BY minute LIMIT 1), 0) > 0 AS hasEarly
                FROM segment WHERE locationKey = :location AND begin >= :from AND begin < :to
                AND begin \(beyond)= :time)
            \(select) NOT INDEXED \(rows) AND kind = 3 AND position = reset AND resetTime < begin
            UNION ALL \(select) NOT INDEXED \(rows) AND kind IN (1, 5) AND hasEarly AND lateAfter IS NULL
                AND position > reset AND position < next
            UNION ALL \(select) \(rows) AND kind IN (1, 5) AND hasEarly AND lateAfter >= reset AND lateAfter < next
            ORDER BY countsAt \(order), position \(order) LIMIT :limit
            """
    }
}

extension HistoryPage {
    /// The SQL order of the page's rows, and the comparison that leads away from its anchor.
    fileprivate var direction: (order: String, beyond: String) { isBackward ? ("DESC", "<") : ("ASC", ">") }

    /// Before the first row of the range, or after its last.
    fileprivate var outermost: HistoryAnchor {
        isBackward
            ? HistoryAnchor(time: range.upperBound, position: Position(.max))
            : HistoryAnchor(time: range.lowerBound, position: .start)
    }
}

extension HistoryRow.Kind {
    /// A reset; the end of a day where `isAutomatic` says how the day ended.
    fileprivate init(_ reset: Reset, endOfDay isAutomatic: Int?) {
        self = isAutomatic.map { .endOfDay(reset, isAutomatic: $0 == 1) } ?? .reset(reset)
    }
}
