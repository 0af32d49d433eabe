import GRDB

/// The rows of all derived tables, each as its values, keyed by its primary key.
struct DerivedRows {
    /// The columns of each derived table, and how many of them are its primary key.
    private static let tables: [(name: String, columns: [String], keyCount: Int)] = [
        ("segment", ["locationKey", "reset", "time", "fileKey", "start", "sum"], 2),
        ("counterState", ["locationKey", "level", "lastUpdated", "lastEventAt", "position"], 1),
        ("epoch", ["deviceKey", "epoch", "openedBy"], 2),
    ]

    private var rows: [String: [[Int64]: [Int64?]]] = [:]

    /// What the tables hold.
    init(stored db: Database) throws {
        for table in DerivedRows.tables {
            let columns = table.columns.joined(separator: ", ")
            let cursor = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM \(table.name)")
            while let row = try cursor.next() {
                insert(table.columns.indices.map { row[$0] }, into: table.name)
            }
        }
    }

    /// What they should hold.
    init(_ replay: Replay) throws {
        for (location, account) in replay.accounts {
            var level = 0
            for (reset, sum) in zip(account.resets, account.sums) {
                let start = Segment(reset: reset.position, start: reset.value, sum: 0)
                level = try start.adding(sum).orCorrupt().end
                insert(
                    [location, reset.position, reset.time, reset.fileKey, Int64(reset.value), Int64(sum)],
                    into: "segment")
            }
            insert(
                [location, Int64(level), account.lastUpdated, account.lastEventAt, account.position],
                into: "counterState")
        }
        for (key, position) in replay.epochs {
            insert([key.device, Int64(key.epoch), position], into: "epoch")
        }
    }

    /// The rows that `self` has otherwise than it should.
    func differences(from replayed: DerivedRows) -> [JournalFinding] {
        DerivedRows.tables.flatMap { table -> [JournalFinding] in
            let stored = rows[table.name] ?? [:]
            let expected = replayed.rows[table.name] ?? [:]
            let keys = Set(stored.keys).union(expected.keys).sorted { $0.lexicographicallyPrecedes($1) }
            return keys.filter { stored[$0] != expected[$0] }.map { key in
                .differs(
                    table: table.name, row: describe(table.columns, key),
                    stored: describe(table.columns, stored[key]),
                    replayed: describe(table.columns, expected[key]))
            }
        }
    }

    /// Makes the tables hold these rows and no others.
    func replaceStored(_ db: Database) throws {
        for table in DerivedRows.tables {
            try db.execute(sql: "DELETE FROM \(table.name)")
            let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
            let insertion = try db.cachedStatement(sql: "INSERT INTO \(table.name) VALUES (\(marks))")
            for values in (rows[table.name] ?? [:]).values {
                try insertion.execute(arguments: StatementArguments(values))
            }
        }
    }

    private mutating func insert(_ values: [Int64?], into table: String) {
        let keyCount = DerivedRows.tables.first { $0.name == table }?.keyCount ?? 0
        rows[table, default: [:]][values.prefix(keyCount).map { $0 ?? 0 }] = values
    }

    private func describe(_ columns: [String], _ values: [Int64]) -> String {
        zip(columns, values).map { "\($0) \($1)" }.joined(separator: ", ")
    }

    private func describe(_ columns: [String], _ values: [Int64?]?) -> String? {
        values.map { values in
            zip(columns, values).map { "\($0) \($1.map(String.init) ?? "NULL")" }.joined(separator: ", ")
        }
    }
}
