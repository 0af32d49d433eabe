import SQL

/// A fault that `verify` has found.
package enum JournalFinding: Hashable, Sendable {
    /// A row of a projection differs from its replay.
    ///
    /// - parameters:
    ///     - row: The row, in words.
    ///     - stored: Its stored values; nil if the row is missing.
    ///     - replayed: Its expected values; nil if there should be no row.
    case differs(table: String, row: String, stored: String?, replayed: String?)
    /// SQLite found the file damaged; a line of its report.
    case damaged(String)
    /// One of the triggers that keep the journal append-only is missing.
    case missingTrigger(String)
}

extension SQLiteJournal {
    /// Replays the journal and compares every projection with the result; checks the file and its triggers too.
    ///
    /// Reads one snapshot: other programs go on counting meanwhile.
    ///
    /// - returns: What is wrong; empty if nothing is.
    /// - throws: `JournalError`; `corrupt` if the journal cannot be read to its end.
    package func verify() throws(JournalError) -> [JournalFinding] {
        try read { db in
            let damage = try Self.damage(db)
            // A replay of damaged pages would prove nothing.
            guard damage.isEmpty else { return damage }
            let differences = try ProjectionTables.differences(db, from: Replay(db))
            return try Self.missingTriggers(db) + differences
        }
    }

    /// Discards all projections and computes them again from the journal, in one transaction.
    ///
    /// - throws: `JournalError`; then they are as they were.
    package func rebuild() throws(JournalError) {
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
