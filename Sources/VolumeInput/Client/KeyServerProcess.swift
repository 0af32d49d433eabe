import Glibc
import Linux

/// A `counter-keys` process that this program started, and the socket connected to it.
final class KeyServerProcess {
    let socket: PacketSocket
    private let executable: String
    private let process: DetachedProcess
    private var hasEnded = false

    /// Throws `ENOENT` where the executable does not exist.
    init(executable: String) throws(SystemCallError) {
        let (ours, theirs) = try PacketSocket.pair()
        socket = ours
        self.executable = executable
        process = try DetachedProcess(
            [executable, String(DetachedProcess.passedDescriptor)], passing: theirs.number)
    }

    deinit { if !hasEnded { _ = end() } }

    var id: Int32 { process.id }

    /// Ends the process if it is still running, and returns how it ended: `exited with 70`, `was killed by signal 9`.
    /// It has a second to release keys that are down.
    func end() -> String {
        let status = process.end(within: .seconds(1))
        hasEnded = true
        // No later server may start to restore the key maps that a killed process left remapped.
        if status != 0 { repair() }
        let signal = status & 0x7F
        return signal == 0 ? "exited with \(status >> 8 & 0xFF)" : "was killed by signal \(signal)"
    }

    /// Starts a process that restores the key maps left remapped by a killed one, and waits 2 s at most, which suffices
    /// on a slow machine. The next server that starts restores any that remain.
    private func repair() {
        guard let helper = try? DetachedProcess([executable, "repair"]) else { return }
        _ = helper.ends(within: .seconds(2))
        helper.end(within: .seconds(1))
    }
}
