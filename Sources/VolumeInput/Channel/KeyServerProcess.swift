import CLinux
import Glibc
import System

/// A `counter-keys` that this program started, and the socket to it.
final class KeyServerProcess {
    let socket: PacketSocket
    private let executable: String
    /// Internal, so that tests can send it signals.
    let process: pid_t
    private var hasEnded = false

    /// Starts the executable in a session of its own, so that Ctrl-C and Ctrl-Z of the terminal are not for it.
    ///
    /// Its standard streams lead nowhere: the terminal belongs to the screens. The corresponding C function is
    /// `posix_spawn(3)`.
    ///
    /// - Throws: `SystemCallError`, `ENOENT` where there is no such executable.
    init(executable: String) throws(SystemCallError) {
        let (ours, theirs) = try PacketSocket.pair()
        socket = ours
        self.executable = executable
        process = try Self.spawn([executable, String(Self.inherited)], socket: theirs.number)
    }

    /// The socket's number in the new process: the first after the standard streams.
    private static let inherited: CInt = 3

    private static func spawn(_ arguments: [String], socket: CInt) throws(SystemCallError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        // dup2 of a number onto itself would leave O_CLOEXEC set; a socket made here is never below 4 anyway,
        // unless the program was started with standard streams closed.
        posix_spawn_file_actions_adddup2(&actions, socket, inherited)
        var attributes = sessionAttributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var process: pid_t = 0
        let result = withArguments(arguments) {
            posix_spawn(&process, arguments[0], &actions, &attributes, $0, environ)
        }
        if result != 0 { throw SystemCallError(call: "posix_spawn", subject: arguments[0], errno: result) }
        return process
    }

    /// A session of its own, no signal blocked, none ignored.
    private static func sessionAttributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | CInt(clinux_spawn_setsid)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return attributes
    }

    private static func withArguments<R>(
        _ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let pointers = arguments.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }

    /// Ends the process if it has not ended by itself, and learns how it ended.
    ///
    /// It is asked to, for it gives keys back that are down; one that has not ended after a second is killed.
    ///
    /// - Returns: in words: `exited with 70`, `was killed by signal 9`.
    func end() -> String {
        let status = Self.end(process)
        hasEnded = true
        // Whoever killed it: there may be no next one to restore the key maps that it left swapped.
        if status != 0 { repair() }
        let signal = status & 0x7F
        return signal == 0 ? "exited with \(status >> 8 & 0xFF)" : "was killed by signal \(signal)"
    }

    /// Has another process restore the key maps that a killed one left swapped, for 2 s at most: that is a slow
    /// machine's start, and what is left swapped then is the next start's.
    private func repair() {
        guard let helper = try? Self.spawn([executable, "repair"], socket: socket.number) else { return }
        _ = Self.ends(helper, within: .seconds(2))
        _ = Self.end(helper)
    }

    /// Asks a process to end if it has not ended by itself, and kills it where a second was not enough.
    ///
    /// - Returns: its status as `waitpid(2)` tells it.
    private static func end(_ process: pid_t) -> CInt {
        var status: CInt = 0
        if waitpid(process, &status, WNOHANG) == 0 {
            kill(process, SIGTERM)
            // A stopped process hears of it only when it goes on.
            kill(process, SIGCONT)
            if !ends(process, within: .seconds(1)) { kill(process, SIGKILL) }
            waitpid(process, &status, 0)
        }
        return status
    }

    private static func ends(_ process: pid_t, within patience: Duration) -> Bool {
        let number = clinux_pidfd_open(process)
        guard number >= 0 else { return false }
        let descriptor = Descriptor(owning: number)
        var polled = PollSet()
        polled.add(descriptor.number)
        try? polled.wait(until: .now + patience)
        return !polled.result(at: 0).isEmpty
    }

    deinit { if !hasEnded { _ = end() } }
}
