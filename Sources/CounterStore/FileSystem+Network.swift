import CLinux
import Glibc
import Linux

/// The file systems that other machines write to as well.
extension FileSystem {
    /// The name of the network file system that a path lies on, or would if it were made; nil on any other.
    static func network(of path: String) -> String? {
        let type = clinux_file_system_type(path)
        if type == 0, errno == ENOENT, parent(of: path) != path { return network(of: parent(of: path)) }
        guard type == fuse else { return networks[type] }
        var status = stat()
        guard stat(path, &status) == 0, let mounts = contents(of: "/proc/self/mountinfo") else { return nil }
        var device: [UInt32] = [0, 0]
        clinux_device_numbers(status.st_dev, &device)
        return networkBehindFUSE("\(device[0]):\(device[1])", mounts: mounts)
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
        "glusterfs",
        "ceph", "ceph-fuse", "juicefs", "mfs", "gvfsd-fuse", "kio-fuse", "afp", "ipfs",
    ]

    /// The network file system of a mount behind FUSE.
    ///
    /// - Parameters:
    ///   - device: Its device, as major:minor.
    ///   - mounts: The text of /proc/self/mountinfo; see proc_pid_mountinfo(5).
    /// - Returns: The name of the program behind it; nil where that keeps its files on this machine, or is not known.
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

    private static func contents(of path: String) -> String? {
        let file = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
        var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 14))
        while true {
            let count = read(file.number, &part, part.count)
            guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += part[..<count]
        }
    }
}
