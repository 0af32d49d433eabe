package import CounterModel
import Linux
import SQL

/// The state of a location before and after a row of the journal.
package struct StateChange: Hashable, Sendable {
    package let position: Position
    package let countedAt: Timestamp
    /// The states, without the times of their last changes.
    package let before, after: CounterState
}

/// Reads the states through which the locations went, row by row. Tables hold the present state only, so that of a row is computed
/// from the one before it.
package struct StateChanges {
    package static let page = 1024

    private let journal: SQLiteJournal
    package private(set) var position: Position
    /// By the keys of the locations that had a row.
    private var states: [Int64: LevelState] = [:]

    package init(_ journal: SQLiteJournal, after position: Position) {
        (self.journal, self.position) = (journal, position)
    }

    /// The next rows with the states around them; empty at the journal's end. Throws `JournalError`; the next call returns the
    /// same rows.
    package mutating func next() throws(JournalError) -> [StateChange] {
        var next = self
        let changes = try journal.read { db in
            try db.statement(Self.rows).bind("after", next.position).bind("limit", Self.page).all {
                try next.change($0, db)
            }
        }
        self = next
        return changes
    }

    private static let rows = """
        SELECT changed.position, changed.kind, changed.locationKey, location.id, changed.countedAt,
            changed.orderedAt, changed.place, changed.isLate, changed.difference, changed.setting, changed.text,
            target.kind AS targetKind, target.difference AS targetValue, target.orderedAt AS targetOrder,
            target.place AS targetPlace,
            EXISTS (SELECT 1 FROM copy WHERE coalesce(changed.target, changed.position) IN (position, first))
                OR EXISTS (SELECT 1 FROM journal AS void
                    WHERE void.target = changed.target AND void.position < changed.position) AS isInvolved
        FROM journalRow AS changed JOIN location ON location.key = changed.locationKey
        LEFT JOIN journalRow AS target ON target.position = changed.target
        WHERE changed.position > :after AND changed.kind NOT IN \(RowKind.defining) ORDER BY changed.position LIMIT :limit
        """

    private mutating func change(_ row: borrowing Row, _ db: Connection) throws -> StateChange {
        let (key, id): (Int64, Identifier) = (try row["locationKey"], try row["id"])
        let number: Int64 = try row["position"]
        let before = try states[key] ?? PastState(db, key, number - 1).all()
        let after = try state(after: row, before, PastState(db, key, number))
        states[key] = after
        position = Position(number)
        func shown(_ state: LevelState, at position: Int64) -> CounterState {
            CounterState(
                locationId: id, level: state.level, maxCapacity: state.capacity,
                position: Position(position))
        }
        return StateChange(
            position: position, countedAt: try row["countedAt"], before: shown(before, at: number - 1),
            after: shown(after, at: number))
    }

    private func state(
        after row: borrowing Row, _ before: LevelState, _ past: PastState
    ) throws -> LevelState {
        let isLate = (row["isLate"] as Int64?) != nil
        let order = try RowOrder(row)
        var (level, reset, capacity) = before
        let isInvolved: Bool = try row["isInvolved"]
        switch try RowKind(rawValue: row["kind"]) {
        case .setting where (row["setting"] as Int64?) == LocationProperty.capacity.key:
            capacity = isLate ? try past.capacity() : (row["text"] as String?).flatMap { Int($0) }
        case .clock: return try past.all()
        case .void where (row["targetKind"] as Int64?) == RowKind.clock.rawValue: return try past.all()
        case .entry where !isInvolved, .correction where !isInvolved:
            if reset < order { level = Int(clamping: Int128(level) + Int128(try row["difference"] as Int)) }
        case .reset where !isLate && !isInvolved: (level, reset) = (try row["difference"], order)
        case .void where !isInvolved && (row["targetKind"] as Int64?) != RowKind.reset.rawValue:
            let target = RowOrder(try row["targetOrder"], try row["targetPlace"])
            if reset < target { level = Int(clamping: Int128(level) - Int128(try row["targetValue"] as Int)) }
        case .entry, .correction, .reset, .void: (level, reset) = try past.level()
        default: break
        }
        return (level, reset, capacity)
    }
}

/// The level of a location, the reset since which that counts, and its capacity.
private typealias LevelState = (level: Int, reset: RowOrder, capacity: Int?)

/// The state of a location when a row was the last, from the rows up to it.
private struct PastState {
    private let db: Connection
    private let locationKey: Int64
    private let position: Int64

    init(_ db: Connection, _ locationKey: Int64, _ position: Int64) {
        (self.db, self.locationKey, self.position) = (db, locationKey, position)
    }

    func all() throws -> LevelState {
        let (level, reset) = try level()
        return (level, reset, try capacity())
    }

    func capacity() throws -> Int? {
        try statement("SELECT \(LocationTable.setting(.capacity, of: ":location", upTo: ":last"))").text()
            .flatMap { Int($0) }
    }

    func level() throws -> (level: Int, reset: RowOrder) {
        let resets = try statement(
            """
            SELECT orderedAt, place, value FROM journalRow WHERE kind = \(RowKind.reset) AND \(Self.counts)
            ORDER BY orderedAt DESC, place DESC LIMIT 1
            """)
        let reset = try resets.first { (order: try RowOrder($0), value: try $0["value"] as Int) }
        let range = SegmentRange(from: reset?.order ?? .start, to: .end)
        let parts = (SegmentRange.early + ["countedAt >= :from AND \(SegmentRange.holds)"]).map { part in
            """
            SELECT difference FROM journalRow WHERE kind <> \(RowKind.void) AND kind IN \(RowKind.steps)
                AND \(Self.counts) AND \(part)
            """
        }
        let sum = try range.bind(
            statement("SELECT coalesce(sum(difference), 0) FROM (\(parts.joined(separator: " UNION ALL ")))"),
            early: true)
        let start = reset?.value ?? 0
        let all = Segment(reset: 0, begin: 0, start: start, sum: Int(try sum.integer().orCorrupt()))
        return (all.end, range.from)
    }

    private func statement(_ sql: String) throws -> Statement {
        try db.statement(sql).bind("location", locationKey).bind("last", position)
    }

    /// Of a row that counted then.
    private static let counts = """
        locationKey = :location AND position <= :last AND copyOf IS NULL
        AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journalRow.position AND void.position <= :last)
        AND NOT EXISTS (SELECT 1 FROM copy JOIN journal AS void ON void.target = copy.position
            WHERE copy.first = journalRow.position AND void.position <= :last)
        """
}
