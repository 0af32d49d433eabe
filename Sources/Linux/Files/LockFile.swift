import Glibc

/// A file of this user that at most one process has locked, until that process ends, however it ends.
package final class LockFile {
    private let path: String
    private let descriptor: Descriptor
    /// How long to wait between two attempts, in milliseconds: flock(2) has no timeout.
    private static let pause: CInt = 5

    /// Makes the file with mode 0600 where it is missing, and locks it with `flock(2)`; waits until `deadline`.
    ///
    /// Throws `EWOULDBLOCK` where another process has locked it, `EPERM` where the file is another user's, `EEXIST`
    /// where it has content: it is then none of this program's, which would remove it.
    package init(_ path: String, until deadline: MonotonicTime? = nil) throws(SystemCallError) {
        self.path = path
        descriptor = try Self.locked(path, until: deadline)
    }

    // Removed before the descriptor closes, which ends the lock.
    deinit { if FileNumber(path) == FileNumber(descriptor) { unlink(path) } }

    private static func locked(_ path: String, until deadline: MonotonicTime?) throws(SystemCallError)
        -> Descriptor
    {
        while true {
            let file = try open(path)
            do throws(SystemCallError) {
                let number = file.number
                try systemCall("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
                if FileNumber(path) == FileNumber(file) { return file }
                // The process that had locked it has removed it since it was opened here.
            } catch {
                guard error.errno == EWOULDBLOCK, let deadline, .now < deadline else { throw error }
                poll(nil, 0, pause)
            }
        }
    }

    private static func open(_ path: String) throws(SystemCallError) -> Descriptor {
        let file = try Descriptor(from: "open", path) {
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        }
        let status = try file.status(path)
        guard status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG else {
            throw SystemCallError(
                call: "open", subject: path, errno: EPERM, detail: "\(path) is not this user's own file")
        }
        guard status.st_size == 0 else {
            throw SystemCallError(
                call: "open", subject: path, errno: EEXIST,
                detail: "\(path) is not empty, and so no file that this program locks")
        }
        return file
    }
}

/// The identity of a file, independent of its name (inode(7)).
struct FileNumber: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }

    init?(_ file: borrowing Descriptor) {
        guard let status = try? file.status() else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
