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
    /// The corresponding C functions are `lstat(2)` and `readlink(2)`.
    ///
    /// - Throws: `SystemCallError`, whose subject is the part of the path that is the reason: `EPERM` where it is not trusted,
    ///   `ENOENT` where it is missing and could be made, because all before it is trusted.
    package init(_ path: String) throws(SystemCallError) {
        var names = Self.names(path.hasPrefix("/") ? path : Self.workingDirectory + "/" + path)
        var (place, links) = ("", Self.maxLinks)
        var status = try Self.examine("/")
        while let name = names.popLast() {
            if name == ".." { place = parentDirectory(place) == "/" ? "" : parentDirectory(place) }
            let entry = name == ".." ? (place.isEmpty ? "/" : place) : "\(place)/\(name)"
            status = try Self.examine(entry)
            if status.st_mode & S_IFMT == S_IFLNK {
                guard links > 0 else { throw SystemCallError(call: "readlink", subject: entry, errno: ELOOP) }
                links -= 1
                let target = try Self.target(entry)
                if target.hasPrefix("/") { place = "" }
                names += Self.names(target)
            } else if name != ".." {
                place = entry
            }
        }
        if status.st_mode & S_IFMT == S_IFLNK { status = try Self.examine(place.isEmpty ? "/" : place) }
        self.path = place.isEmpty ? "/" : place
        self.status = status
        // The bit protects the entries of a directory, not the directory itself from new ones.
        if Self.isWritableByOthers(status, self.path) { throw Self.distrust(self.path, Self.writable) }
    }

    /// Whether it belongs to this user.
    package var isOwn: Bool { status.st_uid == geteuid() }
    /// Whether it is a directory.
    package var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    /// The permission bits of owner, group and others.
    var mode: mode_t { status.st_mode & 0o777 }

    /// As many as the kernel follows; see path_resolution(7).
    private static let maxLinks = 40
    private static let writable = "may be written to by other users"

    /// The names of a path, the first one last.
    private static func names(_ path: String) -> [String] {
        path.split(separator: "/" as Character).filter { $0 != "." }.map(String.init).reversed()
    }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func target(_ link: String) throws(SystemCallError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try systemCall("readlink", link) { readlink(link, &bytes, bytes.count) }
        return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The status of an entry that belongs to a trusted user, and that as a directory protects its own entries.
    private static func examine(_ path: String) throws(SystemCallError) -> stat {
        var (status, root) = (stat(), stat())
        try systemCall("lstat", path) { lstat(path, &status) }
        // In a user namespace without root's id, as of a sandbox, root's files show the id of nobody, and so does `/`.
        try systemCall("lstat", "/") { lstat("/", &root) }
        guard [geteuid(), 0, root.st_uid].contains(status.st_uid) else {
            throw distrust(path, "belongs to the user with number \(status.st_uid)")
        }
        let isProtected = status.st_mode & sticky != 0 || status.st_mode & S_IFMT == S_IFLNK
        if !isProtected, isWritableByOthers(status, path) { throw distrust(path, writable) }
        return status
    }

    /// S_ISVTX
    private static let sticky: mode_t = 0o1000

    /// Whether users other than this one and root may write to it. With a umask of 0002 all that a user makes may be written to
    /// by the group that only that user is in.
    private static func isWritableByOthers(_ status: stat, _ path: String) -> Bool {
        if status.st_mode & 0o002 != 0 { return true }
        if status.st_mode & 0o020 == 0 { return false }
        // The bits of the group are then those of the list; see acl(5).
        return clinux_has_access_list(path) != 0 || !isPrivate(status.st_gid)
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

    /// Whether no other user can change anything in a directory, in a folder of it however deep, or on the way there.
    package static func isTrusted(all directory: String) -> Bool {
        guard let top = try? TrustedFile(directory), top.isDirectory else { return false }
        // With a umask of 0002 every file asks for the same group.
        var trustedGroups: Set<gid_t> = []
        return isTrusted(within: top.path, &trustedGroups)
    }

    private static func isTrusted(within directory: String, _ trustedGroups: inout Set<gid_t>) -> Bool {
        for name in directoryEntries(of: directory, hidden: true) {
            let path = "\(directory)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, [geteuid(), 0].contains(status.st_uid) else { return false }
            if status.st_mode & S_IFMT == S_IFLNK {
                do throws(SystemCallError) { _ = try TrustedFile(path) } catch {
                    if error.errno != ENOENT { return false }
                }
                continue
            }
            let isGroupsOwn = status.st_mode & 0o022 == 0o020 && trustedGroups.contains(status.st_gid)
            if !isGroupsOwn {
                if isWritableByOthers(status, path) { return false }
                if status.st_mode & 0o020 != 0 { trustedGroups.insert(status.st_gid) }
            } else if clinux_has_access_list(path) != 0 {
                return false
            }
            if status.st_mode & S_IFMT == S_IFDIR, !isTrusted(within: path, &trustedGroups) { return false }
        }
        return true
    }

    private static func distrust(_ path: String, _ why: String) -> SystemCallError {
        SystemCallError(call: "lstat", subject: path, errno: EPERM, detail: "\(path) \(why)")
    }

    /// Refuses what belongs to root: only this user's own will do.
    fileprivate func requireOwnDirectory() throws(SystemCallError) {
        guard isOwn else { throw Self.distrust(path, "belongs to the user with number \(status.st_uid)") }
        guard isDirectory else { throw SystemCallError(call: "mkdir", subject: path, errno: ENOTDIR) }
    }
}

/// Makes a directory and its missing parents with mode 0700, all in trusted ones; one that exists must be this user's own.
///
/// The corresponding C function is `mkdir(2)`.
///
/// - Returns: its path without links.
/// - Throws: `SystemCallError` of ``TrustedFile`` or of mkdir(2).
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

/// Makes a directory and its missing parents with mode 0700, wherever the user wants it; one that exists is left as it is.
///
/// The corresponding C function is `mkdir(2)`.
package func makePrivateDirectory(_ path: String) throws(SystemCallError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, parentDirectory(path) != path else {
        throw SystemCallError(call: "mkdir", subject: path)
    }
    try makePrivateDirectory(parentDirectory(path))
    // Another program may have made it meanwhile.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw SystemCallError(call: "mkdir", subject: path)
    }
}

/// The path without its last name; `/` is its own parent, and a name alone is in `.`.
package func parentDirectory(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
