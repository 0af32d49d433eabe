import Glibc
package import Linux

/// Detects that another program has committed to the journal.
///
/// The kernel reports the write to the write-ahead log, but the commit becomes visible later: SQLite syncs the log and
/// then changes shared memory, which the kernel does not report. After a write of another program this type therefore
/// checks several times, at growing intervals, and then stops. At rest, and after a commit of this program, it does not
/// check.
package final class JournalFollower {
    /// How long after a write the slowest disk may take to sync it.
    private static let timeout = Duration.seconds(3)

    private let journal: SQLiteJournal
    private let watch: DirectoryWatch
    private var version: Int
    private var ownChanges: Int
    private var backoff = Backoff(from: .milliseconds(5), to: .milliseconds(250))
    private var lastWrite: MonotonicTime?
    /// Whether the kernel's report was read elsewhere.
    private var isTold = false
    /// When to check again without a report of the kernel; `nil` at rest.
    package private(set) var deadline: MonotonicTime?

    package init(_ journal: SQLiteJournal) throws {
        self.journal = journal
        // Readers do not modify a file.
        watch = try DirectoryWatch(journal.directory, mask: UInt32(IN_MODIFY | IN_CREATE))
        version = try journal.dataVersion()
        ownChanges = try journal.ownChanges()
    }

    /// The descriptor to poll: readable when any program, this one too, has written to the journal.
    package var number: CInt { watch.number }

    /// The descriptor was readable, and its owner has read it.
    package func wasRead() { isTold = true }

    package func hasChanged(at now: MonotonicTime) -> Bool {
        let isTold = !watch.drain().isEmpty || isTold
        self.isTold = false
        let isDue = deadline.map { now >= $0 } == true
        guard isTold || isDue else { return false }
        let mayFollow = isTold && mayOthersCommit()
        if mayFollow || isDue { plan(isTold: mayFollow, now) }
        guard let found = try? journal.dataVersion(), found != version else { return false }
        version = found
        return true
    }

    /// Whether a write before the last drain may lead to a commit that is not visible yet. This program's own writes
    /// never do: its commits are complete. Writes of others before or during them do only while another program still
    /// uses the journal. A program that has finished has committed, and the kernel reports later writes again.
    private func mayOthersCommit() -> Bool {
        guard let changes = try? journal.ownChanges(), changes != ownChanges else { return true }
        ownChanges = changes
        return (try? journal.isInUseElsewhere()) ?? true
    }

    private func plan(isTold: Bool, _ now: MonotonicTime) {
        if isTold {
            lastWrite = now
            backoff.reset()
        }
        let isOver = lastWrite.map { now - $0 > Self.timeout } ?? true
        deadline = isOver ? nil : now + backoff.next()
    }
}

/// What tells this connection's own commits from those of others.
extension SQLiteJournal {
    /// How many rows this connection has inserted, changed and removed since it was opened: it grows with the connection's own
    /// commits and with nothing else.
    package func ownChanges() throws(JournalError) -> Int { try access { $0.totalChanges } }

    /// Whether another process reads the journal or writes to it just now; true where SQLite cannot tell.
    func isInUseElsewhere() throws(JournalError) -> Bool { try access { $0.isInUseElsewhere } }
}
