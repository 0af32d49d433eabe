package import CounterModel
import Linux
import SQL

/// The state of a location before and after a row of the journal.
package struct StateChange: Hashable, Sendable {
    /// The row.
    package let position: Position
    /// When the row counts.
    package let countedAt: Timestamp
    /// The states, without the times of their last changes.
    package let before, after: CounterState
}

/// Reads the states through which the locations went, row by row. Tables hold the present state only, so that of a row is computed
/// from the one before it.
package struct StateChanges {
    /// How many rows one read returns.
    package static let page = 1024

    private let journal: SQLiteJournal
    /// The last row that was read.
    package private(set) var position: Position
    /// By the keys of the locations that had a row.
    private var states: [Int64: CounterState] = [:]

    /// Starts after a position.
    package init(_ journal: SQLiteJournal, after position: Position) {
        self.journal = journal
        self.position = position
    }

    /// The next rows with the states around them; empty at the journal's end.
    ///
    /// - Throws: `JournalError`; the next call returns the same rows.
    package mutating func next() throws(JournalError) -> [StateChange] {
        var next = self
        let changes = try journal.read { db in
            try db.statement(Self.rows).bind("after", next.position.number).bind("limit", Self.page).all {
                try next.change($0, db)
            }
        }
        self = next
        return changes
    }

    private static let rows = """
        SELECT changed.position, changed.kind, changed.locationKey, location.id, changed.countedAt,
            changed.difference, changed.lateAfter, changed.setting, changed.text,
            target.kind AS targetKind, coalesce(target.delta, target.value) AS targetValue
        FROM journalRow AS changed JOIN location ON location.key = changed.locationKey
        LEFT JOIN journal AS target ON target.position = changed.target
        WHERE changed.position > :after ORDER BY changed.position LIMIT :limit
        """

    private mutating func change(_ row: borrowing Row, _ db: Connection) throws -> StateChange {
        let key: Int64 = try row["locationKey"]
        let number: Int64 = try row["position"]
        let before = try states[key] ?? PastState(db, key, number - 1).state(of: row["id"])
        let after = try state(after: row, before, db)
        states[key] = after
        position = Position(number)
        return StateChange(
            position: position, countedAt: Timestamp(microseconds: try row["countedAt"]), before: before,
            after: after)
    }

    /// The state after a row. One that counts late, or takes back what counts elsewhere, leaves it unchanged.
    private func state(after row: borrowing Row, _ before: CounterState, _ db: Connection) throws
        -> CounterState
    {
        let position: Int64 = try row["position"]
        let isLate = (row["lateAfter"] as Int64?) != nil
        var (level, capacity) = (before.level, before.maxCapacity)
        switch try RowKind(rawValue: row["kind"]) {
        case .entry where !isLate, .correction where !isLate: level += try row["difference"]
        case .void where !isLate && (row["targetKind"] as Int64?) == RowKind.reset.rawValue:
            level = try PastState(db, row["locationKey"], position).level()
        case .void where !isLate: level -= try row["targetValue"]
        case .reset: level = try row["difference"]
        case .setting where (row["setting"] as Int64?) == LocationProperty.capacity.key:
            capacity = (row["text"] as String?).flatMap { Int($0) }
        default: break
        }
        return CounterState(
            locationId: before.locationId, level: level, maxCapacity: capacity, lastUpdated: nil,
            lastEventAt: nil,
            position: Position(position))
    }
}

/// The state of a location when a row was the last, from the rows up to it.
private struct PastState {
    private let db: Connection
    private let locationKey: Int64
    private let position: Int64

    init(_ db: Connection, _ locationKey: Int64, _ position: Int64) {
        (self.db, self.locationKey, self.position) = (db, locationKey, position)
    }

    func state(of locationId: Identifier) throws -> CounterState {
        let capacity = try statement(
            "SELECT \(LocationTable.setting(.capacity, of: ":location", upTo: ":last"))")
        return CounterState(
            locationId: locationId, level: try level(), maxCapacity: try capacity.text().flatMap { Int($0) },
            lastUpdated: nil, lastEventAt: nil, position: Position(position))
    }

    func level() throws -> Int {
        let resets = try statement(
            """
            SELECT position, value FROM journalRow WHERE kind = \(RowKind.reset) AND \(Self.counts)
            ORDER BY position DESC LIMIT 1
            """)
        let reset = try resets.first {
            (position: try $0["position"] as Int64, value: try $0["value"] as Int)
        }
        let sum = try statement(
            """
            SELECT coalesce(sum(difference), 0) FROM journalRow WHERE kind IN \(RowKind.steps)
            AND coalesce(lateAfter, position) >= :reset AND \(Self.counts)
            """
        ).bind("reset", reset?.position ?? 0).integer()
        return (reset?.value ?? 0) + Int(try sum.orCorrupt())
    }

    private func statement(_ sql: String) throws -> Statement {
        try db.statement(sql).bind("location", locationKey).bind("last", position)
    }

    /// Of a row that counted then.
    private static let counts = """
        locationKey = :location AND position <= :last AND (voidedBy IS NULL OR voidedBy > :last)
        """
}
