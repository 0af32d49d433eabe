import TestSupport

/// A connection that lays hands on a journal as no program of ours does.
struct OutsideJournal {
    private let database: RawDatabase

    init(_ place: Workplace, file: String = "journal.sqlite") throws {
        database = try RawDatabase("\(place.directory)/\(file)")
    }

    /// Runs SQL, also what begins or ends a transaction.
    func execute(_ sql: String) throws { try database.execute(sql) }

    /// The number that a query gives; 0 where it gives none.
    func number(_ sql: String) throws -> Int { try database.number(sql) }

    /// The texts that a query gives, one a row.
    func texts(_ sql: String) throws -> [String] { try database.texts(sql) }

    /// Ends the connection, with everything in the one file.
    func close() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
    }
}
