public import CounterModel

extension SQLiteJournal: JournalRepository {
    /// Appends requests in order, as one transaction that survives a power cut once this returns.
    ///
    /// - parameters:
    ///     - requests: The requests; one that is refused does not stop the others.
    ///     - receivedAt: The present time of this machine's clock.
    /// - returns: One answer per request, in the same order.
    /// - throws: `JournalError`; then nothing was appended, and the same call may succeed later (`diskFull`, `busy`).
    public func append(
        _ requests: [Request], receivedAt: Timestamp
    ) throws(JournalError) -> [Answer] {
        let last = lastAppend
        // A transaction that fails leaves what it knew half changed.
        lastAppend = nil
        let (answers, transaction) = try write { db in
            let transaction = try AppendTransaction(db, receivedAt: receivedAt, after: last)
            let answers = try requests.map(transaction.answer)
            try transaction.finish()
            return (answers, transaction)
        }
        lastAppend = transaction.remembered()
        return answers
    }
}
