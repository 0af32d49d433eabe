import Glibc
import Linux
import SQL

/// The directory of practice: `settings.sqlite`, and a file for each player. Nothing about a player is anywhere else, except for
/// the limits in the settings.
package final class PracticeFolder {
    package let path: String
    private var lock: Descriptor?

    /// The directory below a data directory, such as `~/.local/share/counter`; nothing is made.
    package init(below dataDirectory: String) { path = dataDirectory + "/practice" }

    package var settingsPath: String { path + "/settings.sqlite" }

    /// Whether it was ever used.
    package var exists: Bool { access(settingsPath, F_OK) == 0 }

    /// Makes the directory, with mode 0700, and keeps other programs out of it until the process ends. Throws `inUse` where
    /// another program has it.
    package func take() throws(StoreError) {
        do throws(SystemCallError) {
            try makePrivateDirectory(path)
            let directory = try Descriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
            let number = directory.number
            try systemCall("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
            lock = consume directory
        } catch {
            if error.errno == EWOULDBLOCK { throw StoreError(path: path, reason: .inUse) }
            throw StoreError(path: error.subject, errno: error.errno)
        }
    }

    /// The ids of the players, in the order in which they were made.
    package var playerIds: [String] {
        directoryEntries(of: path).filter { $0.hasPrefix("player-") && $0.hasSuffix(".sqlite") }
            .map { String($0.dropFirst(7).dropLast(7)) }.sorted()
    }

    package func path(ofPlayer id: String) -> String { path + "/" + Self.fileName(ofPlayer: id) }

    package static func fileName(ofPlayer id: String) -> String { "player-\(id).sqlite" }

    /// Erases a player: unlinks the file, what it links to, and what SQLite may have left beside it. The corresponding C function is
    /// `unlink(2)`.
    package func erase(player id: String) throws(StoreError) {
        let file = path(ofPlayer: id)
        if let real = realPath(file) {
            guard unlink(real) == 0 else { throw StoreError(path: real, errno: errno) }
            unlink(real + "-journal")
        }
        // Nothing is left where it was no link.
        guard unlink(file) == 0 || errno == ENOENT else { throw StoreError(path: file, errno: errno) }
        unlink(file + "-journal")
    }
}

/// One database file: opened, examined, and made where it is missing.
///
/// SQLite's rollback journal is used, not a write-ahead log, so that at rest there is one file, and unlinking it erases all.
package class PracticeFile {
    let path: String
    let db: Connection

    /// "cprc" in the file's header (https://www.sqlite.org/fileformat2.html#application_id).
    private static let applicationId: Int64 = 0x6370_7263
    private static let version = 1

    /// Opens a file, in which `schema` makes the tables; `makes` the file where it is missing. One that is refused stays as it was.
    init(_ path: String, schema: String, makes: Bool) throws(StoreError) {
        self.path = path
        if makes { try Self.make(path) }
        do {
            // SQLite would open a file that may only be read without a word, and fail at the first write.
            let isWritable = access(path, W_OK) == 0
            db = try Connection(
                path: path, access: isWritable ? .readWrite : .readOnly, busyTimeout: 2000)
            try db.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            try Self.examine(db, path, schema: schema)
            if isWritable, db.isReadOnly {
                throw StoreError(path: path, reason: .corrupt("its header forbids writing"))
            }
        } catch { throw StoreError(path: path, error) }
    }

    func attempt<T>(_ body: () throws -> T) throws(StoreError) -> T {
        do { return try body() } catch { throw StoreError(path: path, error) }
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

    /// The tables with their columns and references, and everything else that is not SQLite's own. Not the text that made them,
    /// whose layout may differ between versions.
    private static func tables(of db: Connection) throws -> [String] {
        try db.statement(
            """
            SELECT l.name || l.strict || ' ' || c.name || ' ' || c.type || c."notnull" || c.pk || c.hidden AS text
            FROM pragma_table_list l, pragma_table_xinfo(l.name) c WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite%'
            UNION ALL SELECT l.name || ' ' || f."from" || ' of ' || f."table"
            FROM pragma_table_list l, pragma_foreign_key_list(l.name) f WHERE l.schema = 'main'
            UNION ALL SELECT type || name FROM sqlite_master WHERE type NOT IN ('table', 'index') ORDER BY 1
            """ as StaticString
        ).all { row in try row["text"] }
    }
}
