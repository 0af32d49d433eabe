package import CounterModel
package import Linux
import SQL

extension SQLiteJournal {
    /// Passes each entry, correction and reset that is not void to `body`, on one snapshot, without loading them all.
    ///
    /// They come in the order in which they count: as appended, but late entries at the end of their segment.
    /// Appended to an empty journal in this order, as the lines of one file, they result in the same levels.
    ///
    /// - parameters:
    ///     - locationId: Only those of this location; nil for all.
    ///     - body: Called for each row. It must not call the journal.
    /// - throws: `JournalError`, or what `body` throws.
    package func forEachRow(of locationId: Identifier? = nil, _ body: (JournalRow) throws -> Void) throws {
        var failure: (any Error)?
        try read { db in
            do {
                try RowStream(db, locationId: locationId)?.run { row in
                    do {
                        try body(row)
                    } catch {
                        failure = error
                        throw CancellationError()
                    }
                }
            } catch is CancellationError {}
        }
        if let failure { throw failure }
    }
}

/// Walks through the journal in the order in which its rows count.
private final class RowStream {
    private let db: Connection
    private let decoder: RowDecoder
    private let onlyLocation: Int64?
    /// Where the segment that the walk is in began, for each location.
    private var segments: [Int64: Int64] = [:]

    /// Nil if there is no such location.
    init?(_ db: Connection, locationId: Identifier?) throws {
        self.db = db
        decoder = try RowDecoder(db)
        onlyLocation = try locationId.flatMap { try LocationTable.key(db, id: $0) }
        if locationId != nil, onlyLocation == nil { return nil }
        let keys = try onlyLocation.map { [$0] } ?? db.statement("SELECT key FROM location").integers()
        for key in keys {
            segments[key] = 0
        }
    }

    func run(_ body: (JournalRow) throws -> Void) throws {
        let sql = """
            SELECT \(RowDecoder.columns) FROM journal
            WHERE kind IN (1, 3, 5) AND lateAfter IS NULL AND \(RowStream.isNotVoid)
            AND (:location IS NULL OR locationKey = :location) ORDER BY position
            """
        try db.statement(sql).bind("location", onlyLocation).forEach { row in
            if try row["kind"] == 3 {
                try endSegment(of: row["locationKey"], at: row["position"], body)
            }
            try body(decoder.decode(row))
        }
        for location in segments.keys.sorted() {
            try endSegment(of: location, at: Int64.max, body)
        }
    }

    /// Passes on the late entries of the segment that a reset ends.
    private func endSegment(of location: Int64, at reset: Int64, _ body: (JournalRow) throws -> Void) throws {
        let sql = """
            SELECT \(RowDecoder.columns) FROM journal
            WHERE locationKey = :location AND lateAfter >= :begin AND lateAfter < :reset AND kind IN (1, 5)
            AND \(RowStream.isNotVoid) ORDER BY lateAfter, position
            """
        try db.statement(sql).bind("location", location).bind("begin", segments[location])
            .bind("reset", reset).forEach { try body(decoder.decode($0)) }
        segments[location] = reset
    }

    private static let isNotVoid =
        "NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)"
}
