import CLinux
import Glibc
import Linux

enum FileSystem {
    /// Tells a file from another that later has the same name.
    struct Identity: Hashable { let device, inode: UInt64 }

    /// nil where there is no file.
    static func identity(of path: String) -> Identity? {
        status(of: path).map { Identity(device: UInt64($0.st_dev), inode: UInt64($0.st_ino)) }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    static let privateDirectory: mode_t = 0o700
    static let privateFile: mode_t = 0o600

    /// Makes a directory and its missing parents with mode 0700. One that exists is left as it is.
    static func makeDirectory(_ path: String) throws(JournalError) {
        func make() -> Int32 { mkdir(path, privateDirectory) == 0 ? 0 : errno }
        let parent = parentDirectory(path)
        var failure = make()
        if failure == ENOENT, parent != path {
            try makeDirectory(parent)
            failure = make()
        }
        if failure == EEXIST {
            let isDirectory = status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
            if isDirectory { return }
            failure = ENOTDIR
        }
        guard failure == 0 else { throw JournalError(path: path, creating: failure) }
        // A umask may have taken bits away that we need.
        chmod(path, privateDirectory)
        try syncDirectory(parent)
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
        access(path, W_OK) == 0 && access(parentDirectory(path), W_OK | X_OK) == 0
    }

    /// Whether the file system of a path has no space left for this user.
    static func isFull(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_bavail == 0
    }

    /// A value that changes whenever a file is written: its size and the time of the change.
    static func stamp(of path: String) -> [Int] {
        status(of: path).map {
            [Int($0.st_size), $0.st_mtim.tv_sec, $0.st_mtim.tv_nsec, Int($0.st_ino)]
        } ?? []
    }

    /// Copies a file. If it is missing, nothing is copied. Returns whether it succeeded; else errno has the reason.
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

    static func size(of path: String) -> Int { status(of: path).map { Int($0.st_size) } ?? 0 }
}

extension JournalError {
    init(path: String, creating errno: Int32) {
        self.init(path: path, reason: Reason(errno: errno) ?? .cannotCreate(errno: errno))
    }

    init(path: String, opening errno: Int32) {
        let other: Reason =
            switch errno {
            case ENOENT: .missing
            case ENOTDIR: .cannotCreate(errno: errno)
            default: .inputOutput(detail: errorText(errno))
            }
        self.init(path: path, reason: Reason(errno: errno) ?? other)
    }
}

// MARK: - Networks

/// The file systems that other machines write to as well.
extension FileSystem {
    /// The name of the network file system that a path lies on, or would if it were made; nil on any other.
    static func network(of path: String) -> String? {
        let parent = parentDirectory(path)
        let type = clinux_file_system_type(path)
        if type == 0, errno == ENOENT, parent != path { return network(of: parent) }
        guard type == fuse else { return networks[type] }
        guard let status = status(of: path),
            let mounts = try? Descriptor(opening: "/proc/self/mountinfo", flags: O_RDONLY).readAll(
                limit: .max)
        else { return nil }
        var device: [UInt32] = [0, 0]
        clinux_device_numbers(status.st_dev, &device)
        return networkBehindFUSE("\(device[0]):\(device[1])", mounts: String(decoding: mounts, as: UTF8.self))
    }

    /// By the numbers of statfs(2) and linux/magic.h.
    static let networks: [UInt32: String] = [
        0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x5346_414F: "AFS",
        0x6B41_4653: "AFS", 0x7375_7245: "Coda", 0x00C3_6400: "Ceph", 0x0102_1997: "9P",
        0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS", 0x1983_0326: "BeeGFS",
    ]

    /// FUSE_SUPER_MAGIC: whatever is behind FUSE has this number, and virtiofs too.
    private static let fuse: UInt32 = 0x6573_5546

    /// Programs behind FUSE whose files lie on another machine, by the names that they give the kernel.
    private static let fuseNetworks: Set<String> = [
        "sshfs", "rclone", "s3fs", "gcsfuse", "goofys", "davfs", "davfs2", "curlftpfs", "smbnetfs", "nfs",
        "glusterfs", "ceph", "ceph-fuse", "juicefs", "mfs", "gvfsd-fuse", "kio-fuse", "afp", "ipfs",
    ]

    /// The network file system of a mount behind FUSE. `device`: its device, as major:minor. `mounts`: the text of
    /// /proc/self/mountinfo; see proc_pid_mountinfo(5). Returns the name of the program behind it; nil where that keeps its files
    /// on this machine, or is not known.
    static func networkBehindFUSE(_ device: String, mounts: String) -> String? {
        for mount in mounts.split(separator: "\n") {
            let fields = mount.split(separator: " ")
            // Optional fields come before the hyphen, so the type stands nowhere else.
            guard fields.count > 6, fields[2] == device, let hyphen = fields.dropFirst(6).firstIndex(of: "-"),
                hyphen + 1 < fields.endIndex
            else { continue }
            let type = fields[hyphen + 1]
            if type == "virtiofs" { return "virtiofs" }
            let name = type.hasPrefix("fuse.") ? String(type.dropFirst(5)) : ""
            return fuseNetworks.contains(name) ? name : nil
        }
        return nil
    }
}
