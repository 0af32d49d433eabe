import CLinux
import Glibc
public import System

/// Which program intercepts which node, and what is remapped on it: a file for each, written before anything is changed.
///
/// A key map outlives the program that changed it. So the file stays after a crash, and whoever starts next restores what it
/// says. The program that intercepts keeps it locked (`flock(2)`): a file that is not locked is one that a crash left behind.
public final class InterceptionRegistry {
    private let directory: RegistryDirectory
    private let watch: DirectoryWatch
    /// Knows of each interception; `nil` where nobody watches the process.
    var watchdog: Watchdog?

    /// Where interceptions are written down, the best directory first; the others are used where that cannot be, and what is there
    /// is restored too.
    ///
    /// A user's are in `$XDG_STATE_HOME/counter/interceptions` (XDG Base Directory Specification), for a logout empties
    /// `$XDG_RUNTIME_DIR`, and a key map outlives it.
    ///
    /// - Parameter isService: systemd has started this process for its socket, and has made a directory for it. The variable
    ///   that names the directory is nobody's word where it has not.
    /// - Returns: paths; none where there is no such directory.
    public static func directories(isService: Bool) -> [String] {
        if isService, let directory = variable("RUNTIME_DIRECTORY") { return [directory] }
        if getuid() == 0 { return ["/run/counter"] }
        let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
        return [
            state.map { $0 + "/counter/interceptions" }, variable("XDG_RUNTIME_DIR").map { $0 + "/counter" },
        ].compactMap(\.self)
    }

    /// A path in a variable counts only where it is absolute, as the specification says.
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value[0] == CChar(UInt8(ascii: "/")) else { return nil }
        return String(cString: value)
    }

    /// The registry of this process: in the first directory that can be used.
    ///
    /// - Parameter isService: as in ``directories(isService:)``.
    /// - Returns: `nil` where there is no such directory.
    static func first(isService: Bool) -> InterceptionRegistry? {
        for directory in directories(isService: isService) {
            if let registry = try? InterceptionRegistry(directory) { return registry }
        }
        return nil
    }

    /// Restores what programs left remapped that are no more, in whichever directory that is written down.
    ///
    /// - Parameter isService: as in ``directories(isService:)``.
    static func restoreAllAbandoned(isService: Bool) {
        for directory in directories(isService: isService) { _ = try? restoreAbandoned(in: directory) }
    }

    /// Makes the directory where it is missing, and those above it. Of root's own everybody may know what is in there, not what
    /// that says: the service's socket comes into it, and whoever connects has to get there.
    ///
    /// - Throws: `SystemCallError` where it cannot be made, opened or watched; see ``RegistryDirectory``.
    public init(_ path: String) throws(SystemCallError) {
        try Self.make(path)
        directory = try RegistryDirectory(path)
        watch = try DirectoryWatch(path, mask: UInt32(IN_DELETE | IN_ONLYDIR | IN_DONT_FOLLOW))
    }

    private static func make(_ path: String) throws(SystemCallError) {
        if mkdir(path, 0o700) == 0 {
            if getuid() == 0 { chmod(path, 0o755) }
            return
        }
        if errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw SystemCallError(call: "mkdir", subject: path)
        }
        try make(String(path[..<slash]))
        // Another program may have made it meanwhile.
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SystemCallError(call: "mkdir", subject: path)
        }
    }

    /// The descriptor to poll: readable when a node has been given back.
    var number: CInt { watch.number }

    /// Takes note that something was given back.
    func drain() { _ = watch.drain() }

    /// Claims a node for this program and writes down what will be remapped.
    ///
    /// - Parameters:
    ///   - input: the kernel's name of the device, `inputN`, which is never used again before a boot.
    ///   - remapping: what will be changed; nothing for a grab.
    /// - Returns: the claim; the node is given up with it.
    /// - Throws: `RegistryDirectory.Refusal`: `unusable` too where a file of that name is not this program's. An empty one may
    ///   be: a crash may come between making a record and writing it.
    func claim(
        _ input: String, _ remapping: Remapping
    ) throws(RegistryDirectory.Refusal) -> InterceptionClaim {
        let file = try directory.lock(input, isNew: true)
        let before = directory.content(of: file)
        let bytes = InterceptionRecord(remapping).bytes
        let isEmpty = lseek(file.number, 0, SEEK_END) == 0
        guard isEmpty || InterceptionRecord(before) != nil,
            pwrite(file.number, bytes, bytes.count, 0) == bytes.count,
            ftruncate(file.number, bytes.count) == 0
        else { throw .unusable }
        return InterceptionClaim(directory: directory, name: input, file: file)
    }

    /// Restores what programs left remapped that are no more.
    ///
    /// What cannot be restored now, for want of permission, stays written down.
    ///
    /// - Returns: the devices that were restored, by their kernel names.
    @discardableResult
    public func restoreAbandoned() -> [String] { directory.restoreAbandoned() }

    /// The same for any directory, such as a user's whose nodes only root may open any more. It is not made where it is missing.
    ///
    /// - Throws: `SystemCallError` where it cannot be opened; see ``RegistryDirectory``.
    public static func restoreAbandoned(in path: String) throws(SystemCallError) -> [String] {
        do throws(SystemCallError) {
            return try RegistryDirectory(path).restoreAbandoned()
        } catch  where error.errno == ENOENT { return [] }
    }

    /// The devices whose key maps a crash left remapped, by their kernel names.
    public static func abandoned(in path: String) -> [String] {
        guard let directory = try? RegistryDirectory(path) else { return [] }
        return directory.names.filter { name in
            guard let file = try? directory.lock(name),
                let record = InterceptionRecord(directory.content(of: file))
            else { return false }
            return record.isOfThisBoot && !record.remapping.isEmpty && InputDevice.exists(name)
        }
    }

    /// A program intercepts a device, or has when it crashed.
    func knows(_ input: String) -> Bool { directory.contains(input) }

    /// What another program has remapped on a device; `nil` where none intercepts it.
    func keysRemappedElsewhere(_ input: String) -> [RemappedKey]? {
        directory.contentLockedElsewhere(input).flatMap(InterceptionRecord.init)?.remapping.keys
    }
}

/// A node that this program intercepts; given up when it goes.
final class InterceptionClaim {
    private let directory: RegistryDirectory
    private let name: String
    private let file: Descriptor

    fileprivate init(directory: RegistryDirectory, name: String, file: consuming Descriptor) {
        self.directory = directory
        self.name = name
        self.file = file
    }

    // The lock goes with the descriptor; the name before it, so that nobody locks a file that is about to go.
    deinit { directory.remove(name, file) }
}

extension RegistryDirectory {
    /// - Returns: the devices that were restored, by their kernel names.
    fileprivate func restoreAbandoned() -> [String] { names.filter(restoreIfAbandoned) }

    private func restoreIfAbandoned(_ name: String) -> Bool {
        // Locked: the program that intercepts it is alive.
        guard let file = try? lock(name), let record = InterceptionRecord(content(of: file)) else {
            return false
        }
        guard record.isOfThisBoot, !record.remapping.isEmpty, InputDevice.exists(name) else {
            remove(name, file)
            return false
        }
        // What another user has written down is believed only as far as it can do no harm.
        guard !owner.isOther || record.remapping.keys.allSatisfy(\.isServed),
            InputDevice.restore(record.remapping, of: name)
        else { return false }
        remove(name, file)
        return true
    }
}
