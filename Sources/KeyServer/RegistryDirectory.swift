import Glibc
import Linux

/// The directory of an ``InterceptionRegistry``, and its files that this program may have written.
///
/// The directory stays open, and files are reached only through its descriptor (`openat(2)`, `unlinkat(2)`), so no
/// other process can replace it by another directory or a link. Files with an unexpected name, another owner or
/// several links, and all but regular files, are ignored.
final class RegistryDirectory {
    enum RecordError: Error, Hashable {
        /// Another program has locked it.
        case busy
        /// It cannot be opened, or this program has not made it.
        case unusable
    }

    /// The longest file that can be a record.
    private static let maxBytes = 4096

    let owner: FileOwner
    private let descriptor: Descriptor

    /// Opens a directory that no other user can change; a link to one is refused. Root may also open another user's,
    /// and acts as that user there. Throws `ENOENT` if there is none, `ENOTDIR` or `ELOOP` if it is something else,
    /// `EPERM` if it is not trusted.
    init(_ path: String) throws(SystemCallError) {
        descriptor = try Descriptor(opening: path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        var status = stat()
        let number = descriptor.number
        try systemCall("fstat", path) { fstat(number, &status) }
        owner = FileOwner(user: status.st_uid)
        if !owner.isOther || geteuid() != 0 { _ = try TrustedFile(path) }
    }

    /// The names of files that may be records: `input` and the kernel's number.
    var names: [String] { entries.filter(Self.isRecord) }

    private var entries: [String] {
        let stream = owner.act { openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            .flatMap { $0 < 0 ? nil : fdopendir($0) }
        return stream.map { directoryEntries(closing: $0) } ?? []
    }

    private static func isRecord(_ name: String) -> Bool { isNumber(name, after: "input") }

    private static func isNumber(_ name: some StringProtocol, after prefix: String) -> Bool {
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        return name.hasPrefix(prefix) && !digits.isEmpty
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The name of the file that is locked while a client of a user takes precedence on a device.
    static func precedence(of user: uid_t, on input: String) -> String { "\(input).user\(user)" }

    var precedences: [String] { entries.filter(Self.isPrecedence) }

    static func isPrecedence(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && isNumber(parts[0], after: "input") && isNumber(parts[1], after: "user")
    }

    /// Whether it is the name of a file that this program writes here.
    static func isKnown(_ name: String) -> Bool { isRecord(name) || isPrecedence(name) }

    func contains(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Opens and locks a file that no other process has locked, with `O_CREAT` in `flags` if it is to be made. A file
    /// that was removed or replaced while it was locked belongs to another interceptor: `busy` too.
    ///
    /// An empty file is locked only by a program that makes one, until it has written to it. So no program that looks
    /// at the files keeps another one from making them, even if it loses the processor meanwhile.
    func lock(_ name: String, _ flags: CInt = O_RDWR) throws(RecordError) -> Descriptor {
        let file = try open(name, flags)
        if flags & O_CREAT == 0, isEmpty(file) { throw .unusable }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .busy : .unusable
        }
        guard isStill(name, file) else { throw .busy }
        return file
    }

    /// The content of a file that another program has locked; `nil` if none has.
    func contentLockedElsewhere(_ name: String) -> [UInt8]? {
        guard let file = try? open(name, O_RDONLY), !isEmpty(file),
            flock(file.number, LOCK_SH | LOCK_NB) != 0
        else { return nil }
        return content(of: file)
    }

    /// All bytes of a file; none if there are more than in any record.
    func content(of file: borrowing Descriptor) -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.maxBytes) { buffer, count in
            count = max(0, pread(file.number, buffer.baseAddress, Self.maxBytes, 0))
        }
        return bytes.count < Self.maxBytes ? bytes : []
    }

    func isEmpty(_ file: borrowing Descriptor) -> Bool { lseek(file.number, 0, SEEK_END) == 0 }

    /// Removes a locked file, unless another file has its name by now.
    func remove(_ name: String, _ file: borrowing Descriptor) {
        guard isStill(name, file) else { return }
        _ = owner.act { unlinkat(descriptor.number, name, 0) }
    }

    private func open(_ name: String, _ flags: CInt) throws(RecordError) -> Descriptor {
        guard Self.isKnown(name) else { throw .unusable }
        let number = owner.act {
            openat(descriptor.number, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        }
        guard let number, number >= 0 else { throw .unusable }
        let file = Descriptor(owning: number)
        guard isOwn(file) else { throw .unusable }
        return file
    }

    private func isOwn(_ file: borrowing Descriptor) -> Bool {
        var status = stat()
        return fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            && status.st_uid == owner.user
    }

    private func isStill(_ name: String, _ file: borrowing Descriptor) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(file.number, &opened) == 0
            && fstatat(descriptor.number, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}

/// The user whose files are read, written and removed.
///
/// Root acts with that user's id: whatever links and names are prepared, it can do no more than the user could.
struct FileOwner: Hashable {
    let user: uid_t
    /// A group that owns nothing; Linux shows it for groups that it cannot map (`/proc/sys/kernel/overflowgid`).
    private static let noGroup: gid_t = 65_534

    /// Whether this process acts for another user.
    var isOther: Bool { user != geteuid() }

    /// Runs `body` with the user's id and none of root's groups (setgroups(2), seteuid(2)). `nil` if that is not allowed.
    func act(_ body: () -> CInt) -> CInt? {
        if !isOther { return body() }
        guard geteuid() == 0 else { return nil }
        let group = getegid()
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        guard getgroups(CInt(groups.count), &groups) >= 0, setgroups(0, nil) == 0 else { return nil }
        defer { Self.becomeRoot(group, groups) }
        guard setegid(Self.noGroup) == 0, seteuid(user) == 0 else { return nil }
        return body()
    }

    /// Aborts if root's ids cannot be restored: nothing may run with the ids of two users mixed.
    private static func becomeRoot(_ group: gid_t, _ groups: [gid_t]) {
        guard seteuid(0) == 0, setegid(group) == 0, setgroups(groups.count, groups) == 0 else { abort() }
    }
}
