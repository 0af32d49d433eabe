import Glibc

/// The descriptors and the results of one `poll(2)`.
///
/// The set is rebuilt for each wait: this program has few descriptors, and a rebuilt set is never out of date.
package struct PollSet {
    private var entries: [pollfd] = []

    /// Creates an empty set.
    package init() {}

    /// Removes all descriptors and keeps the memory.
    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor to poll for `events`, by default `POLLIN`. Errors and hang-ups are always reported.
    ///
    /// - Returns: the index for `result(at:)`.
    @discardableResult
    package mutating func add(_ number: CInt, _ events: CInt = CInt(POLLIN)) -> Int {
        entries.append(pollfd(fd: number, events: Int16(events), revents: 0))
        return entries.count - 1
    }

    /// Waits until a descriptor is ready, a signal arrives, or `deadline` is reached; without a deadline, without limit.
    ///
    /// The corresponding C function is `poll(2)`, whose unit is the millisecond: the wait is rounded up.
    package mutating func wait(until deadline: MonotonicTime? = nil) throws(SystemCallError) {
        let count = nfds_t(entries.count)
        while true {
            let ready = poll(&entries, count, Self.milliseconds(until: deadline))
            if ready >= 0 { return }
            if errno != EINTR { throw SystemCallError(call: "poll") }
        }
    }

    /// The result for the descriptor at an index.
    package func result(at index: Int) -> PollResult { PollResult(bits: entries[index].revents) }

    private static func milliseconds(until deadline: MonotonicTime?) -> CInt {
        guard let deadline else { return -1 }
        let left = (deadline - .now).microseconds
        return left <= 0 ? 0 : CInt(clamping: (left + 999) / 1000)
    }
}

/// The `revents` of one descriptor.
package struct PollResult: Sendable {
    /// The `POLL…` bits.
    package let bits: Int16

    /// Nothing happened.
    package var isEmpty: Bool { bits == 0 }
    /// There is something to read.
    package var isReadable: Bool { bits & Int16(POLLIN | POLLPRI) != 0 }
    /// The peer has hung up, the device is gone, or the descriptor is invalid.
    package var isGone: Bool { bits & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 }
}
