import SQL

/// Something that `verify` has found.
public enum JournalFinding: Hashable, Sendable {
    /// A derived row is not what the journal gives.
    ///
    /// - parameters:
    ///     - row: Which one, in words.
    ///     - stored: What stands there; nil where the row is missing.
    ///     - replayed: What should stand there; nil where the row should not be.
    case differs(table: String, row: String, stored: String?, replayed: String?)
    /// SQLite itself finds the file wrong; a line of its report.
    case damaged(String)
    /// A trigger is missing that keeps the journal append-only.
    case missingTrigger(String)
}

extension SQLiteJournal {
    /// Replays the journal and compares every derived table with it; checks the file and its triggers too.
    ///
    /// Reads one snapshot: other programs go on counting meanwhile.
    ///
    /// - returns: What is wrong; empty where nothing is.
    /// - throws: `JournalError`; `corrupt` where the journal cannot be read to its end.
    public func verify() throws(JournalError) -> [JournalFinding] {
        try read { db in
            let damage = try Self.damage(db)
            // What is read from damaged pages proves nothing more.
            guard damage.isEmpty else { return damage }
            let differences = try ProjectionTables.differences(db, from: Replay(db))
            return try Self.missingTriggers(db) + differences
        }
    }

    /// Throws all derived tables away and makes them anew from the journal, in one transaction.
    ///
    /// - throws: `JournalError`; then they are as they were.
    public func rebuild() throws(JournalError) {
        try write { db in
            try ProjectionTables.replaceStored(db, by: Replay(db))
        }
    }

    private static func damage(_ db: Connection) throws -> [JournalFinding] {
        let report = try db.statement("PRAGMA integrity_check").texts().filter { $0 != "ok" }
        let orphans = try db.statement("PRAGMA foreign_key_check").all { row in
            "\(try row["table"] as String) refers to a \(try row["parent"] as String) that is not there"
        }
        return (report + orphans).map(JournalFinding.damaged)
    }

    private static func missingTriggers(_ db: Connection) throws -> [JournalFinding] {
        let present = Set(try db.statement("SELECT name FROM sqlite_master WHERE type = 'trigger'").texts())
        return Schema.triggers.filter { !present.contains($0) }.map(JournalFinding.missingTrigger)
    }
}
