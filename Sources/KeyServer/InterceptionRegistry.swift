import CLinux
import Glibc
package import Linux

/// Which nodes are intercepted, and how their key maps are changed: a file per node, written before the change.
///
/// A key map outlives the program that changed it, so the file stays after a crash, and the next start restores the
/// map. The intercepting program keeps the file locked (`flock(2)`): a file without a lock is left from a crash.
package final class InterceptionRegistry {
    private let directory: RegistryDirectory
    private let watch: DirectoryWatch
    /// The content of a file of precedence, which shows that this program wrote it.
    fileprivate static let precedenceMark = Array("counter-keys precedence\n".utf8)
    /// Runs during each interception; `nil` if this process has no watchdog.
    var watchdog: Watchdog?

    /// The directories for records, the preferred one first. Another is used if it cannot be; abandoned records are
    /// restored from all of them. `isService`: systemd has started this process for its socket, and has made a
    /// directory for it (`RUNTIME_DIRECTORY`); otherwise that variable is ignored.
    ///
    /// A user's records are in `$XDG_STATE_HOME/counter/interceptions` (XDG Base Directory Specification): a logout
    /// empties `$XDG_RUNTIME_DIR`, but does not restore a key map.
    package static func directories(isService: Bool) -> [String] {
        if isService, let directory = ProgramFiles.path(in: "RUNTIME_DIRECTORY") { return [directory] }
        if getuid() == 0 { return ["/run/counter"] }
        let home = ProgramFiles.path(in: "HOME")
        let state = ProgramFiles.path(in: "XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
        return [
            state.map { $0 + "/counter/interceptions" },
            ProgramFiles.runtimeDirectory.map { $0 + "/counter" },
        ].compactMap(\.self)
    }

    /// The registry of this process, in the first directory that can be used.
    static func first(isService: Bool) -> InterceptionRegistry? {
        for directory in directories(isService: isService) {
            if let registry = try? InterceptionRegistry(directory) { return registry }
        }
        return nil
    }

    /// Makes the directory and its parents where they are missing. Root's directory is listable by all users (0755),
    /// because the service's socket is in it; the records themselves are readable by root only.
    package init(_ path: String) throws(SystemCallError) {
        let isNew = access(path, F_OK) != 0
        try makeOwnDirectory(path)
        if isNew, getuid() == 0 { chmod(path, 0o755) }
        directory = try RegistryDirectory(path)
        let changes = IN_DELETE | IN_ATTRIB | IN_CLOSE_WRITE
        watch = try DirectoryWatch(path, mask: UInt32(changes | IN_EXCL_UNLINK | IN_ONLYDIR | IN_DONT_FOLLOW))
    }

    /// Readable when a program has released a node, or taken or given up precedence.
    var number: CInt { watch.number }

    /// When to restore what a killed server has left; `nil` while none is known to have been killed.
    private(set) var restoring: MonotonicTime?
    /// The kernel reports that a file is closed (IN_CLOSE_WRITE) just before it ends the file's lock.
    private static let unlocking = Duration.milliseconds(100)

    /// Reads what the watch reports; returns whether the caller has to look at its nodes again. A server removes the
    /// file of a precedence before it closes it, unless it is killed.
    func drain() -> Bool {
        let events = watch.drain()
        let closed = events.filter { $0.mask & UInt32(IN_CLOSE_WRITE) != 0 }
        if closed.contains(where: { RegistryDirectory.isPrecedence($0.name) }) {
            restoring = .now + Self.unlocking
        }
        return events.contains {
            $0.mask & UInt32(IN_Q_OVERFLOW) != 0
                || $0.mask & UInt32(IN_DELETE | IN_ATTRIB) != 0 && RegistryDirectory.isKnown($0.name)
        }
    }

    /// Whether `restoring` has passed; only once.
    func isRestoringDue() -> Bool {
        guard let moment = restoring, moment <= .now else { return false }
        restoring = nil
        return true
    }

    /// Claims a node, by the kernel's name for the device, and writes down what will be remapped; nothing for a grab.
    ///
    /// Throws `busy` if another program intercepts the node; `unusable` if the record cannot be written, or the file
    /// is not this program's. An empty file counts as its own: a crash may come between making and writing.
    func claim(
        _ input: String, _ remapping: Remapping
    ) throws(RegistryDirectory.RecordError) -> InterceptionClaim {
        try claim(input, writing: InterceptionRecord(remapping).bytes) { InterceptionRecord($0) != nil }
    }

    /// Locks a file and writes it, if it is empty or its content is this program's.
    private func claim(
        _ name: String, writing bytes: [UInt8], over isOwn: ([UInt8]) -> Bool
    ) throws(RegistryDirectory.RecordError) -> InterceptionClaim {
        let file = try directory.lock(name, O_RDWR | O_CREAT)
        let before = directory.content(of: file)
        guard directory.isEmpty(file) || isOwn(before),
            pwrite(file.number, bytes, bytes.count, 0) == bytes.count,
            ftruncate(file.number, bytes.count) == 0
        else { throw .unusable }
        return InterceptionClaim(directory: directory, name: name, file: file)
    }

    /// Restores the key maps that crashed programs left changed, and returns the devices by their kernel names. The
    /// record of a map that cannot be restored now, for lack of permission, is kept.
    @discardableResult
    package func restoreAbandoned() -> [String] { directory.restoreAbandoned() }

    /// The same for any directory's records, such as those of a user who may no longer open the nodes. A missing
    /// one is not made.
    package static func restoreAbandoned(in path: String) throws(SystemCallError) -> [String] {
        do throws(SystemCallError) {
            return try RegistryDirectory(path).restoreAbandoned()
        } catch  where error.errno == ENOENT { return [] }
    }

    /// The devices whose key maps a crash left changed, by their kernel names.
    package static func abandoned(in path: String) -> [String] {
        guard let directory = try? RegistryDirectory(path) else { return [] }
        return directory.names.filter { name in
            guard let file = try? directory.lock(name),
                let record = InterceptionRecord(directory.content(of: file))
            else { return false }
            return record.isOfThisBoot && !record.remapping.isEmpty && KernelDevice.exists(name)
        }
    }

    /// Takes precedence on a device for a client of `user`, whom the server has authenticated: the user's other clients
    /// of every server that uses this directory yield the device's keys until the claim is released or this process
    /// ends. `nil` if another client of the user has precedence, or the file cannot be made.
    func claimPrecedence(of user: uid_t, on input: String) -> InterceptionClaim? {
        // Opened for writing in vain, the file would seem to have been closed by a crash.
        guard !hasPrecedence(user, on: input) else { return nil }
        let name = RegistryDirectory.precedence(of: user, on: input)
        let precedence = try? claim(name, writing: Self.precedenceMark) { $0 == Self.precedenceMark }
        precedence?.announce()
        return precedence
    }

    func hasPrecedence(_ user: uid_t, on input: String) -> Bool {
        directory.contentLockedElsewhere(RegistryDirectory.precedence(of: user, on: input))
            == Self.precedenceMark
    }

    /// Whether there is a record of a device: a program intercepts it, or crashed while it did.
    func knows(_ input: String) -> Bool { directory.contains(input) }

    /// The keys that another program has remapped on a device; `nil` if no other program intercepts it.
    func keysRemappedElsewhere(_ input: String) -> [RemappedKey]? {
        directory.contentLockedElsewhere(input).flatMap(InterceptionRecord.init)?.remapping.keys
    }
}

/// The record of a node that this program intercepts, or the file of a client's precedence; removed with this object.
final class InterceptionClaim {
    private let directory: RegistryDirectory
    private let name: String
    private let file: Descriptor

    fileprivate init(directory: RegistryDirectory, name: String, file: consuming Descriptor) {
        self.directory = directory
        self.name = name
        self.file = file
    }

    /// Reported to the watches of all servers (IN_ATTRIB): the file is new or locked only now.
    fileprivate func announce() { futimens(file.number, nil) }

    // Removed before the descriptor closes, which ends the lock: another program could lock a file about to be removed.
    deinit { directory.remove(name, file) }
}

extension RegistryDirectory {
    fileprivate func restoreAbandoned() -> [String] {
        for name in precedences {
            // Open for writing, its closing would be reported as a crash.
            guard let file = try? lock(name, O_RDONLY),
                content(of: file) == InterceptionRegistry.precedenceMark
            else { continue }
            remove(name, file)
        }
        return names.filter(restoreIfAbandoned)
    }

    private func restoreIfAbandoned(_ name: String) -> Bool {
        // A locked record belongs to a program that is running.
        guard let file = try? lock(name), let record = InterceptionRecord(content(of: file)) else {
            return false
        }
        guard record.isOfThisBoot, !record.remapping.isEmpty, KernelDevice.exists(name) else {
            remove(name, file)
            return false
        }
        // Another user's record is carried out only for keys that the service intercepts, so that it can do no harm.
        guard !owner.isOther || record.remapping.keys.allSatisfy(\.isServed),
            KernelDevice.restore(record.remapping, of: name)
        else { return false }
        remove(name, file)
        return true
    }
}
