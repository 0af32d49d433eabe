import CSQLite
import Linux

/// A connection to a database, for one thread.
package final class Connection {
    package enum Access: Sendable {
        case readWrite
        /// If the database has a write-ahead log, SQLite may still make the index of the log (`-shm`) beside it.
        case readOnly
        /// Reads a file that no process writes: SQLite takes no lock, reads no log, and makes no file beside it.
        case immutable
    }

    /// SQLite would lock a mutex to count each allocation, in each transaction some hundred times.
    private static let configuration = csqlite_count_no_memory()

    let handle: OpaquePointer
    /// The prepared statements, by their text. None is ever removed, so a text has parameters in place of values.
    private(set) var statements: [String: Statement] = [:]
    /// Those of them whose text is a literal or a `FixedText`, by its address: hashing a text takes as long as running a small
    /// statement.
    private var fixedStatements: [UnsafeRawPointer: Statement] = [:]

    /// Opens a database. `busyTimeout`: how long a call waits for other connections, in milliseconds.
    package init(path: String, access: Access = .readWrite, busyTimeout: Int32) throws(SQLError) {
        _ = Self.configuration
        var opened: OpaquePointer?
        // Without NOMUTEX, SQLite would lock a mutex for every column that is read.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status =
            switch access {
            case .readWrite: sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | common, nil)
            case .readOnly: sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY | common, nil)
            case .immutable:
                sqlite3_open_v2(
                    Connection.uri(path, "immutable=1"), &opened,
                    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | common, nil)
            }
        guard status == SQLITE_OK, let opened else {
            let error = SQLError(opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        setBusyTimeout(busyTimeout)
        csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
        csqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        csqlite_configure(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        csqlite_configure(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    }

    deinit {
        fixedStatements.removeAll()
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Sets how long a call waits for other connections. The corresponding C function is `sqlite3_busy_timeout`.
    package func setBusyTimeout(_ milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// A statement, prepared the first time it is asked for.
    package func statement(_ sql: String) throws(SQLError) -> Statement {
        if let known = statements[sql] {
            // A statement that is running is not restarted: code that handles its rows may ask for the same text.
            return known.isBusy ? try prepare(sql) : known
        }
        let statement = try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        statements[sql] = statement
        return statement
    }

    /// A statement whose text is a literal, prepared the first time it is asked for.
    package func statement(_ sql: StaticString) throws(SQLError) -> Statement {
        try statement(at: UnsafeRawPointer(sql.utf8Start), String(describing: sql))
    }

    /// A statement whose text is made once, prepared the first time it is asked for.
    package func statement(_ sql: FixedText) throws(SQLError) -> Statement {
        try statement(at: UnsafeRawPointer(Unmanaged.passUnretained(sql).toOpaque()), sql.text)
    }

    private func statement(
        at address: UnsafeRawPointer, _ text: @autoclosure () -> String
    ) throws(SQLError) -> Statement {
        if let known = fixedStatements[address], !known.isBusy { return known }
        let statement = try statement(text())
        if fixedStatements[address] == nil { fixedStatements[address] = statement }
        return statement
    }

    private func prepare(_ sql: String, flags: UInt32 = 0) throws(SQLError) -> Statement {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil) == SQLITE_OK else {
            throw SQLError(handle)
        }
        guard let prepared else { preconditionFailure("a statement is empty") }
        return Statement(prepared)
    }

    /// The rows that were inserted, changed and deleted since it was opened. The corresponding C function is `sqlite3_total_changes`.
    package var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

    /// Whether another process is in a transaction on the database; true if SQLite cannot tell. SQLite only examines
    /// the locks and takes none (`SQLITE_FCNTL_EXTERNAL_READER`).
    package var isInUseElsewhere: Bool {
        var isInUse: CInt = 1
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_EXTERNAL_READER, &isInUse)
        return result != SQLITE_OK || isInUse != 0
    }

    /// Whether nothing can be written, because the file was opened so, or because its header says so; known once something was read.
    package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// A number that changes with each commit to the database: by this connection when it commits, by others once a
    /// transaction here sees it (`SQLITE_FCNTL_DATA_VERSION`). Nil if SQLite cannot tell.
    package var dataVersion: UInt32? {
        var version: UInt32 = 0
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return result == SQLITE_OK ? version : nil
    }

    /// Runs a script of any number of statements without parameters.
    package func execute(_ script: String) throws(SQLError) {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw SQLError(handle) }
    }

    /// How many rows the last statement inserted, changed or deleted. The corresponding C function is `sqlite3_changes`.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    /// The key of the row that was inserted last. The corresponding C function is `sqlite3_last_insert_rowid`.
    package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// A path as a URI, with all but plain characters percent-encoded (https://www.sqlite.org/uri.html).
    private static func uri(_ path: String, _ options: String) -> String {
        "file:\(path.percentEncoded(besides: "/"))?\(options)"
    }
}

/// A text that is made at run time and found by its address, as a literal is: for the statements of each press. It must live as
/// long as the program.
package final class FixedText: Sendable {
    fileprivate let text: String

    package init(_ text: String) { self.text = text }
}

package enum TransactionKind: Sendable {
    /// On one snapshot of the database, taken by its first statement.
    case reading
    /// With the write lock, for which it waits up to the connection's `busyTimeout`.
    case writing
}

extension Connection {
    /// Runs `body` in a transaction, which commits all that it writes or nothing.
    package func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T {
        switch kind {
        case .reading: try statement("BEGIN" as StaticString).run()
        case .writing: try statement("BEGIN IMMEDIATE" as StaticString).run()
        }
        do {
            let result = try body()
            try statement("COMMIT" as StaticString).run()
            return result
        } catch {
            // After some errors SQLite has already rolled the transaction back.
            if sqlite3_get_autocommit(handle) == 0 { try? statement("ROLLBACK").run() }
            throw error
        }
    }
}

// MARK: - Errors

package struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The disk has no space left, or the database may not grow any more.
        case full
        /// Another connection kept the lock that this one waited for.
        case busy
        case corrupt
        case notPermitted
        case cannotOpen
        /// The operating system failed a read, a write or a lock.
        case inputOutput
        /// Any other, as where a rule of the schema refuses the row; the message describes it.
        case other
    }

    package let kind: Kind
    /// SQLite's extended result code (https://www.sqlite.org/rescode.html).
    package let code: Int32
    /// The errno behind it, or 0; see sqlite3_system_errno().
    package let errno: Int32
    package let message: String

    /// Whether it concerns the index of the write-ahead log, the `-shm` file beside the database.
    package var isAboutSharedMemory: Bool {
        [SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8, SQLITE_IOERR | 20 << 8, SQLITE_IOERR | 21 << 8]
            .contains(code)
    }

    package var description: String { "\(message) (\(code))" }

    package static func contradiction(_ message: String) -> SQLError {
        SQLError(code: SQLITE_CORRUPT, errno: 0, message: message)
    }

    init(code: Int32, errno: Int32, message: String) {
        (self.code, self.errno, self.message) = (code, errno, message)
        kind = Kind(primaryCode: code & 0xFF)
    }

    /// The last error of a connection.
    init(_ database: OpaquePointer?) {
        self.init(
            code: sqlite3_extended_errcode(database), errno: sqlite3_system_errno(database),
            message: String(cString: sqlite3_errmsg(database)))
    }
}

extension SQLError.Kind {
    fileprivate init(primaryCode: Int32) {
        switch primaryCode {
        case SQLITE_FULL: self = .full
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .notPermitted
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_IOERR: self = .inputOutput
        default: self = .other
        }
    }
}
