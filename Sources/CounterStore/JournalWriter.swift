package import CounterModel
import Glibc
package import Linux

/// How a running program changes its journal: queues requests in order, and appends all that wait as one transaction.
///
/// For one thread. Where a commit fails, no request is lost: the queue keeps its order, and `retryAt` says when to commit again.
package final class JournalWriter {
    /// Which failed commits are retried without a further request.
    package enum Retries: Sendable {
        /// For counts that somebody watches: while another program has the journal locked. After another failure the next
        /// press retries.
        case whileLocked
        /// For lines that nobody sends again: after any failure.
        case always
    }

    /// A request that is not stored yet, with the token by which a count can be taken back.
    private struct Queued {
        var request: Request
        let token: UInt64?

        /// The count that it makes; nil for other requests.
        var entry: Entry? {
            get { if case .entry(let entry) = request.row.content { entry } else { nil } }
            set { if let newValue { request.row.content = .entry(newValue) } }
        }
    }

    /// How long `finish` retries while another program has the journal locked.
    private static let lastTimeout = Duration.seconds(5)

    private let journal: SQLiteJournal
    private let retries: Retries
    private var queue: [Queued] = []
    /// The last counts, which can be taken back by their tokens. The oldest go once there are twice `recentCapacity`.
    private var stored: [(token: UInt64, rows: ClosedRange<Position>, location: Identifier)] = []
    /// The devices whose hold goes on, though the count that began it was dropped.
    private var headless: Set<Identifier> = []
    /// After a lock the pause stays short: where several programs write, another of them soon has the next one.
    private var backoff = Backoff(from: .milliseconds(50), to: .seconds(5))
    package private(set) var own = OwnRows()
    /// Why the last commit failed; nil once one has gone through.
    package private(set) var error: JournalError?
    /// When to commit again though nothing new waits; nil where no retry is due.
    package private(set) var retryAt: MonotonicTime?

    package init(_ journal: SQLiteJournal, retries: Retries = .whileLocked) {
        (self.journal, self.retries) = (journal, retries)
    }

    package var waiting: Int { queue.count }
}

// MARK: - Queueing

extension JournalWriter {
    /// Queues a request. `token` is what `takeBack` accepts for a count, unique among all devices.
    package func add(_ request: Request, token: UInt64? = nil) {
        var queued = Queued(request: request, token: token)
        if !headless.isEmpty, let entry = queued.entry, headless.remove(entry.deviceId) != nil {
            queued.entry?.continuesHold = false
        }
        queue.append(queued)
    }

    /// Takes counts back by the tokens that were passed to `add`: one in the queue is dropped, for a stored one a void is queued.
    /// A token that is unknown, or older than the last stored counts (4096 or more), has no effect.
    package func takeBack(tokens: some Sequence<UInt64>, timestamp: Timestamp) {
        for token in tokens {
            if let index = queue.lastIndex(where: { $0.token == token }) {
                drop(at: index)
            } else if let index = stored.lastIndex(where: { $0.token == token }) {
                let (_, rows, location) = stored.remove(at: index)
                let isOne = rows.lowerBound == rows.upperBound
                add(
                    Request(
                        locationId: location, timestamp: timestamp,
                        isOne ? .void(rows.lowerBound) : .voidByWork, isOne ? .append : .voidPress(rows)))
            }
        }
    }

    /// Drops a count from the queue. Where it began a hold, the next repeat begins the hold instead; otherwise that repeat
    /// would continue an earlier hold of the same device.
    private func drop(at index: Int) {
        guard let dropped = queue.remove(at: index).entry, !dropped.continuesHold else { return }
        if let next = queue[index...].firstIndex(where: { $0.entry?.deviceId == dropped.deviceId }) {
            queue[next].entry?.continuesHold = false
        } else {
            headless.insert(dropped.deviceId)
        }
    }
}

// MARK: - Storing

