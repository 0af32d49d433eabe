import Glibc

/// A command of the user's that runs beside this program: in its session, with its standard output and error, and without input.
package final class CommandProcess {
    /// How it ended.
    package enum Ending: Hashable, Sendable {
        /// It exited with a code.
        case exited(CInt)
        /// A signal with this number killed it.
        case killed(CInt)
    }

    private let id: pid_t

    /// Starts a command. The corresponding C function is `posix_spawnp(3)`.
    ///
    /// - Parameters:
    ///   - words: The program, looked up in PATH where it has no slash, and its arguments.
    ///   - variables: Variables of its environment, in addition to those of this program.
    /// - Throws: `SystemCallError`, `ENOENT` where there is no such program.
    package init(_ words: [String], variables: [String: String]) throws(SystemCallError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        var attributes = DetachedProcess.attributes(newSession: false)
        defer { posix_spawnattr_destroy(&attributes) }
        let environment = Self.environment(with: variables)
        var process: pid_t = 0
        let program = words[0]
        let result = DetachedProcess.withArguments(words) { words in
            DetachedProcess.withArguments(environment) {
                posix_spawnp(&process, program, &actions, &attributes, words, $0)
            }
        }
        if result != 0 { throw SystemCallError(call: "posix_spawn", subject: program, errno: result) }
        id = process
    }

    /// How it ended; nil while it runs. To be called after each SIGCHLD, which needs no descriptor and no recent kernel. The
    /// corresponding C function is `waitpid(2)`.
    package func ending() throws(SystemCallError) -> Ending? {
        var status: CInt = 0
        let ended = try systemCall("waitpid") { waitpid(id, &status, WNOHANG) }
        if ended == 0 { return nil }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    /// Sends it a signal. The corresponding C function is `kill(2)`.
    package func signal(_ number: CInt) { kill(id, number) }

    /// Whether a program can be found and executed now.
    ///
    /// - Parameter program: A path, or a name that is looked up in PATH.
    /// - Returns: `ENOENT` or `EACCES` where it cannot; nil where it can.
    package static func problem(of program: String) -> CInt? {
        let folders = (environmentVariable("PATH") ?? "/bin:/usr/bin").split(separator: ":" as Character)
        let paths = program.contains("/" as Character) ? [program] : folders.map { "\($0)/\(program)" }
        if paths.contains(where: { access($0, X_OK) == 0 }) { return nil }
        return paths.contains { access($0, F_OK) == 0 } ? EACCES : ENOENT
    }

    private static func environment(with variables: [String: String]) -> [String] {
        var inherited: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            // By bytes: a combining mark after the equals sign would be one character with it.
            let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
            if variables[String(name) ?? ""] == nil { inherited.append(text) }
            next += 1
        }
        return inherited + variables.map { "\($0)=\($1)" }.sorted()
    }
}
