import CounterModel
import Linux
import SQL

struct HistoryRows {
    private let db: Connection
    private let reader: RowReader

    init(_ db: Connection) {
        self.db = db
        reader = RowReader(db)
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
            .bind("from", page.range.lowerBound).bind("to", page.range.upperBound)
            .bind("time", anchor.time).bind("order", anchor.order).bind("position", anchor.position)
            .bind("limit", page.limit).all { try decode($0) }
    }

    private func decode(_ row: borrowing Row) throws -> HistoryRow {
        let void: Int64? = row["voidedBy"]
        return HistoryRow(
            try reader.read(row), of: try reader.journalName(row), void: try void.map(mark),
            countedAt: try row["countsAt"] as Timestamp)
    }

    private func mark(_ void: Int64) throws -> VoidMark {
        try db.statement("SELECT userId, countedAt, journalKey FROM journalRow WHERE position = :position")
            .bind("position", void).first { row in
                VoidMark(userId: row["userId"], of: try reader.journalName(row), time: try row["countedAt"])
            }.orCorrupt()
    }
}

extension HistoryRows {
    private static let columns = "\(RowTable.list), journalKey, voidedBy"

    /// When the segment in which a row counts begins.
    private static let begin = """
        (SELECT segment.begin FROM segment
            WHERE segment.locationKey = :location AND segment.begin <= orderedAt
            AND (segment.begin < orderedAt OR \(SegmentTable.place) <= place) ORDER BY segment.begin DESC LIMIT 1)
        """

    /// Rows that are listed at their own time, which is indexed.
    private static func atOwnTime(_ page: HistoryPage) -> String {
        let (order, beyond) = page.direction
        return """
            SELECT \(columns), countedAt AS countsAt FROM journalRow
            WHERE kind <> \(RowKind.void) AND kind NOT IN \(RowKind.unlisted) AND locationKey = :location
            AND countedAt >= :from AND countedAt < :to AND countedAt \(beyond)= :time
            AND (countedAt \(beyond) :time OR (orderedAt, position) \(beyond) (:order, :position))
            AND (kind = \(RowKind.setting) OR countedAt >= \(begin) OR voidedBy IS NOT NULL)
            AND copyOf IS NULL
            ORDER BY countedAt \(order), orderedAt \(order), position \(order) LIMIT :limit
            """
    }

    /// Rows whose own time is before the beginning of their segment: their journal's clock was set back. They are listed at
    /// that beginning, where they count. Void ones are left out.
    private static func early(_ page: HistoryPage) -> String {
        let (order, beyond) = page.direction
        let select = """
            SELECT \(columns), opened.begin AS countsAt FROM opened CROSS JOIN journalRow
            WHERE kind <> \(RowKind.void) AND kind IN \(RowKind.voidable) AND locationKey = :location
            AND orderedAt >= opened.begin AND orderedAt <= next AND countedAt < opened.begin
            AND opened.begin = \(begin) AND \(Schema.counts)
            AND (opened.begin \(beyond) :time OR (orderedAt, position) \(beyond) (:order, :position))
            """
        return """
            WITH opened AS (
                SELECT DISTINCT begin, coalesce((SELECT min(later.begin) FROM segment AS later
                    WHERE later.locationKey = :location AND later.begin > segment.begin), \(Int64.max)) AS next
                FROM segment WHERE locationKey = :location AND begin >= :from AND begin < :to
                AND begin \(beyond)= :time)
            \(select) AND \(Schema.isDisplaced)
            UNION ALL \(select) AND NOT (\(Schema.isDisplaced)) AND countedAt >= opened.begin - \(Schema.smallDisplacement)
            ORDER BY countsAt \(order), orderedAt \(order), position \(order) LIMIT :limit
            """
    }
}

extension HistoryPage {
    /// The SQL order of the page's rows, and the comparison that leads away from its anchor.
    fileprivate var direction: (order: String, beyond: String) { isBackward ? ("DESC", "<") : ("ASC", ">") }

    /// Before the first row of the range, or after its last.
    fileprivate var outermost: HistoryAnchor {
        isBackward
            ? HistoryAnchor(
                time: range.upperBound, order: Timestamp(microseconds: .max), position: Position(.max))
            : HistoryAnchor(time: range.lowerBound, order: Timestamp(microseconds: .min), position: .start)
    }
}
