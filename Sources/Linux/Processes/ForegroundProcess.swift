import Glibc

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
