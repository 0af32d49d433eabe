import Glibc

/// Where the programs' files are, by the XDG Base Directory Specification.
public enum ProgramFiles {
    /// `$XDG_DATA_HOME/counter`, else `~/.local/share/counter`.
    ///
    /// - Throws: `Failure` (78) where no home directory is known.
    public static func defaultDataDirectory() throws(Failure) -> String {
        try directory("XDG_DATA_HOME", fallback: ".local/share") + "/counter"
    }

    /// The directory of a variable. The specification says that a relative path in it is ignored.
    ///
    /// - Throws: `Failure` (78) where no home directory is known.
    public static func directory(_ variable: String, fallback: String) throws(Failure) -> String {
        if let path = environmentVariable(variable), path.hasPrefix("/") { return path }
        return try home() + "/" + fallback
    }

    private static func home() throws(Failure) -> String {
        if let home = environmentVariable("HOME"), home.hasPrefix("/") { return home }
        if let user = getpwuid(getuid()), let home = user.pointee.pw_dir { return String(cString: home) }
        throw Failure(
            "no home directory is known", remedy: "Set HOME, or name a directory with --data-dir.",
            status: EX_CONFIG)
    }

    /// The socket of the system's key service: `COUNTER_KEYS_SOCKET`, else the path in its unit; `nil` where the variable
    /// is empty.
    public static var keyService: String? {
        let path = environmentVariable("COUNTER_KEYS_SOCKET") ?? "/run/counter/keys.socket"
        return path.isEmpty ? nil : path
    }

    /// The path of this program's executable; `nil` where the kernel does not report it.
    public static var executable: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The path of a program that belongs to this one: in the same directory, or in `../libexec/counter/`.
    ///
    /// - Throws: `Failure` (69) where it is in neither.
    public static func companion(_ name: String) throws(Failure) -> String {
        guard let path = executable else {
            throw Failure("/proc/self/exe: \(errorText(errno))", status: EX_OSERR)
        }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let places = ["\(directory)/\(name)", "\(directory)/../libexec/counter/\(name)"]
        if let found = places.first(where: { access($0, X_OK) == 0 }) { return found }
        throw Failure(
            "\(name) is neither beside \(path) nor in ../libexec/counter",
            remedy: "Install them together with make install.", status: EX_UNAVAILABLE)
    }
}
