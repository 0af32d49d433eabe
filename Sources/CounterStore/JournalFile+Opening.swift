import CounterModel
import Glibc
import Linux
import SQL

extension JournalFile {
    /// A connection that appends, to a journal of our schema.
    func openToWrite(creating: Bool) throws(JournalError) -> Connection {
        if creating { try FileSystem.makeDirectory(directory) }
        switch try confirmedState() {
        case .schema(Schema.version): return try connect()
        case .missing where !creating: throw JournalError(path: path, reason: .missing)
        case .missing, .unfinished, .schema:
            return try whileAlone { () throws(JournalError) in
                // Checked again: another program may just have made it.
                if case .missing = try state() { try make() }
                return try migrated()
            }
        }
    }

    /// A connection that reads a journal of our schema or a copy of one, even if nothing may be written where the journal is.
    func openToRead(mayMigrate: Bool) throws(JournalError) -> Connection {
        switch try confirmedState() {
        case .missing, .unfinished: throw JournalError(path: path, reason: .missing)
        case .schema(Schema.version): return try reading()
        case .schema:
            guard FileSystem.maySQLiteWrite(path) else { return try openCopy() }
            guard mayMigrate else { throw JournalError(path: path, reason: .viewerOnly) }
            do throws(JournalError) {
                return try openToWrite(creating: false)
            } catch  where error.reason == .diskFull {
                return try openCopy()
            }
        }
    }

    /// The state of the file. One that seems to have lost its content is examined again under the lock: another
    /// program may be making it at this moment.
    private func confirmedState() throws(JournalError) -> State {
        do throws(JournalError) {
            return try state()
        } catch  where error.reason == .empty {
            return try whileAlone(state)
        }
    }

    private func migrated() throws(JournalError) -> Connection {
        let db = try connect()
        try JournalError.wrapping(path) {
            try migrate(db)
            // Writes the version into the file's first bytes, where the next start looks for it.
            try db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        noteFinished()
        return db
    }

    private func migrate(_ db: Connection) throws {
        try Schema.migrate(db, timezone: timezone, now: Timestamp(microseconds: Clock.realtime.microseconds))
    }

    private func connect() throws(JournalError) -> Connection {
        // SQLite would open a read-only file without an error, and leave files beside it that cannot be written
        // either.
        guard access(path, W_OK) == 0 else { throw JournalError(path: path, opening: errno) }
        let (db, journalMode, synchronous) = try JournalError.wrapping(path) {
            let db = try Connection(path: path, busyTimeout: Int32(busyTimeout * 1000))
            let mode = try db.statement("PRAGMA journal_mode = WAL").text()
            try db.execute("PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON")
            return (db, mode, Int(try db.statement("PRAGMA synchronous").integer() ?? 0))
        }
        try SQLiteJournal.requireDurable(path, journalMode: journalMode, synchronous: synchronous)
        return db
    }

    /// A connection to a journal of our schema that is not written to.
    ///
    /// SQLite makes the index of the log beside the file; where it cannot, it reads nothing. In that case no other
    /// program has the journal open, because the index would exist. So the file is read as one that does not change
    /// or, if its log has rows, as a copy of both.
    private func reading() throws(JournalError) -> Connection {
        if FileSystem.maySQLiteWrite(path) {
            do throws(JournalError) {
                return try JournalError.wrapping(path) {
                    try readable(Connection(path: path, busyTimeout: Int32(busyTimeout * 1000)))
                }
            } catch  where error.reason == .diskFull || error.reason == .notPermitted(errno: EACCES) {}
        }
        guard FileSystem.size(of: path + "-wal") == 0 else { return try openCopy() }
        return try JournalError.wrapping(path) {
            try readable(Connection(path: path, access: .immutable, busyTimeout: 0))
        }
    }

    private func readable(_ db: Connection) throws -> Connection {
        try db.execute("PRAGMA query_only = ON")
        _ = try db.statement("SELECT count(*) FROM sqlite_master").integer()
        return db
    }
}

// MARK: - Copies

/// A private copy of a journal and its log, for reading what SQLite could not read where it lies.
extension JournalFile {
    /// Copies the journal and opens the copy, whose files are gone again when this returns: they live as long as the connection.
    /// Throws `notCopied` where there is no room for a copy, `busy` where the journal is written to all the time.
    private func openCopy() throws(JournalError) -> Connection {
        let copy = JournalFile(directory: try makeTemporaryDirectory(), busyTimeout: busyTimeout)
        defer {
            for suffix in Self.suffixes + ["-shm"] { unlink(copy.path + suffix) }
            rmdir(copy.directory)
        }
        try copyWhole(to: copy)
        return try JournalError.wrapping(path) {
            let db = try Connection(path: copy.path, busyTimeout: 0)
            switch try state(db) {
            case .missing, .unfinished: throw JournalError(path: path, reason: .missing)
            case .schema(let version): if version < Schema.version { try migrate(db) }
            }
            try db.execute("PRAGMA query_only = ON")
            return db
        }
    }

    private static let suffixes = ["", "-wal"]

    /// Copies until nothing has changed meanwhile.
    private func copyWhole(to copy: JournalFile) throws(JournalError) {
        for _ in 0..<10 {
            let before = Self.suffixes.map { FileSystem.stamp(of: path + $0) }
            for suffix in Self.suffixes {
                guard FileSystem.copy(path + suffix, to: copy.path + suffix) else {
                    let detail = "\(copy.directory): \(errorText(errno))"
                    throw JournalError(path: path, reason: .notCopied(detail: detail))
                }
            }
            if Self.suffixes.map({ FileSystem.stamp(of: path + $0) }) == before { return }
        }
        throw JournalError(path: path, reason: .busy)
    }

    /// A private directory on the disk for temporary files; in memory where that has no room.
    private func makeTemporaryDirectory() throws(JournalError) -> String {
        for directory in [environmentVariable("TMPDIR"), "/tmp", "/dev/shm"].compactMap(\.self) {
            var template = Array("\(directory)/counter-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template).map({ String(cString: $0) }) else { continue }
            // In a directory of another user that user could put another one in its place.
            if (try? TrustedFile(made)) != nil { return made }
            rmdir(made)
        }
        throw JournalError(path: path, reason: .notCopied(detail: errorText(errno)))
    }
}
