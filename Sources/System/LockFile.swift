import Glibc

/// A file that at most one process has locked. The kernel unlocks it when that process ends, however it ends.
public final class LockFile {
    private let descriptor: Descriptor

    /// Makes the file and its directory (mode 0700) where they are missing, and locks the file without waiting.
    ///
    /// The corresponding C functions are `mkdir(2)` and `flock(2)`.
    ///
    /// - Throws: `SystemCallError`; `EWOULDBLOCK` where another process has locked it.
    public init(_ path: String) throws(SystemCallError) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makePrivateDirectory(String(path[..<slash]))
        }
        descriptor = Descriptor(
            owning: try systemCall("open", path) {
                open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            })
        let number = descriptor.number
        try systemCall("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
    }
}

/// Makes a directory and its missing parents with mode 0700; one that exists is left as it is.
///
/// The corresponding C function is `mkdir(2)`.
public func makePrivateDirectory(_ path: String) throws(SystemCallError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw SystemCallError(call: "mkdir", subject: path)
    }
    try makePrivateDirectory(String(path[..<slash]))
    // Another program may have made it meanwhile.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw SystemCallError(call: "mkdir", subject: path)
    }
}
