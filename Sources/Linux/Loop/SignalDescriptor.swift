import CLinux
import Glibc

/// Signals for a `poll(2)` loop: blocked for the process and read from a descriptor.
package final class SignalDescriptor {
    private let descriptor: Descriptor

    /// Blocks `signals` and opens a descriptor for them. Call it before any thread starts.
    ///
    /// The corresponding C functions are `sigprocmask(2)` and `signalfd(2)`.
    package init(_ signals: [CInt]) throws(SystemCallError) {
        // A program that ignores SIGCHLD may have started this one. The kernel would then send none, and keep no status.
        if signals.contains(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let blocked = set
        try systemCall("sigprocmask") { withUnsafePointer(to: blocked) { sigprocmask(SIG_BLOCK, $0, nil) } }
        descriptor = Descriptor(
            owning: try systemCall("signalfd") {
                withUnsafePointer(to: blocked) {
                    signalfd(-1, $0, CInt(SFD_NONBLOCK | SFD_CLOEXEC))
                }
            })
    }

    /// The descriptor to poll.
    package var number: CInt { descriptor.number }

    /// Stops this process with SIGTSTP's default action; returns once it is continued.
    ///
    /// Unlike SIGSTOP, SIGTSTP does nothing in an orphaned process group, which no shell could continue. Call this while
    /// SIGTSTP is blocked.
    package static func stopProcess() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        raise(SIGTSTP)
        sigprocmask(SIG_UNBLOCK, &set, nil)
        sigprocmask(SIG_BLOCK, &set, nil)
    }

    /// The next pending signal; `nil` where there is none.
    package func next() -> CInt? {
        var info = signalfd_siginfo()
        let size = MemoryLayout.size(ofValue: info)
        let count = withUnsafeMutableBytes(of: &info) { try? descriptor.read(into: $0) }
        return count == size ? CInt(info.ssi_signo) : nil
    }
}
