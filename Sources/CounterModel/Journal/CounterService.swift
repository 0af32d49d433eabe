package import Linux

/// Turns intents into rows of the journal: queues requests in order and appends them as one transaction.
///
/// For one thread. Where an append fails, no request is lost: the queue keeps its order and the next `commit` tries again.
package final class CounterService<Repository: JournalRepository> {
    private let repository: Repository
    private var queue: [QueuedRequest] = []
    private var stored = RecentCounts(capacity: recentCapacity)
    private var headless: Set<Identifier> = []
    /// The rows that this service has appended.
    package private(set) var own = OwnRows()

    /// Creates a service with an empty queue.
    package init(repository: Repository) {
        self.repository = repository
    }

    /// The number of requests that are not stored yet.
    package var waiting: Int { queue.count }

    /// Queues one count, or several that are one change.
    ///
    /// - parameters:
    ///     - type: In or out.
    ///     - times: How many entries it makes: all of them, or none; 1 or more.
    ///     - device: The id of the device that reported it.
    ///     - location: The id of the location it counts into.
    ///     - user: Who did it; nil where a device did.
    ///     - timestamp: When it happened.
    ///     - source: Hardware or manual.
    ///     - token: The token that `takeBack` accepts for it; unique among all devices. nil where it cannot be taken back.
    ///     - continuesHold: Whether it repeats the same hold as this device's count before it.
    ///     - sequenceNumber: The device's own number for it.
    ///     - reason: Why it is counted by hand.
    package func count(
        _ type: EntryType, times: Int = 1, device: Identifier, location: Identifier, user: String? = nil,
        timestamp: Timestamp,
        source: EventSource, token: UInt64? = nil, continuesHold: Bool = false, sequenceNumber: Int? = nil,
        reason: String? = nil
    ) {
        let isHeadless = headless.remove(device) != nil
        let entry = NewEntry(
            type: type, deviceId: device, source: source, sequenceNumber: sequenceNumber,
            continuesHold: continuesHold && !isHeadless, reason: reason)
        enqueue(
            times == 1 ? .entry(entry) : .entries(entry, count: times), location: location, user: user,
            timestamp: timestamp, token: token)
    }

    /// Queues a correction.
    package func correct(
        _ correction: NewCorrection, location: Identifier, user: String, timestamp: Timestamp
    ) {
        enqueue(.correction(correction), location: location, user: user, timestamp: timestamp)
    }

    /// Queues the void of one row that a user has chosen.
    package func takeBack(_ position: Position, location: Identifier, user: String, timestamp: Timestamp) {
        enqueue(.void(position), location: location, user: user, timestamp: timestamp)
    }

    /// Takes counts back. A count in the queue is dropped; for a stored count, a void is queued.
    ///
    /// A token that is unknown, or older than the last 4096 stored counts, has no effect.
    ///
    /// - parameters:
    ///     - tokens: The tokens that were passed to `count`.
    ///     - timestamp: When they are taken back.
    package func takeBack(tokens: some Sequence<UInt64>, timestamp: Timestamp) {
        for token in tokens {
            if let index = queue.lastIndex(where: { $0.token == token }) {
                drop(at: index)
            } else if let count = stored.remove(token) {
                enqueue(
                    count.isOne ? .void(count.positions.lowerBound) : .voidPress(count.positions),
                    location: count.locationId, user: nil, timestamp: timestamp)
            }
        }
    }

    /// Queues a reset.
    ///
    /// - parameters:
    ///     - value: The level from then on.
    ///     - location: The id of the location.
    ///     - device: The device whose keys asked for it, if one did.
    ///     - user: Who did it; nil where a device did.
    ///     - timestamp: When it happened.
    package func reset(
        to value: Int = 0, location: Identifier, device: Identifier? = nil, user: String? = nil,
        timestamp: Timestamp
    ) {
        let reset = NewReset(to: value, deviceId: device)
        enqueue(.reset(reset), location: location, user: user, timestamp: timestamp)
    }

    /// Queues an undo. It applies to the location's last change within the scope that is not void when the undo is stored.
    ///
    /// - parameters:
    ///     - scope: Which changes are meant; its `userId` asks.
    ///     - location: The id of the location.
    ///     - timestamp: When.
    package func undo(_ scope: UndoScope, location: Identifier, timestamp: Timestamp) {
        enqueue(.undo(scope), location: location, user: scope.userId, timestamp: timestamp)
    }

    /// Queues a row taken over from another journal.
    func take(_ row: Request) { queue.append(QueuedRequest(request: row, token: nil)) }

    /// Appends all queued requests as one transaction.
    ///
    /// - parameter receivedAt: Our clock's time.
    /// - returns: Each request with its outcome, in order; empty where the queue was empty.
    /// - throws: The repository's error; then nothing was stored and the queue is unchanged.
    @discardableResult
    package func commit(receivedAt: Timestamp) throws(Repository.Failure) -> [Receipt] {
        guard !queue.isEmpty else { return [] }
        let answers = try repository.append(queue.map(\.request), receivedAt: receivedAt)
        precondition(answers.count == queue.count, "a repository answers each request once")
        let receipts = zip(queue, answers).map { Receipt(request: $0.request, answer: $1) }
        for (queued, receipt) in zip(queue, receipts) { remember(queued, receipt) }
        noteOwn(receipts)
        queue.removeAll(keepingCapacity: queue.count <= recentCapacity)
        return receipts
    }

    /// Appends requests by hand at once, as one transaction, before all that is queued.
    ///
    /// - parameters:
    ///     - requests: The requests.
    ///     - receivedAt: Our clock's time.
    /// - returns: Each request with its outcome, in order.
    /// - throws: The repository's error; then nothing was stored.
    package func append(_ requests: [Request], receivedAt: Timestamp) throws(Repository.Failure) -> [Receipt]
    {
        let answers = try repository.append(requests, receivedAt: receivedAt)
        let receipts = zip(requests, answers).map { Receipt(request: $0, answer: $1) }
        noteOwn(receipts)
        return receipts
    }

    private func noteOwn(_ receipts: [Receipt]) {
        for receipt in receipts {
            if let rows = receipt.rows { own.add(rows) }
        }
    }

    /// The stored state of a location, without queued requests.
    ///
    /// - returns: nil where there is no such location.
    /// - throws: The repository's error.
    package func state(of locationId: Identifier) throws(Repository.Failure) -> CounterState? {
        try repository.state(of: locationId)
    }

    private func enqueue(
        _ change: Change, location: Identifier, user: String?, timestamp: Timestamp, token: UInt64? = nil
    ) {
        let request = Request(locationId: location, userId: user, timestamp: timestamp, change: change)
        queue.append(QueuedRequest(request: request, token: token))
    }

    /// Drops a count from the queue. Where it began a hold, the next repeat begins the hold instead; otherwise that repeat
    /// would continue an earlier hold of the same device.
    private func drop(at index: Int) {
        guard let dropped = queue.remove(at: index).entry, !dropped.continuesHold else { return }
        guard let next = queue[index...].firstIndex(where: { $0.deviceId == dropped.deviceId }) else {
            headless.insert(dropped.deviceId)
            return
        }
        queue[next].beginHold()
    }

    private func remember(_ queued: QueuedRequest, _ receipt: Receipt) {
        guard let token = queued.token, let rows = receipt.rows else { return }
        let positions = Position(rows.lowerBound)...Position(rows.upperBound)
        stored.insert(
            RecentCounts.Count(positions: positions, locationId: queued.request.locationId), for: token)
    }
}

/// Enough for the longest hold at the shortest repeat interval (30 s at 10 ms) on several devices.
private let recentCapacity = 4096
