import CLinux
import Glibc
public import System

/// Who holds which node, and what was swapped on it: a file for each, written before anything is changed.
///
/// A key map outlives the program that changed it. So the file stays after a crash, and whoever starts next restores
/// what it says. The holder keeps it locked (`flock(2)`): a file that is not locked is one that a crash left behind.
public final class HoldLedger {
    /// `/run/counter` for root; the directory that systemd made for a service; `$XDG_RUNTIME_DIR/counter` for others. All
    /// are gone after a boot, as key maps are.
    public static var defaultDirectory: String? {
        if getuid() == 0 { return "/run/counter" }
        if let directory = getenv("RUNTIME_DIRECTORY") { return String(cString: directory) }
        return getenv("XDG_RUNTIME_DIR").map { String(cString: $0) + "/counter" }
    }

    enum Refusal: Error, Hashable {
        /// Another program holds the node.
        case busy
        /// Nothing can be written down.
        case unusable
    }

    private let directory: String
    private let watch: DirectoryWatch

    /// Makes the directory where it is missing. Of root's own everybody may know what is in there, not what that says:
    /// the service's socket comes into it, and whoever connects has to get there.
    ///
    /// - Throws: `SystemCallError` where it cannot be made or watched.
    public init(_ directory: String) throws(SystemCallError) {
        self.directory = directory
        if mkdir(directory, 0o700) == 0 {
            if getuid() == 0 { chmod(directory, 0o755) }
        } else if errno != EEXIST {
            throw SystemCallError(call: "mkdir", subject: directory)
        }
        watch = try DirectoryWatch(directory, mask: UInt32(IN_DELETE))
    }

    /// The descriptor to poll: readable when a node has been given back.
    var number: CInt { watch.number }

    /// Takes note that something was given back.
    func drain() { _ = watch.drain() }

    /// Claims a node for this program and writes down what will be swapped.
    ///
    /// - Parameters:
    ///   - input: the kernel's name of the device, `inputN`, which is never used again before a boot.
    ///   - keys: what will be swapped; none for a grab.
    /// - Returns: the claim; the node is given up with it.
    /// - Throws: `Refusal`
    func claim(_ input: String, _ keys: [SwappedKey]) throws(Refusal) -> HoldClaim {
        let path = "\(directory)/\(input)"
        let file = try Self.lock(path, flags: O_RDWR | O_CREAT)
        var writer = ByteWriter()
        for key in keys { key.write(to: &writer) }
        let bytes = writer.bytes
        let isWritten =
            ftruncate(file.number, 0) == 0 && pwrite(file.number, bytes, bytes.count, 0) == bytes.count
        guard isWritten else { throw .unusable }
        return HoldClaim(path: path, file: file)
    }

    /// Restores what programs left swapped that are no more.
    ///
    /// What cannot be restored now, for want of permission, stays written down.
    ///
    /// - Returns: the devices that were restored, by their kernel names.
    @discardableResult
    public func restoreAbandoned() -> [String] {
        Self.names(in: directory).filter { name in
            let path = "\(directory)/\(name)"
            // Locked: its holder is alive.
            guard let file = try? Self.lock(path, flags: O_RDWR) else { return false }
            let keys = Self.keys(in: file)
            guard access("/sys/class/input/\(name)", F_OK) == 0, !keys.isEmpty else {
                unlink(path)
                return false
            }
            guard Self.restore(keys, of: name) else { return false }
            unlink(path)
            return true
        }
    }

    /// The devices whose key maps a crash left swapped, by their kernel names.
    public static func abandoned(in directory: String) -> [String] {
        names(in: directory).filter { name in
            guard let file = try? lock("\(directory)/\(name)", flags: O_RDWR) else { return false }
            return access("/sys/class/input/\(name)", F_OK) == 0 && !keys(in: file).isEmpty
        }
    }

    /// Somebody holds a device, or a crash has left it held.
    func knows(_ input: String) -> Bool { access("\(directory)/\(input)", F_OK) == 0 }

    /// What another program has swapped on a device; `nil` where nobody holds it.
    func keysHeldElsewhere(_ input: String) -> [SwappedKey]? {
        guard let file = try? Descriptor(opening: "\(directory)/\(input)", flags: O_RDONLY | O_NOFOLLOW),
            flock(file.number, LOCK_SH | LOCK_NB) != 0
        else { return nil }
        return Self.keys(in: file)
    }

    // MARK: Files

    /// Opens and locks a file that nobody else has locked.
    ///
    /// A file that went away under its name while it was locked is another holder's business: busy too. A link is none
    /// of ours: root writes where the service's user does, and must not be led elsewhere.
    private static func lock(_ path: String, flags: CInt) throws(Refusal) -> Descriptor {
        let number = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard number >= 0 else { throw .unusable }
        let file = Descriptor(owning: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw errno == EWOULDBLOCK ? .busy : .unusable }
        var opened = stat()
        var named = stat()
        guard fstat(number, &opened) == 0, stat(path, &named) == 0, opened.st_ino == named.st_ino else {
            throw .busy
        }
        return file
    }

    private static func keys(in file: borrowing Descriptor) -> [SwappedKey] {
        let most = 64 * SwappedKey.size
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, pread(file.number, buffer.baseAddress, most, 0))
        }
        var reader = ByteReader(bytes[...])
        return (0..<(bytes.count / SwappedKey.size)).compactMap { _ in try? SwappedKey(from: &reader) }
    }

    /// The path of a device's node, by the device's kernel name; `nil` where there is none.
    public static func node(of input: String) -> String? {
        names(in: "/sys/class/input/\(input)").first { $0.hasPrefix("event") }.map { "/dev/input/\($0)" }
    }

    private static func restore(_ keys: [SwappedKey], of input: String) -> Bool {
        guard let path = node(of: input), let node = try? NodeDescriptor(opening: path) else { return false }
        return keys.map { $0.restore(node) }.allSatisfy(\.self)
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}

/// A node that this program holds; given up when it goes.
final class HoldClaim {
    private let path: String
    private let file: Descriptor

    fileprivate init(path: String, file: consuming Descriptor) {
        self.path = path
        self.file = file
    }

    // The lock goes with the descriptor; the name before it, so that nobody locks a file that is about to go.
    deinit { unlink(path) }
}
