import Glibc

/// The user who runs the program.
public enum LoginName {
    /// The name of the user's entry in the password database, or the user's number where there is none. The corresponding C
    /// function is `getpwuid`.
    public static var current: String {
        getpwuid(getuid()).flatMap(\.pointee.pw_name).map { String(cString: $0) } ?? String(getuid())
    }
}
