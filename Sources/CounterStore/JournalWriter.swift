package import CounterModel
import Glibc
package import Linux

/// How a running program changes its journal: it queues requests, and appends all that wait as one transaction.
///
/// Where a commit fails the requests keep waiting, and `retryAt` says when to commit again.
package final class JournalWriter {
    /// Which failed commits are retried without a further request.
    package enum Retries: Sendable {
        /// For counts that somebody watches: while another program has the journal locked. After another failure the next
        /// press retries.
        case whileLocked
        /// For lines that nobody sends again: after any failure.
        case always
    }

    private static let firstPause = Duration.milliseconds(50)
    /// The pause doubles from one retry to the next, up to this. After a lock it stays short: where several programs
    /// write, another of them soon has the next one.
    private static let longestPause = Duration.seconds(5)
    /// How long `finish` retries while another program has the journal locked.
    private static let lastTimeout = Duration.seconds(5)

    /// Where requests are queued.
    package let service: CounterService<SQLiteJournal>
    /// Why the last commit failed; nil once one has gone through.
    package private(set) var error: JournalError?
    /// When to commit again though nothing new waits; nil where no retry is due.
    package private(set) var retryAt: MonotonicTime?
    private let retries: Retries
    private var pause = firstPause

    /// A writer with nothing to write yet.
    package init(_ journal: SQLiteJournal, retries: Retries) {
        service = CounterService(repository: journal)
        self.retries = retries
    }

    /// Appends all waiting requests as one transaction.
    ///
    /// - parameter now: Our clock's time.
    /// - returns: Each request with its outcome, in order.
    /// - throws: `JournalError`; then all requests keep waiting.
    package func commit(at now: Timestamp) throws(JournalError) -> [Receipt] {
        retryAt = nil
        do throws(JournalError) {
            let receipts = try service.commit(receivedAt: now)
            (error, pause) = (nil, Self.firstPause)
            return receipts
        } catch {
            self.error = error
            if error.reason == .busy {
                retryAt = .now + Self.firstPause
            } else if retries == .always {
                retryAt = .now + pause
                pause = min(pause + pause, Self.longestPause)
            }
            throw error
        }
    }

    /// Commits what still waits at the end of the program. Only a journal that another program has locked is worth a retry.
    ///
    /// - parameters:
    ///     - noun: What a request is to the user: `change`, `line`.
    ///     - commit: Calls `commit`, and handles its result.
    /// - throws: `ProgramError` (74) where something could not be stored.
    package func finish(_ noun: String, commit: () -> Void) throws(ProgramError) {
        let end = MonotonicTime.now + Self.lastTimeout
        while service.waiting > 0 {
            commit()
            guard error?.reason == .busy, MonotonicTime.now < end else { break }
        }
        guard service.waiting > 0, let error else { return }
        let what = service.waiting == 1 ? "1 \(noun) is" : "\(service.waiting) \(noun)s are"
        throw ProgramError("\(what) not stored: \(error)", remedy: error.reason.remedy, status: EX_IOERR)
    }
}
