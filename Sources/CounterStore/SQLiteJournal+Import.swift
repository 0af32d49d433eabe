public import CounterModel

extension SQLiteJournal {
    /// Appends many requests, a group at a time; each group is one transaction.
    ///
    /// Requests whose `ImportLine` or sequence number is known already change nothing, so an import that was
    /// interrupted is finished by running it again.
    ///
    /// - parameters:
    ///     - requests: Read one group at a time, never all at once.
    ///     - receivedAt: The present time of this machine's clock.
    ///     - groupSize: How many requests make a transaction; 1 or more.
    ///     - stored: Called after each commit, with the outcome of each request of the group.
    /// - returns: How many requests had which outcome.
    /// - throws: `JournalError`; earlier groups stay committed.
    public func `import`(
        _ requests: some Sequence<Request>, receivedAt: Timestamp, groupSize: Int = 10_000,
        stored: ([Receipt]) -> Void = { _ in }
    ) throws(JournalError) -> ImportSummary {
        var summary = ImportSummary()
        var group: [Request] = []
        group.reserveCapacity(groupSize)
        for request in requests {
            group.append(request)
            if group.count >= groupSize {
                try appendGroup(&group, receivedAt: receivedAt, to: &summary, stored: stored)
            }
        }
        try appendGroup(&group, receivedAt: receivedAt, to: &summary, stored: stored)
        return summary
    }

    private func appendGroup(
        _ group: inout [Request], receivedAt: Timestamp, to summary: inout ImportSummary,
        stored: ([Receipt]) -> Void
    ) throws(JournalError) {
        guard !group.isEmpty else { return }
        let answers = try append(group, receivedAt: receivedAt)
        for answer in answers { summary.note(answer.outcome) }
        stored(zip(group, answers).map { Receipt(request: $0, answer: $1) })
        group.removeAll(keepingCapacity: true)
    }
}

/// The outcomes of an import; each request is counted once.
public struct ImportSummary: Hashable, Sendable {
    /// How many were appended.
    public private(set) var accepted = 0
    /// How many were in the journal already.
    public private(set) var duplicate = 0
    /// How many were appended although another event has their number: each opens a new epoch.
    public private(set) var conflict = 0
    /// How many were refused.
    public private(set) var refused = 0

    mutating func note(_ outcome: Outcome) {
        switch outcome {
        case .accepted, .corrected, .undone: accepted += 1
        case .acceptedInNewEpoch: conflict += 1
        case .duplicate, .nothingToUndo, .nothingToVoid: duplicate += 1
        case .refused: refused += 1
        }
    }
}
