import CLinux
import Glibc

/// Starts programs that run beside this one, in sessions of their own, so that Ctrl-C and Ctrl-Z in the terminal send
/// them no signal. Their standard streams are `/dev/null`, because this program may own the terminal.
package final class DetachedProcess {
    /// The process id.
    package let id: Int32
    private let ending: Descriptor
    private var status: CInt?

    /// Starts a program; see `start`.
    package init(
        _ arguments: [String], input: CInt? = nil, output: CInt? = nil, passing socket: CInt? = nil
    ) throws(SystemCallError) {
        id = try Self.start(arguments, input: input, output: output, passing: socket)
        ending = Descriptor(owning: clinux_pidfd_open(id))
    }

    /// The descriptor to poll: readable once the process has ended; negative, which `poll(2)` ignores, before Linux 5.3. The
    /// corresponding C function is `pidfd_open(2)`.
    package var number: CInt { ending.number }

    /// The status as of `waitpid(2)`; `nil` while the process runs.
    package func endStatus() -> CInt? {
        var found: CInt = 0
        if status == nil, waitpid(id, &found, WNOHANG) != 0 { status = found }
        return status
    }

    /// Ends the process and waits for that. The corresponding C function is `kill(2)` with SIGKILL.
    package func end() {
        if endStatus() != nil { return }
        kill(id, SIGKILL)
        var found: CInt = 0
        waitpid(id, &found, 0)
        status = found
    }

    /// The number of the passed socket in the new process: the first after the standard streams.
    package static let passedDescriptor: CInt = 3

    /// Starts a program with no blocked signals and default actions for all signals.
    ///
    /// The corresponding C functions are `posix_spawn(3)` and, for a name without a slash, `posix_spawnp(3)`.
    ///
    /// - Parameters:
    ///   - arguments: the program and its arguments.
    ///   - input: the descriptor that becomes standard input; `nil` for `/dev/null`.
    ///   - output: the descriptor that becomes standard output; `nil` for `/dev/null`.
    ///   - socket: the descriptor that becomes `passedDescriptor`; `nil` for none.
    /// - Returns: the process id; the caller has to wait for the process.
    /// - Throws: `SystemCallError`, `ENOENT` where the program does not exist.
    package static func start(
        _ arguments: [String], input: CInt? = nil, output: CInt? = nil, passing socket: CInt? = nil
    ) throws(SystemCallError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        // `dup2` of a number onto itself would leave O_CLOEXEC set. The socket's number is 4 or more, unless the program was
        // started with closed standard streams.
        if let socket { posix_spawn_file_actions_adddup2(&actions, socket, passedDescriptor) }
        var attributes = attributes(newSession: true)
        defer { posix_spawnattr_destroy(&attributes) }
        var process: pid_t = 0
        let result = withArguments(arguments) {
            posix_spawnp(&process, arguments[0], &actions, &attributes, $0, environ)
        }
        if result != 0 { throw SystemCallError(call: "posix_spawn", subject: arguments[0], errno: result) }
        return process
    }

    /// No blocked signals, and default actions for all signals; where wanted, a new session.
    static func attributes(newSession: Bool) -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        let session = newSession ? CInt(clinux_spawn_setsid) : 0
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return attributes
    }

    static func withArguments<R>(
        _ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let pointers = arguments.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}
