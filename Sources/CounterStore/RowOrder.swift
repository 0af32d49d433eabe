import CounterModel
import SQL

/// A row's place in the order in which rows count, which is the same in every journal that holds it.
struct RowOrder: Comparable {
    /// Before and after all rows.
    static let start = RowOrder(.min, ""), end = RowOrder(.max, "")

    let orderedAt: Int64
    /// Its journal and its position there, comparable by their bytes: the column `place` of the view `journalRow`.
    let place: String

    init(_ orderedAt: Int64, _ place: String) { (self.orderedAt, self.place) = (orderedAt, place) }

    init(_ row: borrowing Row) throws { self.init(try row["orderedAt"], try row["place"]) }

    static func < (left: RowOrder, right: RowOrder) -> Bool {
        left.orderedAt == right.orderedAt
            ? left.place.utf8.lexicographicallyPrecedes(right.place.utf8) : left.orderedAt < right.orderedAt
    }

    /// The next one after another at which a row with this place can be.
    func after(_ other: RowOrder) -> RowOrder {
        if other < self { return self }
        let same = RowOrder(other.orderedAt, place)
        return other < same ? same : RowOrder(other.orderedAt + 1, place)
    }

    static func place(_ journalId: String, _ number: Int64) -> String {
        let digits = String(number)
        return journalId + ":" + String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
    }

    /// Whether a row of the view `journalRow` is after it, as a condition of SQL; see `bind`.
    static let isAfter = isAfter(in: "journalRow")

    static func isAfter(in row: String) -> String {
        "(\(row).orderedAt > :order OR \(row).orderedAt = :order AND \(row).place > :place)"
    }

    func bind(_ statement: Statement) throws -> Statement {
        try statement.bind("order", orderedAt).bind("place", place)
    }

    private static let select = FixedText(
        """
        SELECT \(Schema.orderedAt) AS orderedAt, \(Schema.place(of: "journal")) AS place FROM journal
        WHERE position = :position
        """)

    /// That of the row at a position; 0 is before all.
    static func of(_ position: Int64, _ db: Connection) throws -> RowOrder {
        if position == 0 { return .start }
        return try db.statement(select).bind("position", position).first { try RowOrder($0) }.orCorrupt()
    }
}

/// The part of a location's rows between two resets that count.
struct SegmentRange {
    let from: RowOrder, to: RowOrder

    /// Whether a row is in it, as a condition of SQL; see `bind`.
    static let holds = """
        (orderedAt > :from OR orderedAt = :from AND place > :fromPlace)
        AND (orderedAt < :to OR orderedAt = :to AND place < :toPlace)
        """

    /// Whether a row of it is earlier than its beginning, though ordered after it: its journal's clock was set back. Two conditions, each
    /// for an index: for the rows in `journalDisplaced`, and for the others.
    static let early = [
        "\(Schema.isDisplaced) AND orderedAt >= :from AND orderedAt <= :to AND countedAt < :from AND \(holds)",
        """
        countedAt >= :near AND countedAt < :from AND NOT (\(Schema.isDisplaced)) AND \(holds)
        """,
    ]

    /// Binds the parameters of `holds`; of `early` too, where asked.
    func bind(_ statement: Statement, early: Bool = false) throws -> Statement {
        if early {
            let (near, overflow) = from.orderedAt.subtractingReportingOverflow(
                Int64(Schema.smallDisplacement))
            try statement.bind("near", overflow ? .min : near)
        }
        return try statement.bind("from", from.orderedAt).bind("fromPlace", from.place)
            .bind("to", to.orderedAt).bind("toPlace", to.place)
    }
}

/// The part of one location's journal between two resets that count: the level that the reset has set, and what the entries of the
/// segment add to it.
struct Segment: Equatable {
    /// The time of the segment before the first reset.
    static let beginningOfTime = Int64.min

    /// The position of the reset that begins it; 0 before the first.
    let reset: Int64
    /// The `orderedAt` of the reset: the earliest time at which something in it counts.
    let begin: Int64
    let start: Int
    var sum: Int

    /// The level at its end. What other journals have counted may lead out of the range of `Int`: then it stays at its end.
    var end: Int {
        let (end, overflow) = start.addingReportingOverflow(sum)
        return overflow ? (sum < 0 ? .min : .max) : end
    }

    /// The segment with `amount` added; nil if its level would leave the range of `Int`, and that is not forced.
    func adding(_ amount: Int, isForced: Bool = false) -> Segment? {
        let (sum, sumOverflows) = sum.addingReportingOverflow(amount)
        let (_, endOverflows) = start.addingReportingOverflow(sum)
        return sumOverflows || (endOverflows && !isForced)
            ? nil : Segment(reset: reset, begin: begin, start: start, sum: sum)
    }
}

extension Segment {
    init(_ row: borrowing Row) throws {
        (reset, begin, start, sum) = (try row["reset"], try row["begin"], try row["start"], try row["sum"])
    }
}

