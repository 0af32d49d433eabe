package import CounterModel
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

    func time(_ time: Int64) -> Int64 { min(time + by, latest) }

    /// The place in the order of a row that counted at a time: see `Schema.orderedAt`.
    func order(_ order: Int64, time: Int64) -> Int64 { min(by == 0 ? order : time + by, latest) }

    mutating func add(by: Int64?, latest: Int64?) {
        if let by { self.by = min(max(self.by + by, -Self.farthest), Self.farthest) }
        self.latest = min(self.latest, latest ?? .max)
    }
}

/// The rows of kind `clock`, and how they move others: all of them that are not void, whenever they came.
enum ClockTable {
    static func insert(_ db: Connection, _ mend: ClockMend, at position: Int64) throws {
        var move = (by: nil as Int64?, latest: nil as Timestamp?)
        switch mend.change {
        case .by(let step): move.by = step.microseconds
        case .latest(let time): move.latest = time
        }
        try db.statement("INSERT INTO clock VALUES (:position, :journal, :first, :last, :by, :latest)")
            .bind("position", position).bind("journal", mend.journalId)
            .bind("first", mend.rows.lowerBound).bind("last", mend.rows.upperBound)
            .bind("by", move.by).bind("latest", move.latest).run()
    }

    /// What the clock row at a position says; nil where there is none.
    static func mend(_ db: Connection, at position: Int64) throws -> ClockMend? {
        let sql = "SELECT journalId, first, last, movedBy, latestAt FROM clock WHERE position = :position"
        return try db.statement(sql).bind("position", position).first { row in
            let latest: Timestamp? = row["latestAt"]
            return ClockMend(
                journalId: try row["journalId"], rows: try row["first"]...row["last"],
                try latest.map { .latest($0) } ?? .by(.microseconds(row["movedBy"] as Int64)))
        }
    }

    static func isEmpty(_ db: Connection) throws -> Bool {
        try db.statement("SELECT 1 FROM clock LIMIT 1" as StaticString).integer() == nil
    }

    static func move(_ db: Connection, of row: RowIdentity, in location: Int64) throws -> ClockMove? {
        let sql = """
            SELECT movedBy, latestAt FROM clock
            WHERE journalId = :journal AND last >= :number AND first <= :number
            AND (SELECT locationKey FROM journal WHERE journal.position = clock.position) = :location
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = clock.position)
            """
        var move: ClockMove?
        try db.statement(sql).bind("journal", row.journalId).bind("number", row.position)
            .bind("location", location).forEach {
                move = move ?? ClockMove()
                move?.add(by: $0["movedBy"], latest: $0["latestAt"])
            }
        return move
    }

    static func apply(_ db: Connection, _ rows: [WronglyMoved]) throws {
        for row in rows { try apply(db, row.right, to: row.position) }
    }

    static func apply(_ db: Connection, _ move: ClockMove?, to position: Int64) throws {
        let sql: StaticString =
            "UPDATE journal SET movedBy = :by, latestAt = :latest, isLate = 1 WHERE position = :position"
        try db.statement(sql).bind("by", move?.by).bind("latest", move?.latest).bind("position", position)
            .run()
    }

    /// A row that is not moved as the clock rows say.
    struct WronglyMoved {
        let position: Int64
        /// Whether figures depend on when it counts.
        let movesFigures: Bool
        let stored, right: ClockMove?
    }

    /// All rows that are not moved as the clock rows say. Those that say what a location or a device is never are.
    static func wronglyMoved(_ db: Connection) throws -> [WronglyMoved] {
        let clocks = try db.statement("SELECT position, locationKey FROM clock JOIN journal USING (position)")
            .all { row in (position: try row["position"] as Int64, location: try row["locationKey"] as Int64)
            }
        let named = try clocks.flatMap { clock in
            try rows(db, of: mend(db, at: clock.position).orCorrupt(), in: clock.location)
        }
        return try named + rows(db, where: "movedBy IS NOT NULL")
    }

