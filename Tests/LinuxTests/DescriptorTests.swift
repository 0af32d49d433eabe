import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@Suite struct DescriptorTests {
    @Test func itIsClosedWithItsOwner() throws {
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

    @Test func aMissingFileIsNamedInTheError() {
        #expect(throws: SystemCallError(call: "open", subject: "/none/at/all", errno: ENOENT)) {
            _ = try Descriptor(opening: "/none/at/all", flags: O_RDONLY).number
        }
    }

    @Test func readingTellsTheEndAndThatNothingIsThere() throws {
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
