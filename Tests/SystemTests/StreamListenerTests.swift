import CLinux
import Glibc
import TestSupport
import Testing

@testable import System

/// One test at a time: listening changes the umask for a moment, and all threads share it unless the kernel allows
/// each its own.
@Suite(.serialized) struct StreamListenerTests {
    let folder: ScratchFolder
    let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path(of: "socket")
    }

    /// Made on a thread of its own, so that other suites keep their umask.
    private func listener(at path: String) throws -> StreamListener {
        try onItsOwnThread { try StreamListener(path) }
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
}
