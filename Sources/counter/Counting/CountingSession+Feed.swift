import CounterModel
import CounterStore

/// The journal row by row, for the feed.
extension CountingSession {
    /// The id by which other journals know this one.
    func journalId() throws(JournalError) -> String { try journal.id() }

    /// The position of the journal's last row.
    func lastPosition() throws(JournalError) -> Position { try journal.lastPosition() }

    /// The rows after a position.
    func feed(after position: Position, limit: Int) throws(JournalError) -> [FeedRow] {
        try journal.feed(after: position, limit: limit)
    }
}
