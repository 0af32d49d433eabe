import TestSupport

/// A connection that changes a journal in ways that this program never does.
struct OutsideJournal {
    private let database: RawDatabase

    init(_ place: Workplace, file: String = "journal.sqlite") throws {
        database = try RawDatabase("\(place.directory)/\(file)")
    }

    /// Runs SQL, also what begins or ends a transaction.
    func execute(_ sql: String) throws { try database.execute(sql) }

    /// The number that a query returns; 0 if it returns none.
    func number(_ sql: String) throws -> Int { try database.number(sql) }

    /// The texts that a query returns, one per row.
    func texts(_ sql: String) throws -> [String] { try database.texts(sql) }

    /// Ends the connection, and writes the log back into the file.
    func close() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
    }
}
