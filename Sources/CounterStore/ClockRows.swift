import CounterModel
import Linux
import SQL

/// By how much rows of kind `clock` move the times of a row.
struct ClockMove: Equatable {
    /// In microseconds.
    var by: Int64 = 0
    /// No time of the row is later.
    var latest = Int64.max

    /// Sums of what hostile rows say stay this far from the range of `Int64`.
    private static let farthest = 2 * ClockMend.farthest.microseconds

    func applied(to time: Int64) -> Int64 { min(time + by, latest) }

    mutating func add(by: Int64?, latest: Int64?) {
        if let by { self.by = min(max(self.by + by, -Self.farthest), Self.farthest) }
        self.latest = min(self.latest, latest ?? .max)
    }
}

/// The rows of kind `clock`, and how they move others: all of them that are not void, whenever they came.
enum ClockTable {
    static func insert(_ db: Connection, _ mend: ClockMend, at position: Int64) throws {
        var move = (by: nil as Int64?, latest: nil as Int64?)
        switch mend.change {
        case .by(let step): move.by = step.microseconds
        case .latest(let time): move.latest = time.microseconds
        }
        try db.statement("INSERT INTO clock VALUES (:position, :journal, :first, :last, :by, :latest)")
            .bind("position", position).bind("journal", mend.journalId)
            .bind("first", mend.rows.lowerBound.number).bind("last", mend.rows.upperBound.number)
            .bind("by", move.by).bind("latest", move.latest).run()
    }

    /// What the clock row at a position says; nil where there is none.
    static func mend(_ db: Connection, at position: Int64) throws -> ClockMend? {
        let sql = "SELECT journalId, first, last, movedBy, latestAt FROM clock WHERE position = :position"
        return try db.statement(sql).bind("position", position).first { row in
            let latest: Int64? = row["latestAt"]
            return ClockMend(
                journalId: try row["journalId"],
                rows: Position(try row["first"])...Position(try row["last"]),
                try latest.map { .latest(Timestamp(microseconds: $0)) } ?? .by(.microseconds(row["movedBy"] as Int64)))
        }
    }

    static func isEmpty(_ db: Connection) throws -> Bool {
        try db.statement("SELECT 1 FROM clock LIMIT 1" as StaticString).integer() == nil
    }

    /// How a row of a location is moved; nil where it is not.
    static func move(_ db: Connection, of row: RowIdentity, in location: Int64) throws -> ClockMove? {
        let sql = """
            SELECT movedBy, latestAt FROM clock
            WHERE journalId = :journal AND last >= :number AND first <= :number
            AND (SELECT locationKey FROM journal WHERE journal.position = clock.position) = :location
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = clock.position)
            """
        var move: ClockMove?
        try db.statement(sql).bind("journal", row.journalId).bind("number", row.position.number)
            .bind("location", location)
            .forEach { move = move ?? ClockMove(); move?.add(by: $0["movedBy"], latest: $0["latestAt"]) }
        return move
    }

    /// Moves the rows that a clock row names, which has come or was taken back.
    ///
    /// - returns: Those that were moved.
    static func apply(_ db: Connection, _ mend: ClockMend, in location: Int64) throws -> [WronglyMoved] {
        let moved = try rows(db, of: mend, in: location)
        try apply(db, moved)
        return moved
    }

    static func apply(_ db: Connection, _ rows: [WronglyMoved]) throws {
        let sql = "UPDATE journal SET movedBy = :by, latestAt = :latest, isLate = 1 WHERE position = :position"
        let update = try db.statement(sql)
        for row in rows {
            try update.bind("by", row.right?.by).bind("latest", row.right?.latest)
                .bind("position", row.position).run()
        }
    }

    /// A row that is not moved as the clock rows say.
    struct WronglyMoved {
        let position: Int64
        /// Whether figures depend on when it counts.
        let movesFigures: Bool
        let stored, right: ClockMove?
    }

    /// All rows that are not moved as the clock rows say.
    static func wronglyMoved(_ db: Connection) throws -> [WronglyMoved] {
        let clocks = try db.statement("SELECT position, locationKey FROM clock JOIN journal USING (position)")
            .all { row in (position: try row["position"] as Int64, location: try row["locationKey"] as Int64) }
        let named = try clocks.flatMap { clock in
            try rows(db, of: mend(db, at: clock.position).orCorrupt(), in: clock.location)
        }
        return try named + rows(db, where: "movedBy IS NOT NULL")
    }

    /// Those that a clock row names.
    private static func rows(_ db: Connection, of mend: ClockMend, in location: Int64) throws -> [WronglyMoved] {
        let isOwn = try mend.journalId == IdentityTable.id(db)
        let file = "(SELECT key FROM file WHERE hash = '\(ImportLine.journalPrefix)' || :journal)"
        let condition =
            isOwn
            ? "position BETWEEN :first AND :last AND place GLOB :journal || ':*'"
            : "fileKey = \(file) AND line BETWEEN :first AND :last"
        return try rows(db, where: "locationKey = :location AND \(condition)") {
            try $0.bind("first", mend.rows.lowerBound.number).bind("last", mend.rows.upperBound.number)
                .bind("location", location).bind("journal", mend.journalId)
        }
    }

    private static func rows(
        _ db: Connection, where condition: String, bind: (Statement) throws -> Statement = { $0 }
    ) throws -> [WronglyMoved] {
        let sql = """
            SELECT position, place, locationKey, movedBy, latestAt,
                kind NOT IN (\(RowKind.setting), \(RowKind.timerEvent), \(RowKind.clock)) AS movesFigures
            FROM journalRow WHERE \(condition)
            """
        return try bind(db.statement(sql)).all { row -> WronglyMoved? in
            let by: Int64? = row["movedBy"]
            let stored = try by.map { ClockMove(by: $0, latest: try row["latestAt"]) }
            let identity = try RowIdentity(text: row["place"]).orCorrupt()
            let right = try move(db, of: identity, in: row["locationKey"])
            if stored == right { return nil }
            return WronglyMoved(
                position: try row["position"], movesFigures: try row["movesFigures"], stored: stored, right: right)
        }.compactMap(\.self)
    }
}