/// The SQL of segments. Where resets have the same `orderedAt`, their places decide.
enum SegmentTable {
    static let columns = "reset, begin, start, sum"
    static let place =
        "coalesce((SELECT \(Schema.place(of: "row")) FROM journal AS row WHERE row.position = segment.reset), '')"

    static func insert(_ db: Connection, _ segment: Segment, location: Int64) throws {
        try db.statement("INSERT INTO segment VALUES (:location, :begin, :reset, :start, :sum)")
            .bind("location", location).bind("begin", segment.begin).bind("reset", segment.reset)
            .bind("start", segment.start).bind("sum", segment.sum).run()
    }

    private static let key = "WHERE locationKey = :location AND begin = :begin AND reset = :reset"
    private static let saving = FixedText("UPDATE segment SET sum = :sum \(key)")

    static func save(_ db: Connection, _ segment: Segment, location: Int64) throws {
        try db.statement(saving).bind("sum", segment.sum).bind("location", location)
            .bind("begin", segment.begin).bind("reset", segment.reset).run()
    }

    static func delete(_ db: Connection, _ segment: Segment, location: Int64) throws {
        try db.statement("DELETE FROM segment \(key)").bind("location", location)
            .bind("begin", segment.begin).bind("reset", segment.reset).run()
    }

    static func segment(_ db: Connection, of reset: Int64, location: Int64) throws -> Segment? {
        let sql = "SELECT \(columns) FROM segment \(key)"
        return try db.statement(sql).bind("location", location)
            .bind("begin", RowOrder.of(reset, db).orderedAt).bind("reset", reset).first { try Segment($0) }
    }

    /// The last segment that begins before a place in the order.
    static func last(_ db: Connection, before order: RowOrder, location: Int64) throws -> Segment? {
        try order.bind(db.statement(previous)).bind("location", location).first { try Segment($0) }
    }

    /// The first segment that begins after a place in the order.
    private static func first(_ db: Connection, after order: RowOrder, location: Int64) throws -> Segment? {
        try order.bind(db.statement(next)).bind("location", location).first { try Segment($0) }
    }

    private static let previous = neighbour("<", "DESC"), next = neighbour(">", "ASC")

    private static func neighbour(_ beyond: String, _ direction: String) -> String {
        """
        SELECT \(columns) FROM segment WHERE locationKey = :location AND begin \(beyond)= :order
        AND (begin \(beyond) :order OR \(place) \(beyond) :place)
        ORDER BY begin \(direction), \(place) \(direction) LIMIT 1
        """
    }

    /// The rows of a segment, as it is.
    static func range(_ db: Connection, of reset: Int64, location: Int64) throws -> SegmentRange {
        let from = try RowOrder.of(reset, db)
        let next = try first(db, after: from, location: location)
        return SegmentRange(from: from, to: try next.map { try RowOrder.of($0.reset, db) } ?? .end)
    }
}

extension Optional {
    /// The value; throws if it is missing, which does not happen in an intact journal.
    func orCorrupt() throws -> Wrapped {
        guard let self else { throw SQLError.contradiction("its tables contradict each other") }
        return self
    }
}

/// Walks through rows of the journal in their order. Most come in the order of their positions, so only the late ones are sorted.
struct OrderedRows {
    private let inTime: Statement, late: Statement
    private let db: Connection

    /// The rows have `position` and `orderedAt`, then `columns`; `condition` may have parameters, which `bind` binds. What
    /// is in time is read from `table`: `journal`, where the columns are its own. Nothing has moved such a row, and to
    /// compute that would be a quarter of a replay.
    init(
        _ db: Connection, _ columns: String, of table: String = "journalRow",
        where condition: String = "true",
        bind: (Statement) throws -> Void = { _ in }
    ) throws {
        self.db = db
        let columns = "position, orderedAt, \(columns)"
        inTime = try db.statement(
            "SELECT \(columns) FROM \(table) WHERE isLate IS NULL AND \(condition) ORDER BY position")
        late = try db.statement(
            "SELECT \(columns) FROM journalRow WHERE isLate = 1 AND \(condition) ORDER BY orderedAt, place")
        try bind(inTime)
        try bind(late)
    }

    func forEach(_ body: (borrowing Row) throws -> Void) throws {
        defer {
            inTime.reset()
            late.reset()
        }
        var (hasInTime, hasLate) = (try inTime.step(), try late.step())
        while hasInTime || hasLate {
            if try hasLate && (!hasInTime || isLateFirst()) {
                try body(late.row)
                hasLate = try late.step()
            } else {
                try body(inTime.row)
                hasInTime = try inTime.step()
            }
        }
    }

    private func isLateFirst() throws -> Bool {
        let (lateOrder, order): (Int64, Int64) = (try late.row[1], try inTime.row[1])
        if lateOrder != order { return lateOrder < order }
        return try RowOrder.of(late.row[0], db) < RowOrder.of(inTime.row[0], db)
    }
}
