import CounterStore
import Glibc
import System

/// Learns when another program has committed to the journal.
///
/// The kernel tells of the write to the write-ahead log, but a commit can be seen only later: SQLite syncs the log, and
/// then changes shared memory, of which nothing is told. So a write of another program is followed by looks that grow
/// apart, which end; at rest there are none, and a commit of our own is followed by none.
final class JournalFollower {
    private static let firstPause = Duration.milliseconds(5)
    private static let longestPause = Duration.milliseconds(250)
    /// How long after a write the slowest disk may take to sync it.
    private static let patience = Duration.seconds(3)

    private let journal: SQLiteJournal
    private let watch: DirectoryWatch
    private var version: Int
    private var ownChanges: Int
    private var pause = firstPause
    private var lastWrite: MonotonicTime?
    /// When to look again though nothing was told; `nil` at rest.
    private(set) var deadline: MonotonicTime?

    /// Follows a journal from its present state on.
    ///
    /// - Throws: `JournalError` or `SystemCallError`
    init(_ journal: SQLiteJournal, directory: String) throws {
        self.journal = journal
        // Readers modify nothing.
        watch = try DirectoryWatch(directory, mask: UInt32(IN_MODIFY | IN_CREATE))
        version = try journal.dataVersion()
        ownChanges = try journal.ownChanges()
    }

    /// Becomes readable when anybody has written to the journal, this program too.
    var number: CInt { watch.number }

    /// Looks whether another program has committed since the last look.
    func hasChanged(at now: MonotonicTime) -> Bool {
        let isTold = !watch.drain().isEmpty
        let isDue = deadline.map { now >= $0 } == true
        guard isTold || isDue else { return false }
        let mayFollow = isTold && mayOthersCommit()
        if mayFollow || isDue { plan(isTold: mayFollow, now) }
        guard let found = try? journal.dataVersion(), found != version else { return false }
        version = found
        return true
    }

    /// Whether a commit may come of what was written before the last drain, and not be there yet. Of our own writes none
    /// does. Nor does one of what others wrote before or beside them, unless somebody is still at it: who had finished has
    /// committed, and of who begins later the kernel tells again.
    private func mayOthersCommit() -> Bool {
        guard let changes = try? journal.ownChanges(), changes != ownChanges else { return true }
        ownChanges = changes
        return (try? journal.isInUseElsewhere()) ?? true
    }

    private func plan(isTold: Bool, _ now: MonotonicTime) {
        if isTold {
            lastWrite = now
            pause = Self.firstPause
        } else {
            pause = min(pause + pause, Self.longestPause)
        }
        let isOver = lastWrite.map { now - $0 > Self.patience } ?? true
        deadline = isOver ? nil : now + pause
    }
}
