package import CounterModel
import Linux
import SQL

/// A journal that has rows here: this one, or another.
package struct KnownJournal: Identifiable, Hashable, Sendable {
    package let id: String
    /// nil where no row says it.
    package let name: String?
    package let isOwn: Bool
    /// How many of its rows are here.
    package let rows: Int
    /// When the last of them was received there; nil where there is none.
    package let lastRowAt: Timestamp?

    /// What people read: its name, or the beginning of its id.
    package var label: String { name ?? String(id.prefix(8)) }
}

extension SQLiteJournal {
    /// This journal, then the others in the order in which they became known.
    package func journals() throws(JournalError) -> [KnownJournal] {
        try read { db in
            // What others sent back has a file of this journal.
            let sql = """
                SELECT key FROM file WHERE hash GLOB 'journal:*' AND hash <> 'journal:' || (SELECT id FROM identity)
                ORDER BY key
                """
            let files = try db.statement(sql).integers()
            let others = try files.compactMap { try JournalTable.other(db, file: $0) }
            return try [JournalTable.own(db, amongOthers: others)] + others
        }
    }

    /// Appends the name by which other journals are to know this one.
    package func rename(to name: String, at now: Timestamp) throws(JournalError) {
        try write { db in
            let request = Request(
                locationId: nil, userId: LoginName.current, timestamp: now, .journal(name: name))
            _ = try AppendTransaction(db, receivedAt: now).answer(request)
        }
    }

    /// Names this journal unless a row names it already. Call it before others read its rows.
    package func rename(ifNamelessTo name: String, at now: Timestamp) throws(JournalError) {
        if try self.name() == nil { try rename(to: name, at: now) }
    }

    /// The name of this journal; nil where no row says it.
    package func name() throws(JournalError) -> String? { try read { try JournalTable.name($0, file: nil) } }
}

/// The SQL of journals. Another one is a file whose lines are its rows.
enum JournalTable {
    static func name(_ db: Connection, file: Int64?) throws -> String? {
        try db.statement(named).bind("file", file).text()
    }

    private static let named = FixedText(
        """
        SELECT text FROM journal WHERE kind = \(RowKind.journal) AND fileKey IS :file
        ORDER BY orderedAt DESC, position DESC LIMIT 1
        """)

    fileprivate static func own(_ db: Connection, amongOthers others: [KnownJournal]) throws -> KnownJournal {
        let last = "SELECT receivedAt FROM journal WHERE fileKey IS NULL ORDER BY position DESC LIMIT 1"
        let all = Int(try db.statement("SELECT count(*) FROM journal").integer() ?? 0)
        return KnownJournal(
            id: try IdentityTable.id(db), name: try name(db, file: nil), isOwn: true,
            rows: all - others.reduce(0) { $0 + $1.rows },
            lastRowAt: Timestamp(stored: try db.statement(last).integer()))
    }

    /// nil where it is a file of lines.
    static func other(_ db: Connection, file: Int64) throws -> KnownJournal? {
        let sql = """
            SELECT substr(hash, 9) AS id, (SELECT count(*) FROM journal WHERE fileKey = :file) AS rows,
                (SELECT receivedAt FROM journal WHERE fileKey = :file ORDER BY line DESC LIMIT 1) AS last
            FROM file WHERE key = :file AND hash GLOB 'journal:*'
            """
        return try db.statement(sql).bind("file", file).first { row in
            let rows: Int = try row["rows"]
            return KnownJournal(
                id: try row["id"], name: try name(db, file: file), isOwn: false, rows: rows,
                lastRowAt: Timestamp(stored: row["last"]))
        }
    }
}
