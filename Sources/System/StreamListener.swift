import CLinux
import Glibc

/// A `SOCK_STREAM` socket in the file system at which this user's programs connect. Its file goes with it.
public final class StreamListener {
    /// Where it listens.
    public let path: String
    private let descriptor: Descriptor
    /// The file that was made, for another may stand under its name later.
    private let file: FileNumber?

    /// Listens at a path, with mode 0600. A socket that nobody listens at any more is replaced.
    ///
    /// The corresponding C functions are `bind(2)` and `listen(2)`.
    ///
    /// - Throws: `SystemCallError`: `EADDRINUSE` where another program listens there, or where there is another file,
    ///   `ENOENT` where its directory is missing, `ENAMETOOLONG` above 107 bytes.
    public init(_ path: String) throws(SystemCallError) {
        self.path = path
        do throws(SystemCallError) { descriptor = try Self.listen(path) } catch {
            guard error.errno == EADDRINUSE, Self.isAbandoned(path) else { throw error }
            unlink(path)
            descriptor = try Self.listen(path)
        }
        file = FileNumber(path)
    }

    deinit {
        if let file, FileNumber(path) == file { unlink(path) }
    }

    /// The descriptor to poll; readable when somebody has connected.
    public var number: CInt { descriptor.number }

    /// The next connection, non-blocking. The corresponding C function is `accept4(2)`.
    ///
    /// - Returns: `nil` where none waits.
    /// - Throws: `SystemCallError`, such as `EMFILE` where there is no descriptor left for it: it goes on waiting then.
    public func accept() throws(SystemCallError) -> Descriptor? {
        do throws(SystemCallError) {
            return Descriptor(owning: try systemCall("accept4", path) { clinux_accept(number) })
        } catch  where error.errno == EAGAIN || error.errno == ECONNABORTED {
            return nil
        }
    }

    private static func listen(_ path: String) throws(SystemCallError) -> Descriptor {
        Descriptor(owning: try systemCall("bind", path) { clinux_listen(path) })
    }

    /// Whether a socket stands there at which nobody listens.
    private static func isAbandoned(_ path: String) -> Bool {
        let number = clinux_connect(path, CInt(SOCK_STREAM.rawValue))
        guard number < 0 else {
            close(number)
            return false
        }
        return errno == ECONNREFUSED && isSocket(path)
    }

    /// Whether a socket stands at a path, whoever listens there.
    public static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

/// What a file is by, whatever it is called (inode(7)).
private struct FileNumber: Equatable {
    let device: dev_t
    let inode: ino_t

    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