    /// Those that a clock row names.
    static func rows(_ db: Connection, of mend: ClockMend, in location: Int64) throws -> [WronglyMoved] {
        let file = "(SELECT key FROM file WHERE hash = '\(ImportLine.journalPrefix)' || :journal)"
        var conditions = ["fileKey = \(file) AND line BETWEEN :first AND :last"]
        if try JournalIds(db).positions(of: mend.journalId) != nil {
            conditions.append(
                "position BETWEEN :first AND :last AND place GLOB :journal || ':*' AND \(Schema.isOwn)")
        }
        return try conditions.flatMap { condition in
            try rows(db, where: "locationKey = :location AND \(condition)") {
                try $0.bind("first", mend.rows.lowerBound).bind("last", mend.rows.upperBound)
                    .bind("location", location).bind("journal", mend.journalId)
            }
        }
    }

    /// The clock rows at some positions that were written here, are not void, and name rows of the same id at these positions.
    static func own(
        _ db: Connection, in positions: Range<Int64>, naming id: String
    ) throws -> [(position: Position, location: Identifier, mend: ClockMend)] {
        let sql = """
            SELECT position, location.id FROM clock JOIN journalRow USING (position) JOIN location ON location.key = locationKey
            WHERE position >= :from AND position < :to AND \(Schema.isOwn) AND voidedBy IS NULL
            AND journalId = :id AND last >= :from
            """
        return try db.statement(sql).bind("from", positions.lowerBound).bind("to", positions.upperBound)
            .bind("id", id).all { row in
                (try row["position"], try row["id"], try mend(db, at: row["position"]).orCorrupt())
            }
    }

    private static func rows(
        _ db: Connection, where condition: String, bind: (Statement) throws -> Statement = { $0 }
    ) throws -> [WronglyMoved] {
        let sql = """
            SELECT position, place, locationKey, movedBy, latestAt,
                kind NOT IN (\(RowKind.setting), \(RowKind.timerEvent), \(RowKind.clock)) AS movesFigures
            FROM journalRow WHERE kind NOT IN \(RowKind.defining) AND \(condition)
            """
        return try bind(db.statement(sql)).all { row -> WronglyMoved? in
            let by: Int64? = row["movedBy"]
            let stored = try by.map { ClockMove(by: $0, latest: try row["latestAt"]) }
            let identity = try RowIdentity(text: row["place"]).orCorrupt()
            let right = try move(db, of: identity, in: row["locationKey"])
            if stored == right { return nil }
            return WronglyMoved(
                position: try row["position"], movesFigures: try row["movesFigures"], stored: stored,
                right: right)
        }.compactMap(\.self)
    }
}

// MARK: - The clock of this machine

/// The readings of this machine's clock in its last run that has appended something.
private enum ReadingTable {
    static func read(_ db: Connection) throws -> ClockReadings? {
        var boot: String?
        let all = try db.statement("SELECT bootId, after, offset, isRight FROM clockReading ORDER BY after")
            .all { row in
                boot = row["bootId"]
                return ClockReadings.Reading(
                    after: try row["after"], offset: try row["offset"], isRight: try row["isRight"])
            }
        return boot.map { ClockReadings(bootId: $0, all) }
    }

    static func write(_ readings: ClockReadings, _ db: Connection) throws {
        try db.statement("DELETE FROM clockReading").run()
        for reading in readings.all {
            try db.statement("INSERT INTO clockReading VALUES (:after, :boot, :offset, :right)")
                .bind("after", reading.after).bind("boot", readings.bootId)
                .bind("offset", reading.offset).bind("right", reading.isRight).run()
        }
    }
}

