import GRDB
import TestSupport

/// A connection that lays hands on a journal as no program of ours does.
struct OutsideJournal {
    private let queue: DatabaseQueue

    init(_ place: Workplace, file: String = "journal.sqlite") throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: "\(place.directory)/\(file)", configuration: configuration)
    }

    /// Runs SQL, also what begins or ends a transaction.
    func execute(_ sql: String) throws { try queue.inDatabase { try $0.execute(sql: sql) } }

    /// Ends the connection, with everything in the one file.
    func close() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try queue.close()
    }
}
