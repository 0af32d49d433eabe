public import Glibc

/// What to wait for, and what came, in one `poll(2)`.
///
/// Built anew for each wait: the descriptors of this program are few, and a list that is rebuilt cannot go stale.
public struct PollSet {
    private var entries: [pollfd] = []

    /// An empty set.
    public init() {}

    /// Forgets all descriptors and keeps the memory.
    public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor to be watched for `events`, readable by default. Errors and hang-ups are always reported.
    ///
    /// - Returns: the place under which `result(at:)` answers for it.
    @discardableResult
    public mutating func add(_ number: CInt, _ events: CInt = CInt(POLLIN)) -> Int {
        entries.append(pollfd(fd: number, events: Int16(events), revents: 0))
        return entries.count - 1
    }

    /// Waits until something is ready, a signal arrives, or `deadline` has come; without a deadline, for ever.
    ///
    /// The corresponding C function is `poll(2)`, whose unit is the millisecond: a deadline is rounded up to it.
    public mutating func wait(until deadline: MonotonicTime? = nil) throws(SystemCallError) {
        let count = nfds_t(entries.count)
        while true {
            let ready = poll(&entries, count, Self.milliseconds(until: deadline))
            if ready >= 0 { return }
            if errno != EINTR { throw SystemCallError(call: "poll") }
        }
    }

    /// What came for the descriptor at `place`.
    public func result(at place: Int) -> PollResult { PollResult(bits: entries[place].revents) }

    private static func milliseconds(until deadline: MonotonicTime?) -> CInt {
        guard let deadline else { return -1 }
        let left = (deadline - .now).microseconds
        return left <= 0 ? 0 : CInt(clamping: (left + 999) / 1000)
    }
}

/// The `revents` of one descriptor.
public struct PollResult: Sendable {
    let bits: Int16

    /// Nothing happened.
    public var isEmpty: Bool { bits == 0 }
    /// There is something to read.
    public var isReadable: Bool { bits & Int16(POLLIN | POLLPRI) != 0 }
    /// The other end or the device is gone, or the descriptor is unusable.
    public var isGone: Bool { bits & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 }
}
