public import CounterModel

extension SQLiteJournal {
    /// Appends many requests, a group at a time; each group is one transaction.
    ///
    /// Requests whose `ImportLine` or sequence number is known already change nothing, so an import that was
    /// interrupted is finished by running it again.
    ///
    /// - parameters:
    ///     - requests: Read one group ahead, never all at once.
    ///     - receivedAt: Our clock's time.
    ///     - groupSize: How many requests make a transaction; 1 or more.
    ///     - refused: Called for each request that was refused, once its group is committed.
    /// - returns: How many were accepted, known already, refused.
    /// - throws: `JournalError`; the groups before are stored.
    public func `import`(
        _ requests: some Sequence<Request>, receivedAt: Timestamp, groupSize: Int = 10_000,
        refused: (Request, Refusal) -> Void = { _, _ in }
    ) throws(JournalError) -> ImportSummary {
        var summary = ImportSummary()
        var group: [Request] = []
        group.reserveCapacity(groupSize)
        for request in requests {
            group.append(request)
            if group.count >= groupSize {
                try appendGroup(&group, receivedAt: receivedAt, to: &summary, refused: refused)
            }
        }
        try appendGroup(&group, receivedAt: receivedAt, to: &summary, refused: refused)
        return summary
    }

    private func appendGroup(
        _ group: inout [Request], receivedAt: Timestamp, to summary: inout ImportSummary,
        refused: (Request, Refusal) -> Void
    ) throws(JournalError) {
        guard !group.isEmpty else { return }
        let answers = try append(group, receivedAt: receivedAt)
        for (request, answer) in zip(group, answers) {
            switch answer.outcome {
            case .accepted, .acceptedInNewEpoch, .undone: summary.accepted += 1
            case .duplicate, .nothingToUndo, .nothingToVoid: summary.duplicate += 1
            case .refused(let refusal):
                summary.refused += 1
                refused(request, refusal)
            }
        }
        group.removeAll(keepingCapacity: true)
    }
}

/// What became of an import.
public struct ImportSummary: Hashable, Sendable {
    /// How many stand in the journal by it.
    public internal(set) var accepted = 0
    /// How many had no effect, because they stood there already.
    public internal(set) var duplicate = 0
    /// How many were refused.
    public internal(set) var refused = 0
}
