import CLinux
import Glibc

/// A listening `SOCK_STREAM` socket in the file system. Its file is removed with it.
package final class StreamListener {
    package let path: String
    private let descriptor: Descriptor
    /// The identity of the socket's file, because another file may later replace it under the same name.
    private let file: FileNumber?
    private let lock: LockFile
    private let servesOthers: Bool

    /// Listens at a path, with mode 0600. A socket left behind, on which no process listens, is replaced: a program of
    /// ours has `lock` locked as long as it listens there, so a socket without a listener is one that a killed program
    /// has left, not one of a program that is about to listen. `servesOthers`: programs of other users are accepted, if
    /// the mode of the socket lets them connect.
    ///
    /// Throws `EADDRINUSE` where a program without the lock listens there or the path is another file, `ENOENT` where
    /// its directory is missing.
    package init(_ path: String, lock: LockFile, servesOthers: Bool = false) throws(SystemCallError) {
        (self.path, self.lock, self.servesOthers) = (path, lock, servesOthers)
        do throws(SystemCallError) { descriptor = try Self.listen(path) } catch {
            guard error.errno == EADDRINUSE, Self.isAbandoned(path) else { throw error }
            unlink(path)
            descriptor = try Self.listen(path)
        }
        file = FileNumber(path)
    }

    deinit { if let file, FileNumber(path) == file { unlink(path) } }

    package var number: CInt { descriptor.number }

    /// The next connection, non-blocking; `nil` where none waits, or its program is another user's and is not served.
    /// Throws such as `EMFILE` where no descriptor is left; the connection stays queued then.
    package func accept() throws(SystemCallError) -> Descriptor? {
        do throws(SystemCallError) {
            let connection = try Descriptor(from: "accept4", path) { clinux_accept(number) }
            if servesOthers || SocketPeer(connection.number)?.isOwn == true { return connection }
            return nil
        } catch  where error.errno == EAGAIN || error.errno == ECONNABORTED { return nil }
    }

    /// Connects to a listener of this user, non-blocking. Throws `ECONNREFUSED` or `ENOENT` where no process listens
    /// there, `EPERM` where the one that does or the socket is another user's.
    package static func connect(_ path: String) throws(SystemCallError) -> Descriptor {
        if isOfOther(path) { throw SystemCallError(call: "connect", subject: path, errno: EPERM) }
        let socket = try withSocketPath(path) { short throws(SystemCallError) in
            try Descriptor(from: "connect", path) { clinux_connect(short, CInt(SOCK_STREAM.rawValue)) }
        }
        guard SocketPeer(socket.number)?.isOwn == true else {
            throw SystemCallError(call: "connect", subject: path, errno: EPERM)
        }
        return socket
    }

    private static func listen(_ path: String) throws(SystemCallError) -> Descriptor {
        try withSocketPath(path) { short throws(SystemCallError) in
            try Descriptor(from: "bind", path) { clinux_listen(short) }
        }
    }

    private static func isAbandoned(_ path: String) -> Bool {
        do throws(SystemCallError) { _ = try connect(path) } catch {
            return error.errno == ECONNREFUSED && isSocket(path)
        }
        return false
    }

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

/// A queue of lines for a descriptor whose reader may be slow.
///
/// Lines beyond its limit are dropped, except the newest: a reader that resumes ends with the current state.
package struct LineQueue {
    /// The number of bytes that a writable pipe accepts without blocking by POSIX (PIPE_BUF).
    private static let piece = 4096

    /// 1 MiB: some 200,000 counts.
    package static let usualLimit = 1 << 20

    private let limit: Int
    private var waiting: ArraySlice<UInt8> = []
    /// The newest line that did not fit.
    private var newest: String?
    private var leftOut = 0

    /// `limit` bytes at most, one line aside.
    package init(limit: Int = usualLimit) { self.limit = limit }

    package var isEmpty: Bool { waiting.isEmpty && newest == nil }

    /// Adds a line; a line feed is appended.
    package mutating func append(_ line: String) {
        if newest == nil, waiting.count + line.utf8.count < limit {
            waiting += (line + "\n").utf8
        } else {
            if newest != nil { leftOut += 1 }
            newest = line
        }
    }

    /// Writes as much as a pipe that `poll(2)` reports writable accepts without blocking. Returns how many lines were
    /// dropped before the line that comes next; usually 0. EAGAIN and EINTR are no errors here.
    package mutating func write(to descriptor: CInt) throws(SystemCallError) -> Int {
        let count = waiting.prefix(Self.piece).withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        if count >= 0 {
            waiting.removeFirst(count)
        } else if errno != EAGAIN, errno != EINTR {
            throw SystemCallError(call: "write")
        }
        return waiting.isEmpty ? takeNewest() : 0
    }

    /// Appends the newest line that did not fit; returns how many lines before it were dropped.
    private mutating func takeNewest() -> Int {
        waiting = []
        guard let line = newest else { return 0 }
        defer { leftOut = 0 }
        newest = nil
        // No limit applies: the queue is empty otherwise.
        waiting += (line + "\n").utf8
        return leftOut
    }
}
