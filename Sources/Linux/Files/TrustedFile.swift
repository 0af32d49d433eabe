import CLinux
import Glibc

/// A file or directory that no other user but root can change or replace.
///
/// It and each of its parents belong to this user or to root, and no other user may write to them. Every user may add to a
/// directory with the sticky bit, such as /tmp, but only an entry's owner replaces it, so such a parent does no harm.
package struct TrustedFile {
    /// The path, absolute and without links.
    package let path: String
    private let status: stat

    /// Looks at a path and at each of its parents, up to `/`. Links are followed if this user or root made them.
    ///
    /// Throws `SystemCallError`, whose subject is the part of the path that is the reason: `EPERM` where it is not
    /// trusted, `ENOENT` where it is missing and could be made, because all before it is trusted.
    package init(_ path: String) throws(SystemCallError) {
        let isWhole = path.utf8.first == UInt8(ascii: "/")
        var walker = Walker()
        self = try walker.follow(isWhole ? path : readLink("/proc/self/cwd") + "/" + path, from: "/")
    }

    fileprivate init(path: String, _ status: stat) { (self.path, self.status) = (path, status) }

    /// Whether no other user can change anything in a directory, in a folder of it however deep, or on the way there.
    package static func isTrusted(all directory: String) -> Bool {
        var walker = Walker()
        guard let top = try? TrustedFile(directory), top.isDirectory else { return false }
        return walker.isTrusted(within: top.path)
    }

    package var isOwn: Bool { status.st_uid == geteuid() }
    package var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var mode: mode_t { status.st_mode & 0o777 }

    /// Refuses what belongs to root: only this user's own will do.
    fileprivate func requireOwnDirectory() throws(SystemCallError) {
        guard isOwn else { throw distrust(path, "belongs to the user with number \(status.st_uid)") }
        guard isDirectory else { throw SystemCallError(call: "mkdir", subject: path, errno: ENOTDIR) }
    }
}

/// Looks at paths' parts, and remembers private groups: with a umask of 0002 every file asks for the same one.
private struct Walker {
    /// As many links as the kernel follows; see path_resolution(7).
    private static let maxLinks = 40
    private static let writable = "may be written to by other users"
    /// S_ISVTX
    private static let sticky: mode_t = 0o1000

    private var groups: [gid_t: Bool] = [:]

    /// What a path leads to from a trusted directory without links.
    mutating func follow(_ path: String, from directory: String) throws(SystemCallError) -> TrustedFile {
        var (names, place, links) = (Self.names(path), directory, Self.maxLinks)
        var status = try examine(place)
        while let name = names.popLast() {
            let entry = name == ".." ? parentDirectory(place) : place + (place == "/" ? "" : "/") + name
            let found = try examine(entry)
            guard found.st_mode & S_IFMT == S_IFLNK else {
                (place, status) = (entry, found)
                continue
            }
            guard links > 0 else { throw SystemCallError(call: "readlink", subject: entry, errno: ELOOP) }
            links -= 1
            let target = try readLink(entry)
            if target.utf8.first == UInt8(ascii: "/") { (place, status) = ("/", try examine("/")) }
            names += Self.names(target)
        }
        // The sticky bit protects the entries of a directory, not the directory itself from new ones.
        if isWritableByOthers(status, place) { throw distrust(place, Self.writable) }
        return TrustedFile(path: place, status)
    }

    /// Whether all entries of a trusted directory are trusted, and what is in them. A link may lead nowhere yet.
    mutating func isTrusted(within directory: String) -> Bool {
        for name in directoryEntries(of: directory, hidden: true) {
            let path = "\(directory)/\(name)"
            do throws(SystemCallError) {
                let entry = try follow(name, from: directory)
                if entry.isDirectory, entry.path == path, !isTrusted(within: path) { return false }
            } catch { if error.errno != ENOENT || error.subject == path { return false } }
        }
        return true
    }

    /// The names of a path, the first one last. By bytes: a combining mark and the slash are one character.
    private static func names(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
            .reversed()
    }

    /// The status of an entry that belongs to a trusted user, and that as a directory protects its own entries.
    private mutating func examine(_ path: String) throws(SystemCallError) -> stat {
        var (status, root) = (stat(), stat())
        try systemCall("lstat", path) { lstat(path, &status) }
        // In a user namespace without root's id, as of a sandbox, root's files show the id of nobody, and so does `/`.
        try systemCall("lstat", "/") { lstat("/", &root) }
        guard [geteuid(), 0, root.st_uid].contains(status.st_uid) else {
            throw distrust(path, "belongs to the user with number \(status.st_uid)")
        }
        let isProtected = status.st_mode & Self.sticky != 0 || status.st_mode & S_IFMT == S_IFLNK
        if !isProtected, isWritableByOthers(status, path) { throw distrust(path, Self.writable) }
        return status
    }

    /// Whether others than this user and root may write to it. A umask of 0002 lets the user's own group write.
    private mutating func isWritableByOthers(_ status: stat, _ path: String) -> Bool {
        if status.st_mode & 0o002 != 0 { return true }
        if status.st_mode & 0o020 == 0 { return false }
        // The bits of the group are then those of the list; see acl(5).
        if clinux_has_access_list(path) != 0 { return true }
        let isPrivate = groups[status.st_gid] ?? Self.isPrivate(status.st_gid)
        groups[status.st_gid] = isPrivate
        return !isPrivate
    }

    /// Whether no other user is in a group: it has the name of this user or of root, no other members, and is no other user's own.
    private static func isPrivate(_ group: gid_t) -> Bool {
        guard let entry = getgrgid(group)?.pointee else { return false }
        let own = [getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }, "root"]
        guard own.contains(String(cString: entry.gr_name)) else { return false }
        var member = entry.gr_mem
        while let name = member?.pointee {
            guard own.contains(String(cString: name)) else { return false }
            member = member?.successor()
        }
        setpwent()
        defer { endpwent() }
        while let user = getpwent()?.pointee {
            if user.pw_gid == group, ![geteuid(), 0].contains(user.pw_uid) { return false }
        }
        return true
    }
}

private func readLink(_ link: String) throws(SystemCallError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try systemCall("readlink", link) { readlink(link, &bytes, bytes.count) }
    guard let text = String(validating: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) else {
        throw distrust(link, "leads to a path that is no text in UTF-8")
    }
    return text
}

private func distrust(_ path: String, _ why: String) -> SystemCallError {
    SystemCallError(call: "lstat", subject: path, errno: EPERM, detail: "\(path) \(why)")
}

/// Makes a directory and its parents with mode 0700, all in trusted ones; one that exists must be this user's own.
/// Returns its path without links.
@discardableResult
package func makeOwnDirectory(_ path: String) throws(SystemCallError) -> String {
    while true {
        do throws(SystemCallError) {
            let directory = try TrustedFile(path)
            try directory.requireOwnDirectory()
            return directory.path
        } catch  where error.errno == ENOENT {
            // Looked at again as another user may have made it meanwhile, where each may.
            guard mkdir(error.subject, 0o700) == 0 || errno == EEXIST else {
                throw SystemCallError(call: "mkdir", subject: error.subject)
            }
        }
    }
}
