import CLinux
import Glibc

/// A listening `SOCK_STREAM` socket in the file system. Its file is removed with it.
package final class StreamListener {
    /// The socket's path.
    package let path: String
    private let descriptor: Descriptor
    /// The identity of the socket's file, because another file may later replace it under the same name.
    private let file: FileNumber?
    private let lock: LockFile
    private let servesOthers: Bool

    /// Listens at a path, with mode 0600. A socket left behind, on which no process listens, is replaced.
    ///
    /// The corresponding C functions are `bind(2)` and `listen(2)`.
    ///
    /// - Parameters:
    ///   - path: the socket's path.
    ///   - lock: what a program of ours has locked as long as it listens there. So a socket without a listener is
    ///     one that a killed program has left, not one of a program that is about to listen.
    ///   - servesOthers: whether programs of other users are accepted, if the mode of the socket lets them connect.
    /// - Throws: `SystemCallError`: `EADDRINUSE` where a program without the lock listens there or the path is another file, `ENOENT`
    ///   where its directory is missing.
    package init(_ path: String, lock: LockFile, servesOthers: Bool = false) throws(SystemCallError) {
        self.path = path
        self.lock = lock
        self.servesOthers = servesOthers
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
    package var number: CInt { descriptor.number }

    /// Accepts the next connection, non-blocking. The corresponding C function is `accept4(2)`.
    ///
    /// - Returns: `nil` where none waits, or its program is another user's and is not served.
    /// - Throws: `SystemCallError`, such as `EMFILE` where no descriptor is left; the connection stays queued then.
    package func accept() throws(SystemCallError) -> Descriptor? {
        do throws(SystemCallError) {
            let connection = Descriptor(owning: try systemCall("accept4", path) { clinux_accept(number) })
            if servesOthers || SocketPeer(connection.number)?.isOwn == true { return connection }
            return nil
        } catch  where error.errno == EAGAIN || error.errno == ECONNABORTED {
            return nil
        }
    }

    /// Connects to a listener of this user, non-blocking. The corresponding C function is `connect(2)`.
    ///
    /// - Throws: `SystemCallError`: `ECONNREFUSED` or `ENOENT` where no process listens there, `EPERM` where the one that does or
    ///   the socket is another user's.
    package static func connect(_ path: String) throws(SystemCallError) -> Descriptor {
        if isOfOther(path) { throw SystemCallError(call: "connect", subject: path, errno: EPERM) }
        let socket = try withSocketPath(path) { short throws(SystemCallError) in
            Descriptor(
                owning: try systemCall("connect", path) {
                    clinux_connect(short, CInt(SOCK_STREAM.rawValue))
                })
        }
        guard SocketPeer(socket.number)?.isOwn == true else {
            throw SystemCallError(call: "connect", subject: path, errno: EPERM)
        }
        return socket
    }

    private static func listen(_ path: String) throws(SystemCallError) -> Descriptor {
        try withSocketPath(path) { short throws(SystemCallError) in
            Descriptor(owning: try systemCall("bind", path) { clinux_listen(short) })
        }
    }

    /// Whether the path is a socket on which no process listens.
    private static func isAbandoned(_ path: String) -> Bool {
        do throws(SystemCallError) { _ = try connect(path) } catch {
            return error.errno == ECONNREFUSED && isSocket(path)
        }
        return false
    }

    /// Whether the path is a socket, whether or not a process listens on it.
    package static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Whether what is at a path is neither this user's nor root's: its owner would hear what is sent there.
    package static func isOfOther(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid != geteuid() && status.st_uid != 0
    }

    /// The longest path in bytes of a socket that any program can connect to; see unix(7).
    package static let maxPath = 107

    /// Calls `body` with a path of at most `maxPath` bytes: a longer one is reached through its directory, which is open as long.
    private static func withSocketPath(
        _ path: String, _ body: (String) throws(SystemCallError) -> Descriptor
    ) throws(SystemCallError) -> Descriptor {
        guard path.utf8.count > maxPath, let slash = path.lastIndex(of: "/") else { return try body(path) }
        let directory = try Descriptor(opening: parentDirectory(path), flags: O_RDONLY | O_DIRECTORY)
        return try body("/proc/self/fd/\(directory.number)" + path[slash...])
    }
}
