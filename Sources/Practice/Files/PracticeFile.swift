import Glibc
import SQL

/// One database file: opened, examined, and made where it is missing.
///
/// SQLite's rollback journal is used, not a write-ahead log, so that at rest there is one file, and unlinking it erases all.
enum PracticeFile {
    /// "cprc" in the file's header (https://www.sqlite.org/fileformat2.html#application_id).
    private static let applicationId: Int64 = 0x6370_7263
    static let version = 1

    /// A connection to a file of the present schema.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - schema: the statements that make the tables of a new file.
    ///   - makes: whether to make the file where it is missing.
    /// - Returns: the connection.
    /// - Throws: `StoreError`
    static func open(_ path: String, schema: String, makes: Bool) throws(StoreError) -> Connection {
        if makes { try make(path) }
        do {
            // SQLite would open a file that may only be read without a word, and fail at the first write.
            let isWritable = access(path, W_OK) == 0
            let db = try Connection(
                path: path, access: isWritable ? .readWrite : .readOnly, busyTimeout: 2000)
            try db.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            try examine(db, path, schema: schema)
            return db
        } catch { throw StoreError(path: path, error) }
    }

    private static func make(_ path: String) throws(StoreError) {
        let number = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            // A file that may only be read is opened so.
            if errno == EACCES || errno == EROFS, access(path, R_OK) == 0 { return }
            throw StoreError(path: path, errno: errno)
        }
        // A umask may have taken bits away that are needed.
        fchmod(number, 0o600)
        close(number)
    }

    private static func examine(_ db: Connection, _ path: String, schema: String) throws {
        let id = try db.statement("PRAGMA application_id").integer() ?? 0
        let found = Int(try db.statement("PRAGMA user_version").integer() ?? 0)
        if id == applicationId {
            if found > version { throw StoreError(path: path, reason: .newer(version: found)) }
            return try examineContents(db, path, schema: schema)
        }
        let tables = try db.statement("SELECT count(*) FROM sqlite_master").integer() ?? 0
        guard id == 0, found == 0, tables == 0 else {
            throw StoreError(path: path, reason: .corrupt("it is a file of another program"))
        }
        try db.transaction(.writing) {
            try db.execute(schema)
            try db.execute("PRAGMA application_id = \(applicationId); PRAGMA user_version = \(version)")
        }
    }

    /// Checks that the file has the tables of this program, and values of their types in them. The files are small.
    private static func examineContents(_ db: Connection, _ path: String, schema: String) throws {
        let model = try Connection(path: ":memory:", busyTimeout: 0)
        try model.execute(schema)
        guard try tables(of: db) == tables(of: model) else {
            throw StoreError(path: path, reason: .corrupt("its tables are not those of this program"))
        }
        let problem = try db.statement("PRAGMA integrity_check(1)").text() ?? ""
        if problem != "ok" { throw StoreError(path: path, reason: .corrupt(problem)) }
    }

    /// The tables with their columns, and everything else that is not SQLite's own. Not the text that made them, whose layout may
    /// differ between versions.
    private static func tables(of db: Connection) throws -> [String] {
        try db.statement(
            """
            SELECT l.name || l.strict || ' ' || c.name || ' ' || c.type || c."notnull" || c.pk || c.hidden AS text
            FROM pragma_table_list l, pragma_table_xinfo(l.name) c WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite%'
            UNION ALL SELECT type || name FROM sqlite_master WHERE type NOT IN ('table', 'index') ORDER BY 1
            """ as StaticString
        ).all { row in try row["text"] }
    }
}
