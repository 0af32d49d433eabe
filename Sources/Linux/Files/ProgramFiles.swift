import CLinux
import Glibc

package func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Of all programs of the project; see semver.org.
package enum Version {
    package static let current = "0.3.0"
}

/// Where the programs' files are, by the XDG Base Directory Specification.
package enum ProgramFiles {
    /// `$XDG_DATA_HOME/counter`, else `~/.local/share/counter`.
    package static func defaultDataDirectory() throws(ProgramError) -> String {
        try directory(
            "XDG_DATA_HOME", fallback: ".local/share",
            remedy: "Name a directory with --data-dir or COUNTER_DATA_DIR, or set HOME.") + "/counter"
    }

    /// The directory of a variable, where it is absolute. Throws `ProgramError` (78) where no home directory is known.
    package static func directory(_ variable: String, fallback: String, remedy: String? = nil)
        throws(ProgramError)
        -> String
    {
        if let path = path(in: variable) { return path }
        if let home { return home + "/" + fallback }
        throw ProgramError(
            "no home directory is known", remedy: remedy ?? "Set \(variable) or HOME.", status: EX_CONFIG)
    }

    /// The absolute path in a variable; `nil` where there is none, or it is no text in UTF-8: as a text it would be another path.
    package static func path(in variable: String) -> String? {
        guard let value = getenv(variable), value[0] == CChar(bitPattern: UInt8(ascii: "/")) else {
            return nil
        }
        return String(validatingCString: value)
    }

    /// Refuses paths in variables that are no text in UTF-8: as a text, each would be another path. Throws 64 for this
    /// program's own `settings`, 78 for `HOME` and the like.
    package static func requireText(in settings: [String]) throws(ProgramError) {
        let inherited = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"]
        for name in settings + ["COUNTER_KEYS_SOCKET"] {
            try requireText(getenv(name), "the variable \(name)", status: EX_USAGE)
        }
        for name in inherited { try requireText(getenv(name), "the variable \(name)", status: EX_CONFIG) }
    }

    /// Refuses what the user or the system has given and is no text in UTF-8.
    package static func requireText(
        _ value: UnsafePointer<CChar>?, _ subject: @autoclosure () -> String, status: CInt
    ) throws(ProgramError) {
        guard let value, String(validatingCString: value) == nil else { return }
        let bytes = UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:))
        throw ProgramError(
            "\(subject()) is no text in UTF-8: '\(bytes.escaped)'",
            remedy:
                "Write it in UTF-8. A directory whose name is not can be reached by a link that has another name.",
            status: status)
    }

    /// `$XDG_RUNTIME_DIR` where it is as the specification demands: this user's own, with mode 0700. After su(1) and with
    /// `sudo -E` it is another user's.
    package static var runtimeDirectory: String? {
        guard let directory = ownRuntimeDirectory, directory.mode == 0o700 else { return nil }
        return directory.path
    }

    /// `nil` where it is missing, no directory, or another user can change it.
    private static var ownRuntimeDirectory: TrustedFile? {
        guard let path = path(in: "XDG_RUNTIME_DIR"), let directory = try? TrustedFile(path),
            directory.isOwn, directory.isDirectory
        else { return nil }
        return directory
    }

    /// Removes the variable from this process where it leads to another user's directory, so that neither this program's
    /// libraries nor the servers that it starts look for sockets there, or make any.
    package static func forgetForeignRuntimeDirectory() {
        if ownRuntimeDirectory == nil { unsetenv("XDG_RUNTIME_DIR") }
    }

    /// Where this user's programs find each other while they run: `$XDG_RUNTIME_DIR/counter`, else `counter` in the
    /// directory for state. It may be missing; `nil` where another user could change each of them.
    package static var meetingPlace: String? {
        if let path = runtimeDirectory.map({ $0 + "/counter" }), mayBeOwn(path) { return path }
        return stateDirectory("counter")
    }

    /// A directory below `$XDG_STATE_HOME`, else below `~/.local/state`; it may be missing. `nil` as above.
    package static func stateDirectory(_ name: String) -> String? {
        let homes = [path(in: "HOME"), loginHome].compactMap(\.self).map { $0 + "/.local/state" }
        return ([path(in: "XDG_STATE_HOME")].compactMap(\.self) + homes)
            .map { "\($0)/\(name)" }.first(where: mayBeOwn)
    }

    /// Whether a directory is this user's own, or could be made.
    private static func mayBeOwn(_ path: String) -> Bool {
        do throws(SystemCallError) { return try TrustedFile(path).isOwn } catch {
            return error.errno != EPERM
        }
    }

    /// The user's own directory; `nil` where none is known.
    package static var home: String? { path(in: "HOME") ?? loginHome }

    private static var loginHome: String? {
        getpwuid(getuid()).flatMap(\.pointee.pw_dir).flatMap { String(validatingCString: $0) }
            .flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }

    /// The key service's socket: `COUNTER_KEYS_SOCKET`, else the path in its unit; `nil` where the variable is empty.
    package static var keyService: String? {
        let path = environmentVariable("COUNTER_KEYS_SOCKET") ?? "/run/counter/keys.socket"
        return path.isEmpty ? nil : path
    }

    /// The path of this program's executable; `nil` where the kernel does not report it.
    package static var executable: String? { realPath("/proc/self/exe") }

    /// The path of a program of this project: beside this one, or in `../libexec/counter/`. Throws 69 where it is missing.
    package static func companion(_ name: String) throws(ProgramError) -> String {
        guard let path = executable else {
            throw ProgramError("/proc/self/exe: \(errorText(errno))", status: EX_OSERR)
        }
        let directory = parentDirectory(path)
        let places = ["\(directory)/\(name)", "\(directory)/../libexec/counter/\(name)"]
        if let found = places.first(where: { access($0, X_OK) == 0 }) { return found }
        throw ProgramError(
            "\(name) is neither beside \(path) nor in ../libexec/counter",
            remedy: "Install them together with make install.", status: EX_UNAVAILABLE)
    }

    /// Becomes another program of the project: `execv(3)`. Throws, or does not return.
    package static func become(_ name: String, _ words: [String]) throws {
        let path = try companion(name)
        var arguments = ([path] + words).map { strdup($0) }
        arguments.append(nil)
        execv(path, arguments)
        throw SystemCallError(call: "execv", subject: path)
    }
}

/// Unmaps the pages of code and constants (MADV_DONTNEED): most of them only the start needs. A page that is needed again is
/// mapped again from the kernel's cache, at the cost of a page fault.
package func releaseProgramPages() { clinux_release_program_pages() }
