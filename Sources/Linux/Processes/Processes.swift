import CLinux
import Glibc

/// Starts programs that run beside this one, in sessions of their own, so that Ctrl-C and Ctrl-Z in the terminal send
/// them no signal. Their standard streams are `/dev/null`, because this program may own the terminal.
package final class DetachedProcess {
    package let id: Int32
    private let ending: Descriptor
    private var status: CInt?

    /// The number of the passed socket in the new process: the first after the standard streams.
    package static let passedDescriptor: CInt = 3

    /// Starts a program, looked up in PATH where it has no slash. `input`, `output` and `errors` stand in for `/dev/null`;
    /// `socket` becomes `passedDescriptor`. Throws `ENOENT` where the program does not exist.
    package init(
        _ arguments: [String], input: CInt? = nil, output: CInt? = nil, errors: CInt? = nil,
        passing socket: CInt? = nil
    ) throws(SystemCallError) {
        id = try spawn(arguments, newSession: true) { actions in
            for stream in STDIN_FILENO...STDERR_FILENO {
                posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
            // `dup2` of a number onto itself would leave O_CLOEXEC set. The socket's number is 4 or more, unless the
            // program was started with closed standard streams.
            let passed = [
                (input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO),
                (socket, Self.passedDescriptor),
            ]
            for case (let own?, let number) in passed {
                posix_spawn_file_actions_adddup2(&actions, own, number)
            }
        }
        ending = Descriptor(owning: clinux_pidfd_open(id))
    }

    /// Readable once the process has ended (`pidfd_open(2)`); negative, which `poll(2)` ignores, before Linux 5.3.
    package var number: CInt { ending.number }

    /// The status as of `waitpid(2)`; `nil` while the process runs.
    package func endStatus() -> CInt? {
        var found: CInt = 0
        if status == nil, waitpid(id, &found, WNOHANG) != 0 { status = found }
        return status
    }

    /// Ends the process by SIGKILL; with a timeout by SIGTERM first. Returns its status as of `waitpid(2)`.
    @discardableResult
    package func end(within timeout: Duration? = nil) -> CInt {
        if let status = endStatus() { return status }
        if timeout != nil {
            kill(id, SIGTERM)
            // A stopped process receives SIGTERM only after SIGCONT.
            kill(id, SIGCONT)
        }
        if timeout.map({ ends(within: $0) }) != true { kill(id, SIGKILL) }
        var found: CInt = 0
        waitpid(id, &found, 0)
        status = found
        return found
    }

    /// Waits for its end. False too before Linux 5.3.
    package func ends(within timeout: Duration) -> Bool {
        guard number >= 0 else { return false }
        return (try? PollSet.result(of: number, until: .now + timeout).isEmpty) == false
    }
}

/// With no blocked signals and default actions for all, and `variables` in addition to this program's.
private func spawn(
    _ words: [String], newSession: Bool = false, variables: [String: String] = [:],
    streams: (inout posix_spawn_file_actions_t) -> Void = { _ in }
) throws(SystemCallError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    streams(&actions)
    var attributes = defaultSignals(newSession: newSession)
    defer { posix_spawnattr_destroy(&attributes) }
    let (arguments, environment) = (words.map { strdup($0) }, inherited(adding: variables))
    defer { (arguments + environment).forEach { free($0) } }
    var process: pid_t = 0
    let result = posix_spawnp(
        &process, words[0], &actions, &attributes, arguments + [nil], environment + [nil])
    if result != 0 { throw SystemCallError(call: "posix_spawn", subject: words[0], errno: result) }
    return process
}

private func defaultSignals(newSession: Bool) -> posix_spawnattr_t {
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

/// Inherited variables keep their bytes, which may be no text.
private func inherited(adding variables: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
    var entries = variables.map { strdup("\($0)=\($1)") }
    var next = environ
    while let entry = next.pointee {
        let name = UnsafeRawBufferPointer(start: entry, count: strcspn(entry, "="))
        if variables[String(decoding: name, as: UTF8.self)] == nil { entries.append(strdup(entry)) }
        next += 1
    }
    return entries
}

/// A command of the user's that runs beside this program: in its session, with its standard output and error, and without input.
package final class CommandProcess {
    package enum Ending: Hashable, Sendable {
        case exited(CInt)
        case killed(CInt)
    }

    private let id: pid_t

    /// Starts a program, looked up in PATH where it has no slash, with `variables` in addition to this program's.
    package init(_ words: [String], variables: [String: String]) throws(SystemCallError) {
        id = try spawn(words, variables: variables) {
            posix_spawn_file_actions_addopen(&$0, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
    }

    /// Nil while it runs. To be called after each SIGCHLD, which needs no descriptor and no recent kernel.
    package func ending() throws(SystemCallError) -> Ending? {
        var status: CInt = 0
        let ended = try systemCall("waitpid") { waitpid(id, &status, WNOHANG) }
        if ended == 0 { return nil }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    package func signal(_ number: CInt) { kill(id, number) }

    /// `ENOENT` or `EACCES` where a program, a path or a name to look up in PATH, cannot be executed now; else nil.
    package static func problem(of program: String) -> CInt? {
        let folders = (environmentVariable("PATH") ?? "/bin:/usr/bin").split(separator: ":" as Character)
        let paths = program.contains("/" as Character) ? [program] : folders.map { "\($0)/\(program)" }
        if paths.contains(where: { access($0, X_OK) == 0 }) { return nil }
        return paths.contains { access($0, F_OK) == 0 } ? EACCES : ENOENT
    }
}

/// Runs a program, looked up in PATH where it has no slash, in the foreground of this program's terminal, so that it can ask for
/// a password, and waits for its end. Returns its exit code; as in a shell, 128 plus the signal's number where a signal killed it.
///
/// Foundation's `Process` would start the program in its own process group, which may not read from the terminal.
package func runInForeground(_ words: [String]) throws(SystemCallError) -> CInt {
    let process = try spawn(words)
    var status: CInt = 0
    try systemCall("waitpid") { waitpid(process, &status, 0) }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
}

// MARK: - Shell

/// Runs a shell command with `popen(3)` and reads the lines of its standard output; empty where it cannot be run.
package func shellOutput(of command: String) -> [String] {
    guard let output = popen(command, "re") else { return [] }
    defer { pclose(output) }
    var lines: [String] = []
    var buffer: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(buffer) }
    while getline(&buffer, &capacity, output) > 0, let line = buffer {
        let text = String(cString: line)
        lines.append(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    return lines
}

extension String {
    /// The text quoted as one word of a shell command; see Quoting in sh(1).
    package var quotedForShell: String {
        let plain = { (character: Character) in
            character.isASCII
                && (character.isLetter || character.isNumber || "_@%+=:,./-".contains(character))
        }
        // zsh replaces a word such as =N by the path of a command.
        if !isEmpty, allSatisfy(plain), !hasPrefix("=") { return self }
        // `replacing` would link the whole of Swift's regular expressions.
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
