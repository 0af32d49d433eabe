import CounterModel
import Glibc
import Linux
import SQL

struct JournalOpening {
    let file: JournalFile
    /// The zone that the location `default` of a new journal gets.
    let timezone: String

    /// A connection that appends.
    ///
    /// - returns: The connection, to a journal of our schema.
    func toWrite(creating: Bool) throws(JournalError) -> Connection {
        if creating { try FileSystem.makeDirectory(file.directory) }
        switch try confirmedState() {
        case .schema(Schema.version): return try connect()
        case .missing where !creating: throw JournalError(path: file.path, reason: .missing)
        case .missing, .unfinished, .schema:
            return try file.whileAlone { () throws(JournalError) in
                // Checked again: another program may just have made it.
                if case .missing = try file.state() { try file.make() }
                return try migrated()
            }
        }
    }

    /// A connection that reads, even if nothing may be written where the journal is.
    ///
    /// - returns: The connection, to a journal of our schema or a copy of one.
    func toRead(mayMigrate: Bool) throws(JournalError) -> Connection {
        switch try confirmedState() {
        case .missing, .unfinished: throw JournalError(path: file.path, reason: .missing)
        case .schema(Schema.version): return try reading()
        case .schema:
            guard FileSystem.maySQLiteWrite(file.path) else {
                return try JournalCopy.open(of: file, timezone)
            }
            guard mayMigrate else { throw JournalError(path: file.path, reason: .viewerOnly) }
            do throws(JournalError) {
                return try toWrite(creating: false)
            } catch  where error.reason == .diskFull {
                return try JournalCopy.open(of: file, timezone)
            }
        }
    }

    /// The state of the file. One that seems to have lost its content is examined again under the lock: another
    /// program may be making it at this moment.
    private func confirmedState() throws(JournalError) -> JournalFile.State {
        do throws(JournalError) {
            return try file.state()
        } catch  where error.reason == .empty {
            return try file.whileAlone(file.state)
        }
    }

    private func migrated() throws(JournalError) -> Connection {
        let db = try connect()
        try JournalError.wrapping(file.path) {
            try Schema.migrate(
                db, timezone: timezone, now: Timestamp(microseconds: Clock.realtime.microseconds))
            // Writes the version into the file's first bytes, where the next start looks for it.
            try db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        file.noteFinished()
        return db
    }

    private func connect() throws(JournalError) -> Connection {
        // SQLite would open a read-only file without an error, and leave files beside it that cannot be written
        // either.
        guard access(file.path, W_OK) == 0 else { throw JournalError(path: file.path, opening: errno) }
        let (db, journalMode, synchronous) = try JournalError.wrapping(file.path) {
            let db = try Connection(path: file.path, busyTimeout: Int32(file.busyTimeout * 1000))
            let mode = try db.statement("PRAGMA journal_mode = WAL").text()
            try db.execute("PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON")
            return (db, mode, Int(try db.statement("PRAGMA synchronous").integer() ?? 0))
        }
        try SQLiteJournal.requireDurable(file.path, journalMode: journalMode, synchronous: synchronous)
        return db
    }

    /// A connection to a journal of our schema that is not written to.
    ///
    /// SQLite makes the index of the log beside the file; where it cannot, it reads nothing. In that case no other
    /// program has the journal open, because the index would exist. So the file is read as one that does not change
    /// or, if its log has rows, as a copy of both.
    private func reading() throws(JournalError) -> Connection {
        if FileSystem.maySQLiteWrite(file.path) {
            do throws(JournalError) {
                return try JournalError.wrapping(file.path) {
                    try readable(Connection(path: file.path, busyTimeout: Int32(file.busyTimeout * 1000)))
                }
            } catch  where error.reason == .diskFull || error.reason == .notPermitted(errno: EACCES) {}
        }
        guard FileSystem.size(of: file.path + "-wal") == 0 else {
            return try JournalCopy.open(of: file, timezone)
        }
        return try JournalError.wrapping(file.path) {
            try readable(Connection(path: file.path, access: .immutable, busyTimeout: 0))
        }
    }

    private func readable(_ db: Connection) throws -> Connection {
        try db.execute("PRAGMA query_only = ON")
        _ = try db.statement("SELECT count(*) FROM sqlite_master").integer()
        return db
    }
}

/// A private copy of a journal and its log, for reading what SQLite could not read where it lies.
enum JournalCopy {
    /// Copies a journal and opens the copy, whose files are gone again when this returns: they live as long as the
    /// connection.
    ///
    /// - throws: `JournalError`, `notCopied` where there is no room for a copy, or where the journal is written to
    ///   all the time.
    static func open(of file: JournalFile, _ timezone: String) throws(JournalError) -> Connection {
        let directory = try makeDirectory(for: file)
        let copy = JournalFile(directory: directory, busyTimeout: file.busyTimeout)
        defer {
            for suffix in suffixes + ["-shm"] { unlink(copy.path + suffix) }
            rmdir(directory)
        }
        try copyWhole(file, to: copy)
        return try JournalError.wrapping(file.path) {
            let db = try Connection(path: copy.path, busyTimeout: 0)
            switch try file.state(db) {
            case .missing, .unfinished: throw JournalError(path: file.path, reason: .missing)
            case .schema(let version):
                if version < Schema.version {
                    try Schema.migrate(
                        db, timezone: timezone, now: Timestamp(microseconds: Clock.realtime.microseconds))
                }
            }
            try db.execute("PRAGMA query_only = ON")
            return db
        }
    }

    private static let suffixes = ["", "-wal"]

    /// Copies until nothing has changed meanwhile.
    private static func copyWhole(_ file: JournalFile, to copy: JournalFile) throws(JournalError) {
        for _ in 0..<10 {
            let before = suffixes.map { FileSystem.stamp(of: file.path + $0) }
            for suffix in suffixes {
                guard FileSystem.copy(file.path + suffix, to: copy.path + suffix) else {
                    let detail = "\(copy.directory): \(errorText(errno))"
                    throw JournalError(path: file.path, reason: .notCopied(detail: detail))
                }
            }
            if suffixes.map({ FileSystem.stamp(of: file.path + $0) }) == before { return }
        }
        throw JournalError(path: file.path, reason: .busy)
    }

    /// A private directory on the disk for temporary files; in memory where that has no room.
    private static func makeDirectory(for file: JournalFile) throws(JournalError) -> String {
        for directory in [environmentVariable("TMPDIR"), "/tmp", "/dev/shm"].compactMap(\.self) {
            var template = Array("\(directory)/counter-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template).map({ String(cString: $0) }) else { continue }
            // In a directory of another user that user could put another one in its place.
            if (try? TrustedFile(made)) != nil { return made }
            rmdir(made)
        }
        throw JournalError(path: file.path, reason: .notCopied(detail: errorText(errno)))
    }
}
