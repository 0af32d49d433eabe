import Glibc

/// The value of an environment variable; `nil` where it is not set. The corresponding C function is `getenv(3)`.
package func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// The user who runs this process.
package enum LoginName {
    /// The login name from the password database, or the user id where the database has no entry. The corresponding C
    /// function is `getpwuid`, which is asked once: each typed count needs the name, and the database may be on the network.
    package static let current: String =
        getpwuid(getuid()).flatMap(\.pointee.pw_name).map { String(cString: $0) } ?? String(getuid())
}
