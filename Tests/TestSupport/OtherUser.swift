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
