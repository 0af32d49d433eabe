import Glibc

/// What makes a command of root's one of another user, who owns nothing and may only what all may.
///
/// The program is `setpriv(1)`.
///
/// - Parameter user: The user's number, and that of the group.
/// - Returns: What is to stand before the command.
package func asUser(_ user: UInt32) -> [String] {
    ["setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]
}

/// The same of the user nobody.
package let asNobody = asUser(65534)

extension Workplace {
    /// Opens the directory to user nobody, whose programs keep their journal and their sockets in it.
    ///
    /// - Returns: The variables of nobody's programs, on top of this process's own; nil takes one away.
    package func letNobodyIn() -> [String: String?] {
        chmod(directory, 0o777)
        return environment.merging([
            "XDG_RUNTIME_DIR": directory, "COUNTER_DATA_DIR": directory + "/nobody",
        ]) { $1 }
    }
}
