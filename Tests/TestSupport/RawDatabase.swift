import CSQLite

/// SQLite's C interface, for tests that use a database in ways that the program does not. Nothing is checked, cached
/// or set unless the test asks for it.
package final class RawDatabase {
    private var handle: OpaquePointer?
    private let path: String

    /// Opens a database, and creates its file where it does not exist.
    package init(_ path: String) throws {
        self.path = path
        try check(sqlite3_open(path, &handle))
        sqlite3_busy_timeout(handle, 10_000)
    }

    deinit { sqlite3_close_v2(handle) }

    package func execute(_ script: String) throws { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

    /// The rows of a query, with each value as text; nil is NULL.
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
    package func texts(_ sql: String) throws -> [String] { try rows(sql).compactMap { $0.first ?? nil } }

    /// The first number of a query's result; 0 where the result is empty.
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

extension RawDatabase {
    /// Sets columns of all rows to values that the rules of their tables forbid: the rules are taken away meanwhile.
    package func damage(_ values: [(table: String, column: String, value: String)]) throws {
        try execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA writable_schema = ON")
        let tables = try rows("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        // Types, which convert values, go too; the key that is the row's number stays.
        try execute(
            """
            UPDATE sqlite_master SET sql = replace(replace(replace(replace(replace(replace(replace(replace(sql,
                'INTEGER PRIMARY KEY', '@'), ' STRICT', ''), ' NOT NULL', ''), ' CHECK (coins >= 0)', ''), ' TEXT', ''),
                ' REAL', ''), ' INTEGER', ''), '@', 'INTEGER PRIMARY KEY') WHERE type = 'table';
            PRAGMA writable_schema = RESET
            """)
        for (table, column, value) in values { try execute("UPDATE \(table) SET \(column) = \(value)") }
        try execute("PRAGMA writable_schema = ON")
        for case let (name?, sql?) in tables.map({ ($0[0], $0[1]) }) {
            let text = sql.replacing("'", with: "''")
            try execute("UPDATE sqlite_master SET sql = '\(text)' WHERE name = '\(name)'")
        }
    }

    package func columns() throws -> [(table: String, column: String)] {
        try rows(
            "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1, 2"
        ).compactMap { row in
            guard let table = row[0], let column = row[1] else { return nil }
            return (table, column)
        }
    }
}

extension RawDatabase {
    /// Makes a journal one of schema 12, in which names, zones and what is set of devices stood beside the rows: each location and device
    /// is called by its id.
    package func makeVersion12() throws {
        try makeVersion14()
        try execute(
            """
            DROP VIEW journalRow; DROP TRIGGER journalIsNeverDeleted;
            DROP INDEX journalLocation; DROP INDEX journalDevice; DROP INDEX journalName; DROP INDEX journalSharing;
            DROP TABLE clock; DROP TABLE clockReading;
            DELETE FROM journal WHERE kind > 20; DELETE FROM kind WHERE key IN (7, 11, 12, 13) OR key > 20; DELETE FROM setting WHERE key > 100;
            ALTER TABLE location ADD COLUMN name TEXT NOT NULL DEFAULT '';
            ALTER TABLE location ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC';
            ALTER TABLE device ADD COLUMN name TEXT NOT NULL DEFAULT '';
            ALTER TABLE device ADD COLUMN locationKey INTEGER REFERENCES location;
            ALTER TABLE device ADD COLUMN isActive INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE device ADD COLUMN isForgotten INTEGER NOT NULL DEFAULT 0;
            UPDATE location SET name = id;
            UPDATE device SET name = id;
            PRAGMA user_version = 12
            """)
    }

    /// Makes a journal one of schema 14, which had one id.
    package func makeVersion14() throws {
        try execute(
            """
            DROP VIEW journalRow; DROP VIEW knownDevice;
            DROP INDEX journalReading; DELETE FROM kind WHERE key = 13;
            CREATE TABLE single (id TEXT NOT NULL) STRICT;
            INSERT INTO single SELECT id FROM identity;
            DROP TABLE identity;
            ALTER TABLE single RENAME TO identity;
            CREATE VIEW journalRow AS SELECT (SELECT id FROM identity) AS place;
            PRAGMA user_version = 14
            """)
    }
}

/// Values for the columns of a damaged database, as expressions of SQL.
package enum HostileValue {
    /// The ends of numbers, and texts that no column has.
    package static let all = [
        "9223372036854775807", "9223372036854775806", "4611686018427387904", "-9223372036854775808", "-1",
        "0",
        "253402300800000000", "1e18", "1e308", "-1e308", "9e999", "-9e999", "0.5", "-0.5", "NULL", "''",
        "'x'", "'NaN'",
        "'inf'", "'9999999999999999999'", "'2026-02-30'", "'999999-01-01'", "'9999-12-31'", "'0000-01-01'",
        "'raetsel_puzzle'", "x'00ff'", "printf('%.*c', 100000, 'x')", "char(27, 91, 50, 74)", "char(0x202E)",
    ]

    /// One of them, or a number of any size.
    package static func random(_ random: inout SplitMix64) -> String {
        switch random.below(4) {
        case 0: "\(Int64(bitPattern: random.next()) >> Int64(random.below(64)))"
        case 1: "\(Double(random.below(2_000_001) - 1_000_000) / 1000)"
        default: random.element(of: all)
        }
    }
}
