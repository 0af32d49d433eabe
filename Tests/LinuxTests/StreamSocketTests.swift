import CLinux
import CTestSupport
import Glibc
import TestSupport
import Testing

@testable import Linux

/// One test at a time: listening changes the umask, which all threads share unless the kernel allows each its own.
@Suite(.serialized) struct StreamListenerTests {
    let folder: ScratchFolder
    let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path(of: "socket")
    }

    /// Made on a thread of its own, so that other suites keep their umask.
    private func listener(at path: String) throws -> StreamListener {
        try onItsOwnThread { try StreamListener(path, lock: LockFile(path + ".lock")) }
    }

    @Test func `Nobody but this user may connect, and the file goes with it`() throws {
        var listener: StreamListener? = try listener(at: path)
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode == S_IFSOCK | 0o600)
        #expect(listener?.number ?? -1 >= 0)
        listener = nil
        #expect(access(path, F_OK) != 0)
    }

    @Test func `Who connects is let in, in turn`() throws {
        let listener = try listener(at: path)
        #expect(try listener.accept() == nil)
        let client = Descriptor(owning: clinux_connect(path, CInt(SOCK_STREAM.rawValue)))
        // `#require` cannot take a noncopyable value.
        guard let connection = try listener.accept() else {
            Issue.record("nobody is let in")
            return
        }
        #expect(write(client.number, "x", 1) == 1)
        var byte: UInt8 = 0
        #expect(read(connection.number, &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "x"))
    }

    @Test func `A socket that is in use stays, one that was left behind is replaced`() throws {
        let listener = try listener(at: path)
        #expect(throws: SystemCallError(call: "flock", subject: path + ".lock", errno: EWOULDBLOCK)) {
            try self.listener(at: path)
        }
        // As a program that knows of no lock.
        unlink(path + ".lock")
        #expect(throws: SystemCallError(call: "bind", subject: path, errno: EADDRINUSE)) {
            try self.listener(at: path)
        }
        #expect(access(path, F_OK) == 0)
        // As after a kill: the socket's file exists, and no process listens.
        let abandoned = folder.path(of: "abandoned")
        close(try onItsOwnThread { clinux_listen(abandoned) })
        // A child that another test is starting may still have a copy of the descriptor.
        try eventually("nobody to listen") {
            let client = clinux_connect(abandoned, CInt(SOCK_STREAM.rawValue))
            if client >= 0 { close(client) }
            return client < 0 && errno == ECONNREFUSED
        }
        let successor = try self.listener(at: abandoned)
        #expect(clinux_connect(abandoned, CInt(SOCK_STREAM.rawValue)) >= 0)
        withExtendedLifetime((listener, successor)) {}
    }

    @Test func `A file that is no socket stays as it is`() throws {
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SystemCallError(call: "bind", subject: path, errno: EADDRINUSE)) {
            try listener(at: path)
        }
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFREG)
    }

    @Test func `A socket of a program that is about to listen is not taken for one that was left behind`()
        throws
    {
        // Between bind(2) and listen(2) the kernel refuses connections, as it does after a kill.
        let lock = try LockFile(path + ".lock")
        let bound = try ChildProcess(["python3", "-c", Self.binds(path)])
        defer { bound.end() }
        #expect(try bound.readLine() == "bound")
        let before = FileNumber(path)
        #expect(throws: SystemCallError.self) { try listener(at: path) }
        #expect(FileNumber(path) == before && before != nil)
        withExtendedLifetime(lock) {}
    }

    private static func binds(_ path: String, listens: Bool = false) -> String {
        """
        import socket, os, sys
        s = socket.socket(socket.AF_UNIX)
        s.bind('\(path)')
        \(listens ? "os.chmod('\(path)', 0o777); s.listen()" : "")
        print('bound', flush=True)
        sys.stdin.read()
        """
    }

    @Test func `Of programs that start at once on a dead socket, one listens`() throws {
        close(try onItsOwnThread { [path] in clinux_listen(path) })
        for _ in 0..<20 {
            let starting = try (0..<8).map { _ in
                try OwnThread { [path] in
                    ctest_unshare_umask()
                    return try? StreamListener(path, lock: LockFile(path + ".lock"))
                }
            }
            let listening = try starting.compactMap { try $0.result() }
            #expect(listening.count == 1)
            let client = try StreamListener.connect(path)
            #expect(try listening.first?.accept() != nil)
            withExtendedLifetime(client) {}
        }
    }

    @Test func `A path that is too long for a socket's address is reached through its directory`() throws {
        let deep = (0..<3).reduce(folder.path) { path, _ in path + "/" + String(repeating: "x", count: 60) }
        try makeOwnDirectory(deep)
        var listener: StreamListener? = try listener(at: deep + "/socket")
        let client = try StreamListener.connect(deep + "/socket")
        #expect(try listener?.accept() != nil)
        #expect(throws: SystemCallError.self) { try self.listener(at: deep + "/socket") }
        listener = nil
        #expect(directoryEntries(of: deep).isEmpty)
        withExtendedLifetime(client) {}
    }

    @Test(.enabled(if: getuid() == 0, "only root may become another user"))
    func `No connection to another user's program is used`() throws {
        chmod(folder.path, 0o1777)
        let planted = try ChildProcess(
            asNobody + ["/usr/bin/python3", "-c", Self.binds(path, listens: true)])
        defer { planted.end() }
        #expect(try planted.readLine() == "bound")
        do throws(SystemCallError) {
            _ = try StreamListener.connect(path)
            Issue.record("connected to nobody's program")
        } catch { #expect(error == SystemCallError(call: "connect", subject: path, errno: EPERM)) }
        #expect(throws: SystemCallError.self) { try listener(at: path) }
        #expect(StreamListener.isSocket(path), "it is not removed either")
    }
}

