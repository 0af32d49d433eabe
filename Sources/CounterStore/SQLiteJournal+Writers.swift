import GRDB
import GRDBSQLite

/// What tells this connection's own commits from those of others.
extension SQLiteJournal {
    /// How many rows this connection has inserted, changed and removed since it was opened: what it has written itself
    /// shows here, and nothing else does. The corresponding C function is `sqlite3_total_changes`.
    ///
    /// - throws: `JournalError`
    public func ownChanges() throws(JournalError) -> Int { try access { $0.totalChangesCount } }

    /// Whether another process reads the journal or writes to it just now; true where SQLite cannot tell. Nobody is kept
    /// waiting by the question (`SQLITE_FCNTL_EXTERNAL_READER`).
    ///
    /// - throws: `JournalError`
    public func isInUseElsewhere() throws(JournalError) -> Bool {
        try access { db in
            var isInUse: CInt = 1
            let result = sqlite3_file_control(
                db.sqliteConnection, "main", SQLITE_FCNTL_EXTERNAL_READER, &isInUse)
            return result != SQLITE_OK || isInUse != 0
        }
    }
}