extension AppendTransaction {
    /// Before rows are appended: notes what the clock is. Where it was wrong and is synchronised now, the rows that it has written
    /// are moved.
    func noteReading(_ clock: ClockReference?, isSynchronised: () -> Bool) throws {
        guard let clock else { return }
        let known = try readings ?? ReadingTable.read(db)
        readings = known
        if let known, known.isKnown(clock, isSynchronised: isSynchronised()) { return }
        let new = (known ?? ClockReadings(bootId: "", []))
            .after(clock, isSynchronised: isSynchronised(), Position(nextPosition - 1))
        readings = new
        if new.isRight, !new.wrong.isEmpty { return try settleClock(byMoving: true) }
        try ReadingTable.write(new, db)
    }

    /// Moves the rows that the clock has written while it was wrong, or leaves them where they are.
    func settleClock(byMoving: Bool) throws {
        guard let known = try readings ?? ReadingTable.read(db) else { return }
        if byMoving {
            moved = try MistimedRows(known.wrong.map { ($0.step, try move($0)) })
            if let first = known.wrong.first { try limitOrder(from: first.rows.lowerBound) }
        }
        let settled = known.settled(byMoving: byMoving)
        readings = settled
        try ReadingTable.write(settled, db)
    }

    /// - returns: How many rows it were.
    private func move(_ wrong: ClockReadings.Wrong) throws -> Int {
        let limits = try MistimedRows.limits(db, of: wrong.rows)
        for limit in limits { try decide(.void(limit.position), at: limit.location) }
        let runs = try MistimedRows.runs(db, of: wrong.rows)
        try append(.by(wrong.step), to: runs)
        return runs.reduce(limits.count) { $0 + $1.count }
    }

    private func append(_ change: ClockMend.Change, to runs: [MistimedRows.Run]) throws {
        for run in runs {
            let mend = ClockMend(journalId: run.journal, rows: run.rows, change)
            try append(mend, of: projection(of: run.location).orCorrupt())
        }
    }

    /// After rows of a clock that was ahead were moved: what was counted since, and so ordered after them, stands at the present. What
    /// was said of locations, devices and journals is not moved, and orders nothing that is.
    private func limitOrder(from first: Position) throws {
        let present = receivedAt.microseconds + Self.aheadLimit
        let defining = """
            UPDATE journal SET isLate = 1
            WHERE position >= :first AND isLate IS NULL AND kind IN \(RowKind.defining) AND orderedAt > :present
            """
        try db.statement(defining).bind("first", first).bind("present", present).run()
        let sql = """
            SELECT location.id, \(Schema.journalId(of: "journal")) AS journalId, min(position) AS first, max(position) AS last,
                count(*) AS count
            FROM journal JOIN location ON key = locationKey
            WHERE position >= :first AND \(Schema.isOwn) AND kind NOT IN \(RowKind.defining)
            AND \(Schema.orderedAt) > :present GROUP BY locationKey, journalId
            """
        let runs = try db.statement(sql).bind("first", first).bind("present", present)
            .all { try MistimedRows.Run($0) }
        try append(.latest(receivedAt), to: runs)
        (highest, isHighestOwn) = (try Self.highestOrder(in: db), false)
    }
}

extension MistimedRows {
    fileprivate init?(_ parts: [(step: Duration, count: Int)]) {
        guard let step = parts.last?.step else { return nil }
        self.init(step: step, count: parts.reduce(0) { $0 + $1.count })
    }

    /// What rows have by this machine's clock: lines of files, and rows of devices whose own clocks were behind, do not.
    private static let isByThisClock = """
        (fileKey IS NULL AND min(timestamp, receivedAt) >= receivedAt - \(ClockReadings.tolerance.microseconds))
        """

    fileprivate struct Run {
        let location: Identifier
        /// The id under which its rows were written here.
        let journal: String
        let rows: ClosedRange<Position>
        let count: Int

        init(_ row: borrowing Row) throws {
            (location, journal) = (try row["id"], try row["journalId"])
            (rows, count) = (try row["first"]...row["last"], try row["count"])
        }
    }

