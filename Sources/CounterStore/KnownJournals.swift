package import CounterModel
import Linux
import SQL

/// A journal that has rows here: this one, or another.
package struct KnownJournal: Identifiable, Hashable, Sendable {
    package let id: String
    /// nil where no row says it.
    package let name: String?
    package let isOwn: Bool
    package let rows: Int
    /// When the last of them was received there; nil where there is none.
    package let lastRowAt: Timestamp?

    /// What people read: its name, or the beginning of its id.
    package var label: String { name ?? Self.brief(id) }

    fileprivate static func brief(_ id: String) -> String { String(id.prefix(8)) }
}

extension SQLiteJournal {
    /// This journal, then the others in the order in which they became known.
    package func journals() throws(JournalError) -> [KnownJournal] {
        try read { db in
            let (ids, files) = (try JournalIds(db), try JournalTable.files(db))
            // What others sent back has a file of this journal.
            let own = (key: files.first { $0.id == ids.current }?.key, id: ids.current)
            let others = files.filter { $0.id != ids.current }.map { (key: $0.key as Int64?, id: $0.id) }
            return try ([own] + others).map { try JournalTable.journal(db, $0.id, file: $0.key, ids) }
                .filter { $0.isOwn || $0.rows > 0 }
        }
    }

    /// Appends the name by which other journals are to know this one.
    package func rename(to name: String, at now: Timestamp) throws(JournalError) {
        try appending(at: now) { try $0.decide(.journal(name: name), by: LoginName.current) }
    }

    /// Names this journal unless a row names it already. Call it before others read its rows.
    package func rename(ifNamelessTo name: String, at now: Timestamp) throws(JournalError) {
        if try self.name() == nil { try rename(to: name, at: now) }
    }

    package func name() throws(JournalError) -> String? { try read { try JournalTable.name($0, file: nil) } }
}

/// The SQL of journals. Another one is a file whose lines are its rows.
enum JournalTable {
    static func lastPosition(_ db: Connection) throws -> Position {
        Position(try db.statement("SELECT max(position) FROM journal" as StaticString).integer() ?? 0)
    }

    /// The files that stand for journals.
    static func files(_ db: Connection) throws -> [(key: Int64, id: String)] {
        let sql =
            "SELECT key, \(Schema.journalOfFile) AS id FROM file WHERE \(Schema.isJournalFile) ORDER BY key"
        return try db.statement(sql).all { (try $0["key"], try $0["id"]) }
    }

    static func name(_ db: Connection, file: Int64?) throws -> String? {
        try db.statement(named).bind("file", file).text()
    }

    private static let named = FixedText(
        """
        SELECT text FROM journal WHERE kind = \(RowKind.journal) AND \(Schema.journalKey(of: "journal")) IS :file
        ORDER BY orderedAt DESC, position DESC LIMIT 1
        """)

    private static let idOfFile = FixedText(
        "SELECT \(Schema.journalOfFile) FROM file WHERE key = :file AND \(Schema.isJournalFile)")

    /// What people read of a journal, by the `journalKey` of its rows; nil where that is of a file of lines.
    static func label(_ db: Connection, file: Int64) throws -> String? {
        guard let id = try db.statement(idOfFile).bind("file", file).text() else { return nil }
        return try name(db, file: file) ?? KnownJournal.brief(id)
    }

    /// The rows that were written here under an id, and those that were taken over; of an earlier id these are the later ones.
    fileprivate static func journal(
        _ db: Connection, _ id: String, file: Int64?, _ ids: JournalIds
    ) throws -> KnownJournal {
        let own = ids.positions(of: id) ?? 0..<0
        let sql = """
            SELECT (SELECT count(*) FROM journal WHERE fileKey = :file)
                + (SELECT count(*) FROM journal WHERE position >= :from AND position < :to AND \(Schema.isOwn)) AS rows,
                coalesce((SELECT receivedAt FROM journal WHERE fileKey = :file ORDER BY line DESC LIMIT 1),
                    (SELECT receivedAt FROM journal WHERE position >= :from AND position < :to AND fileKey IS NULL
                        ORDER BY position DESC LIMIT 1)) AS last
            """
        let isOwn = id == ids.current
        return try db.statement(sql).bind("file", file).bind("from", own.lowerBound)
            .bind("to", own.upperBound).first { row in
                KnownJournal(
                    id: id, name: try name(db, file: isOwn ? nil : file), isOwn: isOwn,
                    rows: try row["rows"], lastRowAt: row["last"])
            }.orCorrupt()
    }
}
