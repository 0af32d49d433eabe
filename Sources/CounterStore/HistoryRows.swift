import CounterModel
import Linux
import SQL

/// Reads pages of a location's history.
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
            .bind("from", page.range.lowerBound.microseconds).bind("to", page.range.upperBound.microseconds)
            .bind("time", anchor.time.microseconds).bind("position", anchor.position.number)
            .bind("limit", page.limit).all { try decode($0) }
    }

    private func decode(_ row: borrowing Row) throws -> HistoryRow {
        let void: Int64? = row["voidedBy"]
        return HistoryRow(
            try reader.read(row), void: try void.map(mark),
            countedAt: Timestamp(microseconds: try row["countsAt"]))
    }

    private func mark(_ void: Int64) throws -> VoidMark {
        try db.statement("SELECT userId, countedAt FROM journalRow WHERE position = :position")
            .bind("position", void).first { row in
                VoidMark(userId: row["userId"], time: Timestamp(microseconds: try row["countedAt"]))
            }.orCorrupt()
    }
}

extension HistoryRows {
    private static let columns = "\(RowTable.list), voidedBy"

    /// When the segment in which a row counts begins.
    private static let begin = """
        (SELECT begin FROM segment WHERE segment.locationKey = :location
            AND reset <= coalesce(lateAfter, position) ORDER BY reset DESC LIMIT 1)
        """

    /// Rows that are listed at their own time, which is indexed.
    private static func atOwnTime(_ page: HistoryPage) -> String {
        let (order, beyond) = page.direction
        return """
            SELECT \(columns), countedAt AS countsAt FROM journalRow
            WHERE kind <> \(RowKind.void) AND kind <> \(RowKind.timerEvent) AND locationKey = :location
            AND countedAt >= :from AND countedAt < :to AND countedAt \(beyond)= :time
            AND (countedAt \(beyond) :time OR position \(beyond) :position)
            AND (kind = \(RowKind.setting) OR countedAt >= \(begin) OR voidedBy IS NOT NULL)
            ORDER BY countedAt \(order), position \(order) LIMIT :limit
            """
    }

    /// Rows whose own time is before the beginning of their segment: lines of a file, keys after a clock was set
    /// back. They are listed at that beginning, where they count. Void ones are left out.
    private static func early(_ page: HistoryPage) -> String {
        let (order, beyond) = page.direction
        let select = "SELECT \(columns), begin AS countsAt FROM opened CROSS JOIN journalRow"
        // With a plus sign a column is not looked up in an index: the positions are few.
        let (found, walked) = (
            "locationKey = :location AND countedAt", "+locationKey = :location AND +countedAt"
        )
        let rows = """
            < begin AND voidedBy IS NULL AND (begin \(beyond) :time OR position \(beyond) :position)
            """
        return """
            WITH opened AS (
                SELECT reset, time AS resetTime, begin, coalesce((SELECT min(later.reset) FROM segment AS later
                    WHERE later.locationKey = :location AND later.reset > segment.reset), \(Int64.max)) AS next,
                    coalesce((SELECT early FROM rollup WHERE rollup.locationKey = :location
                        AND rollup.reset = segment.reset ORDER BY minute LIMIT 1), 0) > 0 AS hasEarly
                FROM segment WHERE locationKey = :location AND begin >= :from AND begin < :to
                AND begin \(beyond)= :time)
            \(select) WHERE \(walked) \(rows) AND kind = \(RowKind.reset) AND position = reset AND resetTime < begin
            UNION ALL \(select) WHERE \(walked) \(rows) AND kind IN \(RowKind.steps) AND hasEarly AND lateAfter IS NULL
                AND position > reset AND position < next
            UNION ALL \(select) WHERE \(found) \(rows) AND kind IN \(RowKind.steps) AND hasEarly
                AND lateAfter >= reset AND lateAfter < next
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
