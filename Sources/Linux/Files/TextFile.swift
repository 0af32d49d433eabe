import Glibc

/// A UTF-8 text file. On Linux, Foundation does not report why it cannot read a file.
package struct TextFile {
    /// In bytes.
    private static let limit = 1 << 20

    package let text: String

    /// `name` is for errors: 66 or 77 where it cannot be read, 65 where it is longer than 1 MiB, or not UTF-8 text.
    package init(path: String, name: String) throws(ProgramError) {
        let bytes: [UInt8]
        do throws(SystemCallError) {
            bytes = try Self.read(path)
        } catch {
            let isForbidden = [EACCES, EPERM].contains(error.errno)
            throw ProgramError(
                "\(name): cannot be read: \(error.reason)", remedy: remedy(forLimit: error.errno),
                status: isForbidden ? EX_NOPERM : EX_NOINPUT)
        }
        if bytes.count > Self.limit {
            throw ProgramError("\(name): is longer than \(Self.limit) bytes", status: EX_DATAERR)
        }
        // Some editors write a byte order mark first.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let unmarked = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validating: unmarked, as: UTF8.self) else {
            throw ProgramError("\(name): is no text in UTF-8", status: EX_DATAERR)
        }
        self.text = text
    }

    /// More than `limit` bytes where there are more. Throws `ENOTSUP` for a named pipe, which would have to be awaited.
    private static func read(_ path: String) throws(SystemCallError) -> [UInt8] {
        let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
        if try file.status().st_mode & S_IFMT == S_IFIFO {
            throw SystemCallError(call: "read", errno: ENOTSUP)
        }
        return try file.readAll(limit: limit)
    }

    /// Replaces a file and keeps its mode, or makes it with mode 0600: after a power cut it has either its old text or
    /// the new one, and the new one once this has returned. Where two programs may write it, see `change`. When it
    /// throws, the file is as before, and no other is left. One that is not `isDurable` may be empty after a power cut.
    package static func replace(
        _ path: String, by text: String, isDurable: Bool = true
    ) throws(SystemCallError) {
        let folder = parentDirectory(path)
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        let directory = try Descriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
        // Hidden, so that a listing of the folder does not take what a kill leaves for a file of its own.
        let new = "\(folder)/.\(name).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let file = try Descriptor(from: "open", path) {
            open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        do throws(SystemCallError) {
            try fill(file, Array(text.utf8), for: path, isDurable: isDurable)
            try systemCall("rename", path) { rename(new, path) }
        } catch {
            unlink(new)
            throw error
        }
        // Some file systems cannot sync a directory, which is then no error.
        if isDurable { _ = fsync(directory.number) }
    }

    private static func fill(
        _ file: borrowing Descriptor, _ bytes: [UInt8], for path: String, isDurable: Bool
    ) throws(SystemCallError) {
        try file.write(all: bytes, path)
        let number = file.number
        var status = stat()
        if stat(path, &status) == 0 {
            try systemCall("fchmod", path) { fchmod(number, status.st_mode & 0o777) }
        }
        if isDurable { try systemCall("fsync", path) { fsync(number) } }
    }

    /// Replaces a file by what `body` makes of its text (empty where there is no file), while no other program changes
    /// it this way. Its directory is made where it is missing; where the file is a link, what it leads to is replaced.
    /// It waits for another program so long, or, as a screen calls it, not. Throws 73 where it cannot be written, or what
    /// reading or `body` throws.
    package static func change(
        _ path: String, waitingFor patience: Duration = .zero,
        by body: (String) throws(ProgramError) -> String
    ) throws(ProgramError) {
        let file: String
        let lock: LockFile
        do throws(SystemCallError) {
            try makeOwnDirectory(parentDirectory(path))
            file = try target(of: path)
            lock = try LockFile(file + ".lock", until: .now + patience)
        } catch { throw notWritten(path, error) }
        let changed = try body(access(file, F_OK) == 0 ? TextFile(path: file, name: path).text : "")
        do throws(SystemCallError) { try replace(file, by: changed) } catch { throw notWritten(path, error) }
        withExtendedLifetime(lock) {}
    }

    /// What a link leads to, also where that is missing; else the path itself.
    private static func target(of path: String) throws(SystemCallError) -> String {
        do throws(SystemCallError) {
            return try TrustedFile(path).path
        } catch  where error.errno == ENOENT { return error.subject }
    }

    /// nil where there is no file.
    package static func text(ifAny path: String) throws(ProgramError) -> String? {
        if access(path, F_OK) != 0, errno == ENOENT { return nil }
        return try TextFile(path: path, name: path).text
    }

    private static func notWritten(_ path: String, _ error: SystemCallError) -> ProgramError {
        let why = error.errno == EWOULDBLOCK ? "another program is changing it" : error.reason
        return ProgramError(
            "\(path): cannot be written: \(why)", remedy: Linux.remedy(forLimit: error.errno),
            status: EX_CANTCREAT)
    }
}

extension Clock {
    /// The random id of this run of the kernel; see random(4). `nil` where the kernel does not tell.
    package static let bootId = (try? TextFile(path: "/proc/sys/kernel/random/boot_id", name: "boot_id"))
        .map { String($0.text.prefix { !$0.isNewline }) }
}

/// A short text that the kernel or systemd writes, of at most 64 KiB, read at once; `nil` where it cannot be.
package func shortText(of path: String) -> String? {
    guard let file = try? Descriptor(opening: path, flags: O_RDONLY) else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
        (try? file.read(into: buffer)).map { String(decoding: buffer[..<$0], as: UTF8.self) }
    }
}
