public import CounterModel
import GRDB

/// The journal in an SQLite file, and what is derived from it.
///
/// For one thread, and one per journal in a process. Several processes may have one on the same journal; each call
/// sees what the others have committed.
public final class SQLiteJournal {
    /// The database file.
    public let path: String

    /// Internal, so that tests can break it.
    let queue: DatabaseQueue
    /// The file that was opened, for another may stand under its name later.
    private let identity: FileSystem.Identity?
    /// What may be done with it by this.
    public let role: UserRole

    static func configuration(busyTimeout: Double = 5) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.label = "journal"
        return configuration
    }

    /// Opens the journal of a directory, in time that does not depend on its length.
    ///
    /// A new journal has the location `default`. An old one is brought to the present schema.
    ///
    /// - parameters:
    ///     - directory: Made with mode 0700, with those above it, where it is missing. The file in it gets 0600.
    ///     - timezone: The IANA identifier that the location `default` of a new journal gets.
    ///     - creating: Whether to make a journal where there is none.
    ///     - role: A viewer's journal is neither made nor brought to another schema, and nothing is written to it.
    ///     - busyTimeout: How long a call waits for other programs before it fails with `busy`, in seconds.
    /// - throws: `JournalError`. A file that is damaged, of a newer schema, another's or no journal is left byte
    ///   for byte as it was.
    public init(
        directory: String, timezone: String, creating: Bool = true, role: UserRole = .admin,
        busyTimeout: Double = 5
    ) throws(JournalError) {
        let file = JournalFile(directory: directory)
        path = file.path
        self.role = role
        try file.makeIfMissing(creating: creating && role == .admin)
        if try file.schemaVersion() < Schema.version {
            if role == .viewer { throw JournalError(path: path, reason: .viewerOnly) }
            queue = try file.whileAlone { () throws(JournalError) in
                try SQLiteJournal.openMigrating(file, timezone: timezone, busyTimeout: busyTimeout)
            }
        } else {
            queue = try SQLiteJournal.openQueue(file, busyTimeout: busyTimeout)
        }
        identity = FileSystem.identity(of: path)
        if role == .viewer { try access { try $0.execute(sql: "PRAGMA query_only = ON") } }
    }

    /// Refuses to write to a file that nobody would find again.
    ///
    /// - throws: `JournalError`, `gone` where the file was removed, moved away or replaced since it was opened.
    private func requirePlace() throws(JournalError) {
        guard FileSystem.identity(of: path) == identity else { throw JournalError(path: path, reason: .gone) }
    }

    /// What changes whenever another program, or another connection, has committed to the journal. Reading it
    /// costs microseconds.
    ///
    /// - throws: `JournalError`
    public func dataVersion() throws(JournalError) -> Int {
        try access { db in
            try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        }
    }

    /// Runs `body` on the connection, outside of any transaction.
    @discardableResult
    func access<T>(_ body: (Database) throws -> T) throws(JournalError) -> T {
        try JournalError.wrapping(path) { try queue.inDatabase(body) }
    }

    /// Refuses a viewer before anything is asked or worked out that they may not do.
    ///
    /// - throws: `JournalError`, `viewerOnly` for a viewer.
    public func requireAdmin() throws(JournalError) {
        if role == .viewer { throw JournalError(path: path, reason: .viewerOnly) }
    }

    /// Runs `body` in a transaction that holds the journal's write lock from its start.
    ///
    /// - throws: `JournalError`, `viewerOnly` for a viewer, `gone` where the file is no longer in its place.
    func write<T>(_ body: (Database) throws -> T) throws(JournalError) -> T {
        try requireAdmin()
        try requirePlace()
        return try transaction(.immediate, body)
    }

    /// Runs `body` on one snapshot of the journal.
    func read<T>(_ body: (Database) throws -> T) throws(JournalError) -> T {
        try transaction(.deferred, body)
    }

    private func transaction<T>(
        _ kind: Database.TransactionKind, _ body: (Database) throws -> T
    ) throws(JournalError) -> T {
        try access { db in
            var result: T?
            try db.inTransaction(kind) {
                result = try body(db)
                return .commit
            }
            guard let result else { preconditionFailure("a transaction that committed has a result") }
            return result
        }
    }
}

extension SQLiteJournal {
    private static func openMigrating(
        _ file: JournalFile, timezone: String, busyTimeout: Double
    ) throws(JournalError) -> DatabaseQueue {
        let queue = try openQueue(file, busyTimeout: busyTimeout)
        try JournalError.wrapping(file.path) {
            try queue.inDatabase { db in
                try Schema.migrate(db, timezone: timezone)
                // Puts the version into the file's first bytes, where the next start looks for it.
                try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        return queue
    }

    private static func openQueue(_ file: JournalFile, busyTimeout: Double) throws(JournalError)
        -> DatabaseQueue
    {
        let (queue, journalMode, synchronous) = try JournalError.wrapping(file.path) {
            // GRDB's own `.wal` mode would lower `synchronous` and write a table at every start.
            let queue = try DatabaseQueue(
                path: file.path, configuration: configuration(busyTimeout: busyTimeout))
            let (mode, synchronous) = try queue.inDatabase { db in
                let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
                try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON")
                return (mode, try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? 0)
            }
            return (queue, mode, synchronous)
        }
        try requireDurable(file.path, journalMode: journalMode, synchronous: synchronous)
        return queue
    }

    /// `synchronous` is as the pragma reads: 2 is FULL, 3 is EXTRA.
    static func requireDurable(
        _ path: String, journalMode: String?, synchronous: Int
    ) throws(JournalError) {
        guard journalMode == "wal" else {
            let detail = "no write-ahead log on this file system (\(journalMode ?? "none"))"
            throw JournalError(path: path, reason: .notDurable(detail: detail))
        }
        guard synchronous >= 2 else {
            let detail = "PRAGMA synchronous is \(synchronous)"
            throw JournalError(path: path, reason: .notDurable(detail: detail))
        }
    }
}

extension JournalError {
    /// Runs `body` and says of which file and in which words an error of SQLite is.
    static func wrapping<T>(_ path: String, _ body: () throws -> T) throws(JournalError) -> T {
        do {
            return try body()
        } catch let error as JournalError {
            throw error
        } catch let error as DatabaseError {
            throw JournalError(path: path, reason: Reason(error))
        } catch {
            throw JournalError(path: path, reason: .inputOutput(detail: "\(error)"))
        }
    }
}
