internal import CSQLite

/// SQLite's C interface for tests that lay hands on a database as no program of ours does: nothing is checked, cached or
/// set beyond what they ask for.
package final class RawDatabase {
    private var handle: OpaquePointer?
    private let path: String

    /// Opens a database, and makes its file where it is missing.
    ///
    /// - parameters:
    ///     - path: Its file.
    ///     - busyTimeout: How long a call waits for other connections, in milliseconds.
    /// - throws: `SupportError`
    package init(_ path: String, busyTimeout: Int32 = 10_000) throws {
        self.path = path
        try check(sqlite3_open(path, &handle))
        sqlite3_busy_timeout(handle, busyTimeout)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs a script.
    ///
    /// - throws: `SupportError`
    package func execute(_ script: String) throws { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

    /// The rows of a query, each as texts; nil is NULL.
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

    /// The first column of each row that is not NULL.
    ///
    /// - throws: `SupportError`
    package func texts(_ sql: String) throws -> [String] { try rows(sql).compactMap { $0.first ?? nil } }

    /// The first number that a query gives; 0 where it gives none.
    ///
    /// - throws: `SupportError`
    package func number(_ sql: String) throws -> Int { try texts(sql).first.flatMap { Int($0) } ?? 0 }

    /// Ends the connection; the last one folds the log of a database into its file.
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
