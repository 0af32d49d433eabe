import CSQLite

/// SQLite's C interface, for tests that use a database in ways that the program does not. Nothing is checked, cached
/// or set unless the test asks for it.
package final class RawDatabase {
    private var handle: OpaquePointer?
    private let path: String

    /// Opens a database, and creates its file where it does not exist.
    ///
    /// - parameters:
    ///   - path: The path of the file.
    ///   - busyTimeout: How long a call waits for other connections, in milliseconds.
    /// - throws: `SupportError`
    package init(_ path: String, busyTimeout: Int32 = 10_000) throws {
        self.path = path
        try check(sqlite3_open(path, &handle))
        sqlite3_busy_timeout(handle, busyTimeout)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Executes a script.
    ///
    /// - throws: `SupportError`
    package func execute(_ script: String) throws { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

    /// The rows of a query, with each value as text; nil is NULL.
    ///
    /// - throws: `SupportError`
    package func rows(_ sql: String) throws -> [[String?]] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        var status = sqlite3_step(statement)
        while status == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) }
                })
            status = sqlite3_step(statement)
        }
        try check(status)
        return rows
    }

    /// The first column of each row, without NULLs.
    ///
    /// - throws: `SupportError`
    package func texts(_ sql: String) throws -> [String] { try rows(sql).compactMap { $0.first ?? nil } }

    /// The first number of a query's result; 0 where the result is empty.
    ///
    /// - throws: `SupportError`
    package func number(_ sql: String) throws -> Int { try texts(sql).first.flatMap { Int($0) } ?? 0 }

    /// Closes the connection; closing a database's last connection checkpoints its write-ahead log.
    package func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    private func check(_ status: Int32) throws {
        guard status == SQLITE_OK || status == SQLITE_DONE else {
            throw SupportError.refused(by: path, why: String(cString: sqlite3_errmsg(handle)))
        }
    }
}
