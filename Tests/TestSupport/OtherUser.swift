import Glibc

/// A command prefix with which root runs a command as another user, who owns nothing and has no special permissions.
///
/// The program is `setpriv(1)`.
///
/// - Parameter user: The user id, which is also the group id.
/// - Returns: The words in front of the command.
package func asUser(_ user: UInt32) -> [String] {
    ["setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]
}

/// The same for the user nobody.
package let asNobody = asUser(65534)

extension Workplace {
    /// Gives user nobody access to the directory as to /tmp, where nobody's programs keep their journal and their sockets.
    ///
    /// - Returns: The variables for nobody's programs, in addition to this process's own; nil removes one.
    package func letNobodyIn() -> [String: String?] {
        chmod(directory, 0o1777)
        return environment.merging([
            "XDG_RUNTIME_DIR": directory, "COUNTER_DATA_DIR": directory + "/nobody",
        ]) { $1 }
    }
}
