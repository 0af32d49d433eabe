import CLinux
import Glibc
import Linux

/// The calls of the operating system that a journal's files need.
enum FileSystem {
    /// Distinguishes a file from another that later has the same name.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    /// The identity of the file that has a name now; nil if there is none.
    static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    static let privateDirectory: mode_t = 0o700
    static let privateFile: mode_t = 0o600

    /// Makes a directory and its missing parents with mode 0700. One that exists is left as it is.
    static func makeDirectory(_ path: String) throws(JournalError) {
        if mkdir(path, privateDirectory) == 0 {
            // A umask may have taken bits away that we need.
            chmod(path, privateDirectory)
            return try syncDirectory(parent(of: path))
        }
        switch errno {
        case EEXIST:
            guard isDirectory(path) else { throw JournalError(path: path, creating: ENOTDIR) }
        case ENOENT where parent(of: path) != path:
            try makeDirectory(parent(of: path))
            guard mkdir(path, privateDirectory) == 0 || errno == EEXIST else {
                throw JournalError(path: path, creating: errno)
            }
            chmod(path, privateDirectory)
            try syncDirectory(parent(of: path))
        default:
            throw JournalError(path: path, creating: errno)
        }
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The path without its last component; `/` and `.` are their own parents.
    static func parent(of path: String) -> String {
        var components = path.split(separator: "/")
        let root = path.hasPrefix("/") ? "/" : ""
        guard !components.isEmpty else { return path.isEmpty ? "." : path }
        components.removeLast()
        let parent = root + components.joined(separator: "/")
        return parent.isEmpty ? "." : parent
    }

    /// Makes a new entry of a directory durable; see fsync(2).
    static func syncDirectory(_ path: String) throws(JournalError) {
        let directory = Descriptor(owning: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard directory.number >= 0 else {
            // Another user's directory may be searchable and not readable; then it cannot be synced.
            if errno == EACCES { return }
            throw JournalError(path: path, opening: errno)
        }
        guard fsync(directory.number) == 0 || errno == EINVAL else {
            throw JournalError(path: path, opening: errno)
        }
    }

    /// Whether SQLite may write a file, and make its own files beside it.
    static func maySQLiteWrite(_ path: String) -> Bool {
        access(path, W_OK) == 0 && access(parent(of: path), W_OK | X_OK) == 0
    }

    /// Whether the file system of a path has no space left for this user.
    static func isFull(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_bavail == 0
    }

    /// A value that changes whenever a file is written: its size and the time of the change.
    static func stamp(of path: String) -> [Int] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_ino)]
    }

    /// Copies a file. If it is missing, nothing is copied.
    ///
    /// - returns: Whether it succeeded; else errno has the reason.
    static func copy(_ path: String, to copy: String) -> Bool {
        let source = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
        if source.number < 0 { return errno == ENOENT }
        let target = Descriptor(owning: open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, privateFile))
        guard target.number >= 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(source.number, &bytes, bytes.count)
            if count <= 0 { return count == 0 }
            guard write(target.number, bytes, count) == count else { return false }
        }
    }

    /// The size of a file in bytes; 0 where there is none.
    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

extension JournalError {
    /// The meaning of an errno where a file or directory was to be made.
    init(path: String, creating errno: Int32) {
        switch errno {
        case EACCES, EPERM, EROFS: self.init(path: path, reason: .notPermitted(errno: errno))
        case ENOSPC, EDQUOT: self.init(path: path, reason: .diskFull)
        case EMFILE, ENFILE: self.init(path: path, reason: .tooManyFiles(errno: errno))
        default: self.init(path: path, reason: .cannotCreate(errno: errno))
        }
    }

    /// The meaning of an errno where a file or directory was to be opened, read or synced.
    init(path: String, opening errno: Int32) {
        switch errno {
        case EACCES, EPERM, EROFS: self.init(path: path, reason: .notPermitted(errno: errno))
        case ENOSPC, EDQUOT: self.init(path: path, reason: .diskFull)
        case ENOENT: self.init(path: path, reason: .missing)
        case EMFILE, ENFILE: self.init(path: path, reason: .tooManyFiles(errno: errno))
        default: self.init(path: path, reason: .inputOutput(detail: errorText(errno)))
        }
    }
}
