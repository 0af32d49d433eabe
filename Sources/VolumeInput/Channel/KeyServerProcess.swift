import CLinux
import Descriptors
import Glibc

/// A `counter-keys` that this program started, and the socket to it.
final class KeyServerProcess {
    let socket: PacketSocket
    private let process: pid_t
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
        process = try Self.spawn(executable, socket: theirs.number)
    }

    /// The socket's number in the new process: the first after the standard streams.
    private static let inherited: CInt = 3

    private static func spawn(_ executable: String, socket: CInt) throws(SystemCallError) -> pid_t {
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
        let result = withArguments([executable, String(inherited)]) {
            posix_spawn(&process, executable, &actions, &attributes, $0, environ)
        }
        if result != 0 { throw SystemCallError(call: "posix_spawn", subject: executable, errno: result) }
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
    /// - Returns: in words: `exited with 70`, `was killed by signal 9`.
    func end() -> String {
        var status: CInt = 0
        if waitpid(process, &status, WNOHANG) == 0 {
            kill(process, SIGTERM)
            waitpid(process, &status, 0)
        }
        hasEnded = true
        let signal = status & 0x7F
        return signal == 0 ? "exited with \(status >> 8 & 0xFF)" : "was killed by signal \(signal)"
    }

    deinit { if !hasEnded { _ = end() } }
}
