import CLinux
import Glibc

/// A listening `SOCK_STREAM` socket in the file system for programs of the same user. Its file is removed with it.
public final class StreamListener {
    /// The socket's path.
    public let path: String
    private let descriptor: Descriptor
    /// The identity of the socket's file, because another file may later replace it under the same name.
    private let file: FileNumber?

    /// Listens at a path, with mode 0600. A socket left behind, on which no process listens, is replaced.
    ///
    /// The corresponding C functions are `bind(2)` and `listen(2)`.
    ///
    /// - Throws: `SystemCallError`: `EADDRINUSE` where another program listens there or the path is another file, `ENOENT`
    ///   where its directory is missing, `ENAMETOOLONG` for a path of more than 107 bytes.
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

    /// The descriptor to poll; readable when a client has connected.
    public var number: CInt { descriptor.number }

    /// Accepts the next connection, non-blocking. The corresponding C function is `accept4(2)`.
    ///
    /// - Returns: `nil` where none waits.
    /// - Throws: `SystemCallError`, such as `EMFILE` where no descriptor is left; the connection stays queued then.
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

    /// Whether the path is a socket on which no process listens.
    private static func isAbandoned(_ path: String) -> Bool {
        let number = clinux_connect(path, CInt(SOCK_STREAM.rawValue))
        guard number < 0 else {
            close(number)
            return false
        }
        return errno == ECONNREFUSED && isSocket(path)
    }

    /// Whether the path is a socket, whether or not a process listens on it.
    public static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

/// The identity of a file, independent of its name (inode(7)).
private struct FileNumber: Equatable {
    let device: dev_t
    let inode: ino_t

    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
