public import CounterModel
import GRDB

extension SQLiteJournal {
    /// Hands over the entries and resets that are not void, on one snapshot, without loading them all.
    ///
    /// They come in the order in which they count: as appended, but a late entry at the end of the segment it
    /// belongs to. Appended to an empty journal in this order, as the lines of one file, they give the same levels.
    ///
    /// - parameters:
    ///     - locationId: Only those of this location; nil for all.
    ///     - body: Called for each, while no other call of the journal may be made.
    /// - throws: `JournalError`, or what `body` throws.
    public func forEachRow(of locationId: String? = nil, _ body: (JournalRow) throws -> Void) throws {
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
    private let db: Database
    private let decoder: RowDecoder
    private let onlyLocation: Int64?
    /// Where each location's segment began that the walk is in.
    private var segments: [Int64: Int64] = [:]

    /// Nil where there is no such location.
    init?(_ db: Database, locationId: String?) throws {
        self.db = db
        decoder = try RowDecoder(db)
        onlyLocation = try locationId.flatMap { try LocationTable.key(db, id: $0) }
        if locationId != nil, onlyLocation == nil { return nil }
        let keys = try onlyLocation.map { [$0] } ?? Int64.fetchAll(db, sql: "SELECT key FROM location")
        for key in keys {
            segments[key] = 0
        }
    }

    func run(_ body: (JournalRow) throws -> Void) throws {
        let sql = """
            SELECT \(RowDecoder.columns) FROM journal
            WHERE kind IN (1, 3) AND lateAfter IS NULL AND \(RowStream.isNotVoid)
            AND (?1 IS NULL OR locationKey = ?1) ORDER BY position
            """
        let rows = try Row.fetchCursor(db, sql: sql, arguments: [onlyLocation])
        while let row = try rows.next() {
            if row[1] == 3 {
                try endSegment(of: row[2], at: row[0], body)
            }
            try body(decoder.decode(row))
        }
        for location in segments.keys.sorted() {
            try endSegment(of: location, at: Int64.max, body)
        }
    }

    /// Hands over what came late into the segment that a reset ends.
    private func endSegment(of location: Int64, at reset: Int64, _ body: (JournalRow) throws -> Void) throws {
        let sql = """
            SELECT \(RowDecoder.columns) FROM journal
            WHERE locationKey = ? AND lateAfter >= ? AND lateAfter < ? AND kind = 1 AND \(RowStream.isNotVoid)
            ORDER BY lateAfter, position
            """
        let rows = try Row.fetchCursor(db, sql: sql, arguments: [location, segments[location], reset])
        while let row = try rows.next() {
            try body(decoder.decode(row))
        }
        segments[location] = reset
    }

    private static let isNotVoid =
        "NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)"
}
