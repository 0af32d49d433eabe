import Glibc
import System

/// The directory of an ``InterceptionRegistry``, and the files in it that may be this program's.
///
/// It is held open, and files are reached through it alone (`openat(2)`, `unlinkat(2)`): nobody can exchange it or put a link
/// in its place meanwhile. Files with another name, of another owner, with more names than one, and whatever is no regular
/// file, do not exist for it.
final class RegistryDirectory {
    /// Why there is no record to be had.
    enum Refusal: Error, Hashable {
        /// Another program has locked it.
        case busy
        /// It cannot be opened, or is not this program's.
        case unusable
    }

    /// The longest file that can be a record.
    private static let maxBytes = 4096

    /// Whose directory it is.
    let owner: FileOwner
    private let descriptor: Descriptor

    /// Opens a directory, which is no link.
    ///
    /// - Throws: `SystemCallError`: `ENOENT` where there is none, `ENOTDIR` or `ELOOP` where it is something else, `EPERM`
    ///   where it belongs to another user and this one is not root.
    init(_ path: String) throws(SystemCallError) {
        descriptor = try Descriptor(opening: path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        var status = stat()
        let number = descriptor.number
        try systemCall("fstat", path) { fstat(number, &status) }
        owner = FileOwner(user: status.st_uid)
        if owner.isOther, geteuid() != 0 { throw SystemCallError(call: "open", subject: path, errno: EPERM) }
    }

    /// The names of the records there may be: `input` and the kernel's number.
    var names: [String] {
        let stream = owner.act { openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            .flatMap { $0 < 0 ? nil : fdopendir($0) }
        return stream.map(directoryEntries(closing:))?.filter(Self.isRecord) ?? []
    }

    private static func isRecord(_ name: String) -> Bool {
        let digits = name.utf8.dropFirst(5)
        return name.hasPrefix("input") && !digits.isEmpty
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// There is something of that name.
    func contains(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Opens and locks a file that nobody else has locked.
    ///
    /// One that went away under its name while it was locked is another interceptor's business: busy too.
    ///
    /// - Parameters:
    ///   - name: `inputN`.
    ///   - isNew: it is made where it is missing.
    /// - Returns: the file, open and locked.
    /// - Throws: `Refusal`
    func lock(_ name: String, isNew: Bool = false) throws(Refusal) -> Descriptor {
        let file = try open(name, O_RDWR | (isNew ? O_CREAT : 0))
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .busy : .unusable
        }
        guard isStill(name, file) else { throw .busy }
        return file
    }

    /// What another program has written down that has the file locked; `nil` where none has.
    func contentLockedElsewhere(_ name: String) -> [UInt8]? {
        guard let file = try? open(name, O_RDONLY), flock(file.number, LOCK_SH | LOCK_NB) != 0 else {
            return nil
        }
        return content(of: file)
    }

    /// All bytes of a file; none where there are more than any record has.
    func content(of file: borrowing Descriptor) -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.maxBytes) { buffer, count in
            count = max(0, pread(file.number, buffer.baseAddress, Self.maxBytes, 0))
        }
        return bytes.count < Self.maxBytes ? bytes : []
    }

    /// Removes a file that has been locked, unless another has its name by now.
    func remove(_ name: String, _ file: borrowing Descriptor) {
        guard isStill(name, file) else { return }
        _ = owner.act { unlinkat(descriptor.number, name, 0) }
    }

    private func open(_ name: String, _ flags: CInt) throws(Refusal) -> Descriptor {
        guard Self.isRecord(name) else { throw .unusable }
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
        var opened = stat()
        var named = stat()
        return fstat(file.number, &opened) == 0
            && fstatat(descriptor.number, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}
