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
        var process: pid_t = 0
        let program = words[0]
        let result = DetachedProcess.withArguments(words) { words in
            Self.withEnvironment(adding: variables) {
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

    /// Inherited variables keep their bytes, which may be no text.
    private static func withEnvironment<Result>(
        adding variables: [String: String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        var entries = variables.map { strdup("\($0)=\($1)") }
        defer { entries.forEach { free($0) } }
        var next = environ
        while let entry = next.pointee {
            let name = UnsafeRawBufferPointer(start: entry, count: strcspn(entry, "="))
            if variables[String(decoding: name, as: UTF8.self)] == nil { entries.append(strdup(entry)) }
            next += 1
        }
        return body(entries + [nil])
    }
}

/// Runs a program in the foreground of this program's terminal, so that it can ask for a password.
///
/// Foundation's `Process` would start the program in its own process group, which may not read from the terminal.
package enum ForegroundProcess {
    /// Runs a program and waits for its end. The corresponding C functions are `posix_spawnp(3)` and `waitpid(2)`.
    ///
    /// - Parameter words: the program's name, looked up in PATH where it has no slash, and its arguments.
    /// - Returns: its exit code; as in a shell, 128 plus the signal's number where a signal killed it.
    /// - Throws: `SystemCallError`, `ENOENT` where there is no such program.
    package static func run(_ words: [String]) throws(SystemCallError) -> CInt {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE, and the program would inherit that.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, words[0], nil, &attributes, arguments + [nil], environ)
        if result != 0 { throw SystemCallError(call: "posix_spawn", subject: words[0], errno: result) }
        var status: CInt = 0
        try systemCall("waitpid") { waitpid(process, &status, 0) }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}

// MARK: - Shell

/// Runs a shell command and reads the lines of its standard output; empty where it cannot be run.
///
/// The corresponding C function is `popen(3)`.
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
