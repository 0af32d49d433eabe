import Glibc

/// Where the programs' files are, by the XDG Base Directory Specification.
package enum ProgramFiles {
    /// `$XDG_DATA_HOME/counter`, else `~/.local/share/counter`.
    ///
    /// - Throws: `ProgramError` (78) where no home directory is known.
    package static func defaultDataDirectory() throws(ProgramError) -> String {
        try directory("XDG_DATA_HOME", fallback: ".local/share") + "/counter"
    }

    /// The directory of a variable. The specification says that a relative path in it is ignored.
    ///
    /// - Throws: `ProgramError` (78) where no home directory is known.
    package static func directory(_ variable: String, fallback: String) throws(ProgramError) -> String {
        if let path = environmentVariable(variable), path.hasPrefix("/") { return path }
        return try home() + "/" + fallback
    }

    /// `$XDG_RUNTIME_DIR` where it is as the specification demands: this user's own, with mode 0700. After su(1) and with
    /// `sudo -E` it is another user's.
    package static var runtimeDirectory: String? {
        guard let directory = ownRuntimeDirectory, directory.mode == 0o700 else { return nil }
        return directory.path
    }

    /// `nil` where it is missing, no directory, or another user can change it.
    private static var ownRuntimeDirectory: TrustedFile? {
        guard let path = environmentVariable("XDG_RUNTIME_DIR"), path.hasPrefix("/"),
            let directory = try? TrustedFile(path), directory.isOwn,
            directory.isDirectory
        else { return nil }
        return directory
    }

    /// Removes the variable from this process where it leads to another user's directory, so that neither this program's
    /// libraries nor the servers that it starts look for sockets there, or make any.
    package static func forgetForeignRuntimeDirectory() {
        if ownRuntimeDirectory == nil { unsetenv("XDG_RUNTIME_DIR") }
    }

    /// Where this user's programs find each other while they run: `$XDG_RUNTIME_DIR/counter`, else `counter` in the
    /// directory for state. It may be missing.
    ///
    /// - Returns: `nil` where another user could change each of them.
    package static var meetingPlace: String? {
        if let path = runtimeDirectory.map({ $0 + "/counter" }), mayBeOwn(path) { return path }
        return stateDirectory("counter")
    }

    /// A directory below `$XDG_STATE_HOME`, else below `~/.local/state`; it may be missing.
    ///
    /// - Returns: `nil` where another user could change each of them.
    package static func stateDirectory(_ name: String) -> String? {
        let homes = [environmentVariable("HOME"), loginHome].compactMap(\.self).map { $0 + "/.local/state" }
        return ([environmentVariable("XDG_STATE_HOME")].compactMap(\.self) + homes)
            .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: mayBeOwn)
    }

    /// Whether a directory is this user's own, or could be made.
    private static func mayBeOwn(_ path: String) -> Bool {
        do throws(SystemCallError) { return try TrustedFile(path).isOwn } catch {
            return error.errno != EPERM
        }
    }

    private static var loginHome: String? {
        getpwuid(getuid()).flatMap(\.pointee.pw_dir).map { String(cString: $0) }
    }

    private static func home() throws(ProgramError) -> String {
        if let home = environmentVariable("HOME"), home.hasPrefix("/") { return home }
        if let home = loginHome { return home }
        throw ProgramError(
            "no home directory is known", remedy: "Set HOME, or name a directory with --data-dir.",
            status: EX_CONFIG)
    }

    /// The socket of the system's key service: `COUNTER_KEYS_SOCKET`, else the path in its unit; `nil` where the variable
    /// is empty.
    package static var keyService: String? {
        let path = environmentVariable("COUNTER_KEYS_SOCKET") ?? "/run/counter/keys.socket"
        return path.isEmpty ? nil : path
    }

    /// The path of this program's executable; `nil` where the kernel does not report it.
    package static var executable: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The path of a program that belongs to this one: in the same directory, or in `../libexec/counter/`.
    ///
    /// - Throws: `ProgramError` (69) where it is in neither.
    package static func companion(_ name: String) throws(ProgramError) -> String {
        guard let path = executable else {
            throw ProgramError("/proc/self/exe: \(errorText(errno))", status: EX_OSERR)
        }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let places = ["\(directory)/\(name)", "\(directory)/../libexec/counter/\(name)"]
        if let found = places.first(where: { access($0, X_OK) == 0 }) { return found }
        throw ProgramError(
            "\(name) is neither beside \(path) nor in ../libexec/counter",
            remedy: "Install them together with make install.", status: EX_UNAVAILABLE)
    }
}
