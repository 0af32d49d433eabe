package import CounterModel
import Linux
import SQL

/// The ids under which a journal writes, each from a position on.
///
/// A row is known elsewhere by the id under which it was written, and its position. Two files that go on from the same state must
/// not give the same name to different rows, so a journal begins a new id where it is written to on another machine than before,
/// and where rows come back that it has lost.
package struct JournalIds: Hashable, Sendable {
    private struct Part: Hashable {
        let since: Int64
        let id: String
        /// Where its rows were written; nil where that is not known.
        let machine: String?
    }

    private let parts: [Part]

    package init(_ id: String) { parts = [Part(since: 1, id: id, machine: nil)] }

    init(_ db: Connection) throws {
        parts = try db.statement("SELECT since, id, machine FROM identity ORDER BY since" as StaticString)
            .all { Part(since: try $0["since"], id: try $0["id"], machine: $0["machine"]) }
        if parts.isEmpty { throw SQLError.contradiction("it has no id") }
    }

    package var current: String { parts[parts.count - 1].id }

    package func id(at position: Position) -> String { id(of: key(at: position.number)) }

    /// A number below 0 for each id.
    func key(at position: Int64) -> Int64 { -1 - Int64(parts.lastIndex { $0.since <= position } ?? 0) }

    func id(of key: Int64) -> String { parts[Int(-1 - key)].id }

    /// What other journals call the row at a position that was written here.
    package func identity(at position: Position) -> RowIdentity {
        RowIdentity(journalId: id(at: position), position: position)
    }

    /// The positions that have an id; nil for the id of another journal.
    func positions(of id: String) -> Range<Int64>? {
        guard let index = parts.firstIndex(where: { $0.id == id }) else { return nil }
        return parts[index].since..<(index + 1 < parts.count ? parts[index + 1].since : .max)
    }

    /// The positions of a row's id, if the row's own is among them: it was written here, or is lost.
    func positions(around row: RowIdentity) -> Range<Int64>? {
        positions(of: row.journalId).flatMap { $0.contains(row.position.number) ? $0 : nil }
    }

    /// Whether a row is one of this journal's that were written on the present machine, or would be if it were not lost.
    package func areHere(_ row: RowIdentity) -> Bool {
        parts.last { $0.since <= row.position.number }.map {
            $0.id == row.journalId && $0.machine == parts[parts.count - 1].machine
        } ?? false
    }
}

/// Why a journal writes under a new id, once it does.
package enum NewJournalId: String, Sendable {
    case copied =
        "this journal was last written to on another machine: what is counted here has a new journal id, so that rows of both can be told apart"
    case restored =
        "an earlier copy of this journal was put back: its later rows have come back, and what is counted here has a new journal id"

    package var text: String { rawValue }
}

private enum IdentityTable {
    /// Notes that rows are written on a machine. Those from a position on get a new id, unless it is the machine of those before,
    /// or none was known. Returns whether rows before have another id.
    static func write(_ db: Connection, on machine: String, from next: Int64) throws -> Bool {
        let last = try db.statement("SELECT since, machine FROM identity ORDER BY since DESC LIMIT 1")
            .first { row in (since: try row["since"] as Int64, machine: row["machine"] as String?) }
            .orCorrupt()
        if last.machine == machine { return false }
        guard last.machine != nil else {
            try db.statement("UPDATE identity SET machine = :machine WHERE since = :since")
                .bind("machine", machine).bind("since", last.since).run()
            return false
        }
        try begin(db, from: next, on: machine)
        return last.since < next
    }

    /// Has rows from a position on, up to those of the next id, belong to a new id.
    static func begin(_ db: Connection, from since: Int64, on machine: String?) throws {
        // Rows of an id that are not here any more, or not yet, are those of another journal.
        try db.execute(
            "INSERT INTO file (hash) SELECT '\(ImportLine.journalPrefix)' || id FROM identity WHERE true ON CONFLICT DO NOTHING"
        )
        let sql = "INSERT OR REPLACE INTO identity VALUES (:since, lower(hex(randomblob(16))), :machine)"
        try db.statement(sql).bind("since", since).bind("machine", machine).run()
    }
}

