package import CounterModel
package import CounterStore
import Glibc
import Linux

/// Reads the journal for `counter listen --json`: every row once, in order, whichever program appended it. It reads only
/// as much as is written next.
package struct JournalFeed {
    /// How many rows one read returns.
    private static let page = 256

    private let journal: SQLiteJournal
    private let journalId: String
    private var position: Position
    /// Whether there may be rows that have not been emitted.
    package var isBehind: Bool

    /// Starts after a position; where that is `nil`, at the journal's present end.
    ///
    /// - Throws: `ProgramError` (65) where the journal ends before the position: it is another journal, or an older state of
    ///   it.
    package init(_ journal: SQLiteJournal, after position: Position?) throws {
        let last = try journal.lastPosition()
        if let position, position > last {
            throw ProgramError(
                "--after \(position.number): the journal ends at \(last.number)",
                remedy: "It is another journal, or an older state of it. For all rows: --after 0",
                status: EX_DATAERR)
        }
        self.journal = journal
        self.position = position ?? last
        journalId = try journal.id()
        isBehind = self.position < last
    }

    /// The lines of the next rows; empty where all rows have been emitted.
    ///
    /// - Throws: `JournalError`; the next call returns the same rows.
    package mutating func next() throws(JournalError) -> [String] {
        guard isBehind else { return [] }
        let rows = try journal.feed(after: position, limit: Self.page)
        position = rows.last?.row.id ?? position
        isBehind = rows.count == Self.page
        return rows.map { FeedLine.text($0, journalId: journalId) }
    }
}