/// Lines for the writing end of a pipe.
@Suite final class LineQueueTests {
    private let pipe = TestPipe()

    /// Writes all that waits, and reads it meanwhile. Returns that, and how many lines were reported as left out.
    private func drain(_ queue: inout LineQueue) throws -> (text: String, leftOut: Int) {
        var result = (text: "", leftOut: 0)
        while !queue.isEmpty {
            result.leftOut += try queue.write(to: pipe.input)
            result.text += pipe.read()
        }
        return result
    }

    @Test func `Lines come in their order`() throws {
        var queue = LineQueue()
        #expect(queue.isEmpty)
        queue.append("1")
        queue.append("2")
        #expect(try drain(&queue) == ("1\n2\n", 0))
        queue.append("3")
        #expect(try drain(&queue) == ("3\n", 0))
    }

    @Test func `A pipe that is full keeps the rest waiting`() throws {
        var queue = LineQueue()
        let lines = (0..<20_000).map(String.init)
        for line in lines { queue.append(line) }
        // A pipe takes 64 KiB; each piece is 4.
        for _ in 0..<32 { #expect(try queue.write(to: pipe.input) == 0) }
        #expect(!queue.isEmpty)
        let first = pipe.read()
        let rest = try drain(&queue)
        #expect(first + rest.text == lines.map { $0 + "\n" }.joined())
        #expect(rest.leftOut == 0)
    }

    @Test(arguments: [
        (10, ["1", "2", "3", "4", "5", "6", "7", "8", "9"], "1\n2\n3\n4\n5\n9\n", 3),
        // One line too many is late.
        (4, ["1", "2", "3"], "1\n2\n3\n", 0),
        (4, ["123456789"], "123456789\n", 0),
    ])
    func `What does not fit is left out, but for the newest line`(
        limit: Int, lines: [String], text: String, leftOut: Int
    ) throws {
        var queue = LineQueue(limit: limit)
        // It takes lines again.
        for _ in 1...2 {
            for line in lines { queue.append(line) }
            #expect(try drain(&queue) == (text, leftOut))
        }
    }

    @Test func `Lines that come while the gap is told come behind it`() throws {
        var queue = LineQueue(limit: 4)
        for line in 1...5 { queue.append("\(line)") }
        #expect(try queue.write(to: pipe.input) == 2)
        queue.append("6")
        #expect(try drain(&queue) == ("1\n2\n5\n6\n", 0))
    }
}
