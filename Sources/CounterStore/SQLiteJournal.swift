package import CounterModel
import Linux
import SQL

/// The journal in an SQLite file, with its projections.
///
/// Use it on one thread, and open only one per journal in a process. Several processes may open the same journal;
/// each call sees what the others have committed.
package final class SQLiteJournal {
    package let path: String

    package let directory: String

    private let db: Connection
    /// The states of the locations that the last `append` or `endDueDays` named, as it has committed them.
    package internal(set) var statesAfterAppend: [CounterState] = []
    /// That of the last `append`, for the next one; nil after a failure, which leaves what it knew half changed.
    var lastAppend: AppendTransaction?
    /// Whether the connections that killed processes left open were ended. Until then they are read as ended.
    var hasEndedAbandoned = false
    /// The timer that starts in the transaction of the next count that `append` accepts.
    package var prepared: PreparedTimer?
    /// Why `prepared` was not started, until the caller takes it.
    package var refusedStart: TimerRefusal?
    /// Tells whether the wall clock was set. Tests have clocks of their own.
    var clock = { ClockReference.ofThisMachine }
    package var isSynchronised = { Clock.isSynchronised }
    /// Tells which machine this is; nil where that is not known.
    package var machine = { MachineID.hash }
    /// Whether the last rows are known to be of this machine.
    private(set) var isOnMachine = false
    /// Why the journal has begun a new id, until `takeNewId`.
    var newId: NewJournalId?
    /// The rows that were moved because this machine's clock was wrong, until `takeMovedRows`.
    var movedRows: MistimedRows?
    /// The file that was opened; later another file may have its name.
    private let identity: FileSystem.Identity?
    package let role: UserRole

    /// Opens the journal of a directory, in time that does not depend on its length. A new one has the location `default`, an old
    /// one is migrated to the present schema. A file that is damaged, of a newer schema, of another program or no database is left
    /// unchanged.
    ///
    /// - parameters:
    ///     - directory: If it is missing, it and its parents are made with mode 0700. The file in it gets 0600.
    ///     - timezone: The zone of the location `default` of a new journal.
    ///     - role: A viewer's journal is neither made nor migrated, and nothing is written to it.
    ///     - isReadOnly: Whether it is only read. Then none is made, and nothing need be writable where it is; the
    ///       same is true for a viewer.
    ///     - busyTimeout: How long a call waits for other programs before it fails with `busy`, in seconds. Opening
    ///       waits for 5 s at least, because another program may be making or migrating the journal.
    package init(
        directory: String, timezone: String, creating: Bool = true, role: UserRole = .admin,
        isReadOnly: Bool = false, allowsNetwork: Bool = false, busyTimeout: Double = 5
    ) throws(JournalError) {
        let file = JournalFile(directory: directory, timezone: timezone, busyTimeout: max(5, busyTimeout))
        path = file.path
        (self.directory, self.role) = (directory, role)
        if !allowsNetwork { try file.requireLocal() }
        db =
            isReadOnly || role == .viewer
            ? try file.openToRead(mayMigrate: role == .admin) : try file.openToWrite(creating: creating)
        db.setBusyTimeout(Int32(busyTimeout * 1000))
        identity = FileSystem.identity(of: path)
    }

    /// Refuses to write to a file that no longer has its name: the rows would be lost. Throws `gone` if the file was removed,
    /// moved away or replaced since it was opened.
    private func requirePlace() throws(JournalError) {
        guard FileSystem.identity(of: path) == identity else { throw JournalError(path: path, reason: .gone) }
    }

    /// - throws: `JournalError` where the next row could not be stored, as far as that is known without writing one.
    package func requireWritable() throws(JournalError) {
        try requirePlace()
        if FileSystem.isFull(path) { throw JournalError(path: path, reason: .diskFull) }
    }

    /// A value that changes whenever another program or another connection commits to the journal (`PRAGMA
    /// data_version`). Reading it takes microseconds.
    package func dataVersion() throws(JournalError) -> Int {
        try access { db in
            Int(try db.statement("PRAGMA data_version" as StaticString).integer() ?? 0)
        }
    }

    /// Runs `body` on the connection, outside of any transaction.
    @discardableResult
    func access<T>(_ body: (Connection) throws -> T) throws(JournalError) -> T {
        try JournalError.wrapping(path) { try body(db) }
    }

    /// Refuses a viewer (`viewerOnly`); to be called before the program asks for or computes anything that a viewer may not do.
    package func requireAdmin() throws(JournalError) {
        if role == .viewer { throw JournalError(path: path, reason: .viewerOnly) }
    }

    /// Runs `body` in a transaction that has the journal's write lock from its start. See `requireAdmin`, `requirePlace`.
    func write<T>(_ body: (Connection) throws -> T) throws(JournalError) -> T {
        try requireAdmin()
        try requirePlace()
        let result = try access { db in
            try db.transaction(.writing) {
                try followMachine(db)
                return try body(db)
            }
        }
        isOnMachine = true
        return result
    }

    /// Runs `body` in a transaction that appends, and ends it.
    func appending<T>(at now: Timestamp, _ body: (AppendTransaction) throws -> T) throws(JournalError) -> T {
        try write { db in
            let transaction = try AppendTransaction(db, receivedAt: now)
            let result = try body(transaction)
            try transaction.finish()
            return result
        }
    }

    /// Runs `body` on one snapshot of the journal.
    func read<T>(_ body: (Connection) throws -> T) throws(JournalError) -> T {
        try access { db in try db.transaction(.reading) { try body(db) } }
    }
}

extension SQLiteJournal {
    /// `synchronous` is as the pragma reads: 2 is FULL, 3 is EXTRA.
    static func requireDurable(_ path: String, journalMode: String?, synchronous: Int) throws(JournalError) {
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
    /// Runs `body` and turns SQLite's errors into `JournalError`s of the file.
    static func wrapping<T>(_ path: String, _ body: () throws -> T) throws(JournalError) -> T {
        do {
            return try body()
        } catch let error as JournalError {
            throw error
        } catch let error as SQLError {
            throw JournalError(path: path, reason: Reason(error, path: path))
        } catch {
            throw JournalError(path: path, reason: .inputOutput(detail: "\(error)"))
        }
    }
}

// MARK: - Appending

extension SQLiteJournal {
    /// Appends requests in order, as one transaction that survives a power cut once this returns. Returns one receipt per
    /// request, in the same order. One that is refused does not stop the others. Throws `JournalError`; then nothing was
    /// appended, and the same call may succeed later (`diskFull`, `busy`).
    package func append(_ requests: [Request], receivedAt: Timestamp) throws(JournalError) -> [Receipt] {
        let clock = clock()
        let (receipts, start, states, transaction) = try write { db in
            let transaction = try AppendTransaction.next(after: lastAppend, db, receivedAt: receivedAt)
            lastAppend = nil
            if requests.contains(where: { !$0.row.isTakenOver }) {
                try transaction.noteReading(clock, isSynchronised: isSynchronised)
                try transaction.noteClock(clock, before: requests)
            }
            let receipts = try requests.map(transaction.answer)
            let start = try prepared.map { try transaction.start($0, withFirstOf: receipts, clock) }
            try transaction.finish()
            return (receipts, start, try transaction.states(), transaction)
        }
        statesAfterAppend = states
        transaction.noteCommit()
        lastAppend = transaction
        movedRows = transaction.moved ?? movedRows
        if transaction.hasRecovered { newId = .restored }
        switch start {
        case nil, .success(false): break
        case .success(true): prepared = nil
        case .failure(let refusal): (prepared, refusedStart) = (nil, refusal)
        }
        return receipts
    }
}
