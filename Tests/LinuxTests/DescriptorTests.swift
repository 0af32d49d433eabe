import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@Suite struct DescriptorTests {
    @Test func `It is closed with its owner`() throws {
        var number: CInt = -1
        do {
            let descriptor = try Descriptor(opening: "/dev/null", flags: O_RDONLY)
            number = descriptor.number
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        }
        // Another test may have got the number since; then it proves nothing.
        var status = stat()
        if fstat(number, &status) == 0 { return }
        #expect(errno == EBADF)
    }

    @Test func `A missing file is named in the error`() {
        #expect(throws: SystemCallError(call: "open", subject: "/none/at/all", errno: ENOENT)) {
            _ = try Descriptor(opening: "/none/at/all", flags: O_RDONLY).number
        }
    }

    @Test func `Reading tells the end, and that nothing is there`() throws {
        var (reader, writer): (CInt, CInt) = (-1, -1)
        try systemCall("pipe2") { ctest_pipe(&reader, &writer) }
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        let output = Descriptor(owning: reader)
        #expect(throws: SystemCallError(call: "read", errno: EAGAIN)) { try read(output) }
        #expect(write(writer, "abc", 3) == 3)
        #expect(try read(output) == 3)
        #expect(write(writer, "abc", 3) == 3)
        output.drain()
        #expect(throws: SystemCallError(call: "read", errno: EAGAIN)) { try read(output) }
        close(writer)
        try awaitHangUp(reader)
        #expect(try read(output) == 0)
    }

    @discardableResult
    private func read(_ descriptor: borrowing Descriptor) throws -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { buffer.deallocate() }
        return try descriptor.read(into: buffer)
    }
}

@Suite struct SystemCallErrorTests {
    @Test func `A message names the thing, the call and the reason`() {
        let error = SystemCallError(call: "open", subject: "/dev/input/event3", errno: EACCES)
        #expect("\(error)" == "/dev/input/event3: open: Permission denied")
        #expect("\(SystemCallError(call: "poll", errno: EINVAL))" == "poll: Invalid argument")
    }

    @Test func `An interrupted call is made again`() throws {
        var calls = 0
        let result = try systemCall("x") { () -> CInt in
            calls += 1
            errno = EINTR
            return calls < 4 ? -1 : 7
        }
        #expect(result == 7)
        #expect(calls == 4)
    }

    /// The message's parts are computed only for an error: the hot path does not pay for them.
    @Test func `The name is only asked for where the call fails`() throws {
        func name() -> String {
            Issue.record("asked for")
            return ""
        }
        _ = try systemCall(name(), name()) { 0 }
    }
}