// MARK: - Another machine

extension SQLiteJournal {
    /// Begins a new id if this is another machine than the one on which the last rows were written.
    func followMachine(_ db: Connection) throws {
        guard !isOnMachine, let machine = machine() else { return }
        let next = try JournalTable.lastPosition(db).number + 1
        if try IdentityTable.write(db, on: machine, from: next) { newId = .copied }
    }

    /// The same, before anything is written. Call it where the present id is told to others.
    package func followMachine() throws(JournalError) {
        if !isOnMachine { try write { _ in } }
    }

    /// Why the journal has begun a new id since the last call; nil where it has not.
    package func takeNewId() -> NewJournalId? {
        defer { newId = nil }
        return newId
    }
}

// MARK: - An earlier copy

extension AppendTransaction {
    /// Whether rows at some positions were written here, beside the automatic ends of days, which a journal appends by being opened.
    func holdsOwnRows(in positions: Range<Int64>) throws -> Bool {
        let sql = """
            SELECT 1 FROM journal WHERE position >= :from AND position < :to AND \(Schema.isOwn)
            AND NOT EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journal.position AND isAutomatic = 1
                AND kind = \(RowKind.reset)) LIMIT 1
            """
        return try db.statement(sql).bind("from", positions.lowerBound).bind("to", positions.upperBound)
            .integer() != nil
    }

    /// Has the rows from a position on that were written here under the same id belong to a new one. The rows that other journals
    /// hold under the former one are theirs then. Returns how many rows it were.
    @discardableResult
    func fork(at since: Int64) throws -> Int {
        let id = try ids().id(at: Position(since))
        let positions = since..<(try ids().positions(of: id).orCorrupt().upperBound)
        let clocks = try ClockTable.own(db, in: positions, naming: id)
        let machine = try db.statement("SELECT machine FROM identity WHERE id = :id").bind("id", id).text()
        let name = try JournalTable.name(db, file: nil)
        try flush()
        try IdentityTable.begin(db, from: since, on: machine)
        knownIds = nil
        // Of rows with the same `orderedAt` others may be the first now.
        let sql = """
            SELECT location.id, count(*) AS rows FROM journal LEFT JOIN location ON location.key = locationKey
            WHERE position >= :from AND position < :to AND \(Schema.isOwn) GROUP BY location.id
            """
        let changed = try db.statement(sql).bind("from", positions.lowerBound)
            .bind("to", positions.upperBound)
            .all { (location: $0["id"] as Identifier?, rows: try $0["rows"] as Int) }
        for case let location? in changed.map(\.location) {
            try outdated(projection(of: location).orCorrupt())
        }
        let newId = try ids().id(at: Position(since))
        for clock in clocks {
            try decide(.void(clock.position), at: clock.location)
            let projection = try projection(of: clock.location).orCorrupt()
            for mend in clock.mend.split(at: Position(since), into: newId) {
                try append(mend, of: projection)
            }
        }
        if let name, try JournalTable.name(db, file: nil) == nil {
            try decide(.journal(name: name))
        }
        timers = TimerBoard()
        return changed.reduce(0) { $0 + $1.rows }
    }
}

extension ClockMend {
    /// The same of rows that have another id from a position on.
    fileprivate func split(at since: Position, into newId: String) -> [ClockMend] {
        var parts = [ClockMend(journalId: newId, rows: max(since, rows.lowerBound)...rows.upperBound, change)]
        if rows.lowerBound < since {
            let rows = rows.lowerBound...Position(since.number - 1)
            parts.append(ClockMend(journalId: journalId, rows: rows, change))
        }
        return parts
    }
}

extension SQLiteJournal {
    /// Has the rows from a position on that were written here belong to a new id: another journal has other rows in their places.
    /// Returns how many rows it were.
    package func fork(at position: Position, now: Timestamp) throws(JournalError) -> Int {
        lastAppend = nil
        return try appending(at: now) { try $0.fork(at: position.number) }
    }
}
