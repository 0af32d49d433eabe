import CLinux
import Glibc
import Linux

/// A `counter-keys` process that this program started, and the socket connected to it.
final class KeyServerProcess {
    let socket: PacketSocket
    private let executable: String
    /// Not private, so that tests can send signals to it.
    let process: pid_t
    private var hasEnded = false

    /// Throws `ENOENT` where the executable does not exist.
    init(executable: String) throws(SystemCallError) {
        let (ours, theirs) = try PacketSocket.pair()
        socket = ours
        self.executable = executable
        process = try DetachedProcess.start(
            [executable, String(DetachedProcess.passedDescriptor)], passing: theirs.number)
    }

    /// Ends the process if it is still running, and returns how it ended: `exited with 70`, `was killed by signal 9`.
    ///
    /// The process gets SIGTERM first, so that it can release keys that are down; after a second it is killed.
    func end() -> String {
        let status = Self.end(process)
        hasEnded = true
        // No later server may start to restore the key maps that a killed process left remapped.
        if status != 0 { repair() }
        let signal = status & 0x7F
        return signal == 0 ? "exited with \(status >> 8 & 0xFF)" : "was killed by signal \(signal)"
    }

    /// Starts a process that restores the key maps left remapped by a killed one, and waits 2 s at most, which suffices on a
    /// slow machine. The next server that starts restores any that remain.
    private func repair() {
        guard let helper = try? DetachedProcess.start([executable, "repair"]) else { return }
        _ = Self.ends(helper, within: .seconds(2))
        _ = Self.end(helper)
    }

    /// Sends SIGTERM to a process if it is still running, and SIGKILL after a second. Returns its status, as of
    /// `waitpid(2)`.
    private static func end(_ process: pid_t) -> CInt {
        var status: CInt = 0
        if waitpid(process, &status, WNOHANG) == 0 {
            kill(process, SIGTERM)
            // A stopped process receives SIGTERM only after SIGCONT.
            kill(process, SIGCONT)
            if !ends(process, within: .seconds(1)) { kill(process, SIGKILL) }
            waitpid(process, &status, 0)
        }
        return status
    }

    private static func ends(_ process: pid_t, within timeout: Duration) -> Bool {
        let number = clinux_pidfd_open(process)
        guard number >= 0 else { return false }
        let descriptor = Descriptor(owning: number)
        var polled = PollSet()
        polled.add(descriptor.number)
        try? polled.wait(until: .now + timeout)
        return !polled.result(at: 0).isEmpty
    }

    deinit { if !hasEnded { _ = end() } }
}
