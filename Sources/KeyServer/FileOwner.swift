import Glibc

/// The user whose files are read, written and removed.
///
/// Root acts on another user's files with that user's id: whatever links and names that user has prepared, root can
/// do no more there than the user could.
struct FileOwner: Hashable {
    /// The user's number.
    let user: uid_t
    /// A group that owns nothing; Linux shows it for groups that it cannot map (`/proc/sys/kernel/overflowgid`).
    private static let noGroup: gid_t = 65_534

    /// Whether this process acts for another user.
    var isOther: Bool { user != geteuid() }

    /// Runs `body` with the user's id and without any group of root's.
    ///
    /// The corresponding C functions are `setgroups(2)`, `setegid(2)` and `seteuid(2)`.
    ///
    /// - Returns: the result of `body`; `nil` if this process may not act for that user.
    func act<Result: ~Copyable, ProgramError: Error>(_ body: () throws(ProgramError) -> Result)
        throws(ProgramError)
        -> Result?
    {
        if !isOther { return try body() }
        guard geteuid() == 0 else { return nil }
        let group = getegid()
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        guard getgroups(CInt(groups.count), &groups) >= 0, setgroups(0, nil) == 0 else { return nil }
        defer { Self.becomeRoot(group, groups) }
        guard setegid(Self.noGroup) == 0, seteuid(user) == 0 else { return nil }
        return try body()
    }

    /// Aborts if root's ids cannot be restored: nothing may run with the ids of two users mixed.
    private static func becomeRoot(_ group: gid_t, _ groups: [gid_t]) {
        guard seteuid(0) == 0, setegid(group) == 0, setgroups(groups.count, groups) == 0 else { abort() }
    }
}
