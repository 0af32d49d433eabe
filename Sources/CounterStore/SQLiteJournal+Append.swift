package import CounterModel

extension SQLiteJournal: JournalRepository {
    /// Appends requests in order, as one transaction that survives a power cut once this returns.
    ///
    /// - parameters:
    ///     - requests: The requests; one that is refused does not stop the others.
    ///     - receivedAt: The present time of this machine's clock.
    /// - returns: One answer per request, in the same order.
    /// - throws: `JournalError`; then nothing was appended, and the same call may succeed later (`diskFull`, `busy`).
    package func append(
        _ requests: [Request], receivedAt: Timestamp
    ) throws(JournalError) -> [Answer] {
        let last = lastAppend
        // A transaction that fails leaves what it knew half changed.
        lastAppend = nil
        let clock = clock()
        let (answers, start, transaction) = try write { db in
            let transaction = try AppendTransaction(
                db, receivedAt: receivedAt, after: last, timers: appendTimers)
            if requests.contains(where: { $0.origin == nil }) {
                try transaction.noteClock(clock, before: requests)
            }
            let answers = try requests.map(transaction.answer)
            let start = try prepared.map {
                try transaction.start($0, withFirstOf: requests, answers, clock)
            }
            try transaction.finish()
            return (answers, start, transaction)
        }
        lastAppend = transaction.remembered()
        appendTimers = transaction.timers
        switch start {
        case nil, .success(false): break
        case .success(true): prepared = nil
        case .failure(let refusal): (prepared, refusedStart) = (nil, refusal)
        }
        return answers
    }
}