extension JournalWriter {
    /// Appends all waiting requests as one transaction. Returns each with its outcome, in order. Throws `JournalError`; then all keep
    /// waiting.
    @discardableResult
    package func commit(at now: Timestamp) throws(JournalError) -> [Receipt] {
        retryAt = nil
        do throws(JournalError) {
            let receipts = queue.isEmpty ? [] : try append(queue.map(\.request), at: now)
            for (queued, receipt) in zip(queue, receipts) {
                guard let token = queued.token, let rows = receipt.rows,
                    let location = receipt.request.row.locationId
                else { continue }
                stored.append((token, Position(rows.lowerBound)...Position(rows.upperBound), location))
            }
            // Many at once: removing the first element of an array moves all the others.
            if stored.count > 2 * recentCapacity { stored.removeFirst(stored.count - recentCapacity) }
            queue.removeAll(keepingCapacity: queue.count <= recentCapacity)
            error = nil
            backoff.reset()
            return receipts
        } catch {
            self.error = error
            if error.reason == .busy {
                retryAt = .now + backoff.shortest
            } else if retries == .always {
                retryAt = .now + backoff.next()
            }
            throw error
        }
    }

    /// Drops all that waits after a commit has failed: none of it is stored.
    package func abandon() {
        queue.removeAll()
        retryAt = nil
    }

    /// Appends requests by hand at once, as one transaction, before all that is queued. Throws `JournalError`; then nothing was
    /// stored.
    package func append(_ requests: [Request], at now: Timestamp) throws(JournalError) -> [Receipt] {
        let receipts = try journal.append(requests, receivedAt: now)
        for receipt in receipts { receipt.rows.map { own.add($0) } }
        return receipts
    }

    /// Commits what still waits at the end of the program. Only a journal that another program has locked is worth a retry.
    /// `noun` is what a request is to the user: `change`, `line`; `commit` calls `commit` and handles its result. Throws
    /// `ProgramError` (74) where something could not be stored.
    package func finish(_ noun: String, commit: () -> Void) throws(ProgramError) {
        let end = MonotonicTime.now + Self.lastTimeout
        while waiting > 0 {
            commit()
            guard error?.reason == .busy, MonotonicTime.now < end else { break }
        }
        guard waiting > 0, let error else { return }
        let what = waiting == 1 ? "1 \(noun) is" : "\(waiting) \(noun)s are"
        throw ProgramError("\(what) not stored: \(error)", remedy: error.reason.remedy, status: EX_IOERR)
    }
}

/// Enough for the longest hold at the shortest repeat interval (30 s at 10 ms) on several devices. A gesture takes back counts of
/// one hold at most.
private let recentCapacity = 4096

// MARK: - Devices

/// Turns the events of devices into requests, whatever the transport: volume keys, lines on a pipe or a socket. It knows the
/// location of each device and which devices are disabled.
package final class DeviceIngestionService {
    private let writer: JournalWriter
    /// The id of the location for devices that are not assigned to one.
    package var ownLocation: Identifier
    private var devices: [Identifier: Device] = [:]

    package init(_ writer: JournalWriter, location: Identifier) {
        self.writer = writer
        ownLocation = location
    }

    package func update(devices: [Device]) { self.devices = Dictionary(devices.map { ($0.id, $0) }) { $1 } }

    /// The id of the location that a device counts into, where its events name none.
    package func location(of deviceId: Identifier) -> Identifier {
        assignedLocation(of: deviceId) ?? ownLocation
    }

    /// nil where it is assigned to none.
    package func assignedLocation(of deviceId: Identifier) -> Identifier? { devices[deviceId]?.locationId }

    /// Whether a device's events count. Those of an unknown device do.
    package func isActive(_ deviceId: Identifier) -> Bool { devices[deviceId]?.isActive ?? true }

    /// Queues an event, or several that are one change, at a location or where its device counts. Returns false where the
    /// device is disabled; then nothing is queued.
    @discardableResult
    package func receive(
        _ entry: Entry, times: Int = 1, location: Identifier? = nil, timestamp: Timestamp,
        order: Request.Order = .now, token: UInt64? = nil
    ) -> Bool {
        guard isActive(entry.deviceId) else { return false }
        let request = Request(
            locationId: location ?? self.location(of: entry.deviceId), timestamp: timestamp, .entry(entry),
            .count(times), order: order)
        writer.add(request, token: token)
        return true
    }
}
