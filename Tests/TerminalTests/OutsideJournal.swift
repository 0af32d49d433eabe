import GRDB
import TestSupport

/// A connection that lays hands on a journal as no program of ours does.
struct OutsideJournal {
    private let queue: DatabaseQueue

    init(_ place: Workplace, file: String = "journal.sqlite") throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(10)
        queue = try DatabaseQueue(path: "\(place.directory)/\(file)", configuration: configuration)
    }

    /// Runs SQL, also what begins or ends a transaction.
    func execute(_ sql: String) throws { try queue.inDatabase { try $0.execute(sql: sql) } }

    /// The number that a query gives; 0 where it gives none.
    func number(_ sql: String) throws -> Int { try queue.inDatabase { try Int.fetchOne($0, sql: sql) ?? 0 } }

    /// The texts that a query gives, one a row.
    func texts(_ sql: String) throws -> [String] {
        try queue.inDatabase { try String.fetchAll($0, sql: sql) }
    }

    /// Ends the connection, with everything in the one file.
    func close() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try queue.close()
    }
}
