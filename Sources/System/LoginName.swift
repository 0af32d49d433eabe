import Glibc

/// The user who runs this process.
public enum LoginName {
    /// The login name from the password database, or the user id where the database has no entry. The corresponding C
    /// function is `getpwuid`.
    public static var current: String {
        getpwuid(getuid()).flatMap(\.pointee.pw_name).map { String(cString: $0) } ?? String(getuid())
    }
}
