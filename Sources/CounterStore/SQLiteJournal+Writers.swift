/// What tells this connection's own commits from those of others.
extension SQLiteJournal {
    /// How many rows this connection has inserted, changed and removed since it was opened: it grows with the connection's own
    /// commits and with nothing else.
    ///
    /// - throws: `JournalError`
    public func ownChanges() throws(JournalError) -> Int { try access { $0.totalChanges } }

    /// Whether another process reads the journal or writes to it just now; true where SQLite cannot tell.
    ///
    /// - throws: `JournalError`
    public func isInUseElsewhere() throws(JournalError) -> Bool { try access { $0.isInUseElsewhere } }
}
