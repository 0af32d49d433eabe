import CLinux
import Glibc

/// The descriptors and the results of one `poll(2)`.
///
/// The set is rebuilt for each wait: this program has few descriptors, and a rebuilt set is never out of date.
package struct PollSet {
    private var entries: [pollfd] = []

    package init() {}

    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor; errors and hang-ups are always reported. Returns the index for `result(at:)`.
    @discardableResult
    package mutating func add(_ number: CInt, _ events: CInt = CInt(POLLIN)) -> Int {
        entries.append(pollfd(fd: number, events: Int16(events), revents: 0))
        return entries.count - 1
    }

    /// Waits for a descriptor, a signal or `deadline`. `poll(2)` counts milliseconds: the wait is rounded up.
    package mutating func wait(until deadline: MonotonicTime? = nil) throws(SystemCallError) {
        let count = nfds_t(entries.count)
        try systemCall("poll") { poll(&entries, count, Self.milliseconds(until: deadline)) }
    }

    package func isReady(_ number: CInt) -> Bool { entries.contains { $0.fd == number && $0.revents != 0 } }

    package func result(at index: Int) -> PollResult { PollResult(bits: entries[index].revents) }

    /// What is reported of one descriptor up to a time; empty where nothing is.
    package static func result(
        of number: CInt, _ events: CInt = CInt(POLLIN), until deadline: MonotonicTime
    ) throws(SystemCallError) -> PollResult {
        var polled = PollSet()
        polled.add(number, events)
        try polled.wait(until: deadline)
        return polled.result(at: 0)
    }

    private static func milliseconds(until deadline: MonotonicTime?) -> CInt {
        guard let deadline else { return -1 }
        let left = (deadline - .now).microseconds
        return left <= 0 ? 0 : CInt(clamping: (left + 999) / 1000)
    }
}

package struct PollResult: Sendable {
    package let bits: Int16

    package var isEmpty: Bool { bits == 0 }
    package var isReadable: Bool { bits & Int16(POLLIN | POLLPRI) != 0 }
    /// The peer has hung up, the device is gone, or the descriptor is invalid.
    package var isGone: Bool { bits & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 }
}

/// Signals for a `poll(2)` loop: blocked for the process and read from a descriptor.
package final class SignalDescriptor {
    private let descriptor: Descriptor

    /// Blocks `signals` and opens a `signalfd(2)` for them. Call it before any thread starts.
    package init(_ signals: [CInt]) throws(SystemCallError) {
        // A program that ignores SIGCHLD may have started this one. The kernel would then send none, and keep no status.
        if signals.contains(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let blocked = set
        try systemCall("sigprocmask") { withUnsafePointer(to: blocked) { sigprocmask(SIG_BLOCK, $0, nil) } }
        descriptor = try Descriptor(from: "signalfd") {
            withUnsafePointer(to: blocked) { signalfd(-1, $0, CInt(SFD_NONBLOCK | SFD_CLOEXEC)) }
        }
    }

    package var number: CInt { descriptor.number }

    /// Stops this process with SIGTSTP's default action; returns once it is continued.
    ///
    /// SIGSTOP would also stop an orphaned process group, which no shell could continue. SIGTSTP has to be blocked.
    package static func stopProcess() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        raise(SIGTSTP)
        sigprocmask(SIG_UNBLOCK, &set, nil)
        sigprocmask(SIG_BLOCK, &set, nil)
    }

    package func next() -> CInt? {
        var info = signalfd_siginfo()
        let size = MemoryLayout.size(ofValue: info)
        let count = withUnsafeMutableBytes(of: &info) { try? descriptor.read(into: $0) }
        return count == size ? CInt(info.ssi_signo) : nil
    }
}
