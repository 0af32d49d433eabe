import CounterModel
import Glibc
import System
import Transfer

/// What `counter listen --json` has told of the journal, and what comes next: every row once, in order, whoever appended
/// it. Only as much is read as is to be written next.
struct JournalFeed {
    /// How many rows are read at once.
    private static let page = 256

    private let session: CountingSession
    private let journalId: String
    private var position: Position
    /// Whether there may be rows that have not been told.
    var isBehind: Bool

    /// Tells the rows after a position; `nil` for those that are appended from now on.
    ///
    /// - Throws: `Failure`, 65 where the journal ends before the position: it is another one, or was set back.
    init(_ session: CountingSession, after position: Position?) throws(Failure) {
        do {
            let last = try session.lastPosition()
            if let position, position > last {
                throw Failure(
                    "--after \(position.number): the journal ends at \(last.number)",
                    remedy: "It is another journal, or an older state of it. To be told all of it: --after 0",
                    status: EX_DATAERR)
            }
            self.session = session
            self.position = position ?? last
            journalId = try session.journalId()
            isBehind = self.position < last
        } catch { throw Failure(error) }
    }

    /// The lines of the next rows; none where it has told all there are.
    ///
    /// - Throws: `JournalError`; the same rows come with the next call.
    mutating func next() throws -> [String] {
        guard isBehind else { return [] }
        let rows = try session.feed(after: position, limit: Self.page)
        position = rows.last?.id ?? position
        isBehind = rows.count == Self.page
        return rows.map { FeedLine.text($0, journalId: journalId) }
    }
}
