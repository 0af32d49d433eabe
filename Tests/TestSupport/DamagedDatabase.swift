extension RawDatabase {
    /// Sets columns of all rows to values that the rules of their tables forbid: the rules are taken away meanwhile.
    ///
    /// - parameter values: For each column, an expression of SQL.
    /// - throws: `SupportError`, where even then no row can have such a value.
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

    /// The columns of all tables.
    ///
    /// - throws: `SupportError`
    package func columns() throws -> [(table: String, column: String)] {
        try rows(
            "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1, 2"
        ).compactMap { row in
            guard let table = row[0], let column = row[1] else { return nil }
            return (table, column)
        }
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