    /// Those among some rows, one after another in a location.
    fileprivate static func runs(_ db: Connection, of rows: ClosedRange<Position>) throws -> [Run] {
        let sql = """
            SELECT location.id, journalId, min(position) AS first, max(position) AS last,
                sum(kind <> \(RowKind.clock)) AS count FROM (
                SELECT position, locationKey, kind, \(Schema.journalId(of: "journal")) AS journalId,
                    \(isByThisClock) AS isByThisClock,
                    sum(NOT \(isByThisClock)) OVER (PARTITION BY locationKey ORDER BY position) AS run
                FROM journal WHERE position BETWEEN :first AND :last AND \(Schema.isOwn)
                AND kind NOT IN \(RowKind.defining))
            JOIN location ON key = locationKey WHERE isByThisClock GROUP BY locationKey, journalId, run HAVING count > 0
            """
        return try bind(db.statement(sql), rows).all { try Run($0) }
    }

    /// The rows by which the wrong clock has limited what was right; see `mendClocksAhead`.
    fileprivate static func limits(
        _ db: Connection, of rows: ClosedRange<Position>
    ) throws -> [(location: Identifier, position: Position)] {
        let sql = """
            SELECT location.id, position FROM clock JOIN journal USING (position) JOIN location ON key = locationKey
            WHERE position BETWEEN :first AND :last AND clock.latestAt IS NOT NULL AND fileKey IS NULL
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = clock.position)
            """
        return try bind(db.statement(sql), rows).all { (try $0["id"], try $0["position"]) }
    }

    private static func bind(_ statement: Statement, _ rows: ClosedRange<Position>) throws -> Statement {
        try statement.bind("first", rows.lowerBound).bind("last", rows.upperBound)
    }

    /// Those of a journal on which a user is to decide.
    fileprivate init?(_ db: Connection, _ readings: ClockReadings) throws {
        self.init(
            try readings.wrong.map { wrong in
                let runs = try Self.runs(db, of: wrong.rows).reduce(0) { $0 + $1.count }
                return (wrong.step, try runs + Self.limits(db, of: wrong.rows).count)
            })
    }
}

extension SQLiteJournal {
    /// Rows that this machine has written by a clock that was set since without being synchronised: a user is to say whether they
    /// are to be moved. nil where there are none.
    package func mistimedRows() throws(JournalError) -> MistimedRows? {
        try read { db in try ReadingTable.read(db).flatMap { try MistimedRows(db, $0) } }
    }

    /// Moves the rows that this machine has written if its clock was wrong and is synchronised now; see `takeMovedRows`.
    package func followClock(now: Timestamp) throws(JournalError) {
        guard role == .admin, let clock = clock() else { return }
        let known = try read { try ReadingTable.read($0) }
        guard let known, known.bootId == clock.bootId, !known.isKnown(clock, isSynchronised: isSynchronised())
        else { return }
        try changeClock(now) { try $0.noteReading(clock, isSynchronised: isSynchronised) }
    }

    /// Moves the mistimed rows, as a user has decided, or leaves them where they are.
    package func settleClock(byMoving: Bool, now: Timestamp) throws(JournalError) {
        let clock = clock()
        try changeClock(now) { transaction in
            try transaction.noteReading(clock, isSynchronised: isSynchronised)
            if transaction.moved == nil { try transaction.settleClock(byMoving: byMoving) }
        }
    }

    private func changeClock(_ now: Timestamp, _ body: (AppendTransaction) throws -> Void)
        throws(JournalError)
    {
        lastAppend = nil
        let moved = try appending(at: now) { transaction in
            try body(transaction)
            return transaction.moved
        }
        movedRows = moved ?? movedRows
    }

    /// The rows that were moved since the last call because this machine's clock was wrong; nil where none were.
    package func takeMovedRows() -> MistimedRows? {
        defer { movedRows = nil }
        return movedRows
    }
}
