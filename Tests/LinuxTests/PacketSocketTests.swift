import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@Suite struct PacketSocketTests {
    @Test func `A too long message is recognised`() throws {
        let (here, there) = try PacketSocket.pair()
        try here.send([UInt8](repeating: 7, count: 100))
        try here.send([8])
        #expect(try there.receive(limit: 64)?.count == 65)
        #expect(try there.receive(limit: 64) == [8], "the rest of the long one is gone, and nothing else")
    }

    @Test func `It does not outlive an exec`() throws {
        let (here, _) = try PacketSocket.pair()
        #expect(fcntl(here.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}

extension PacketSocket {
    /// A socket whose peer has closed.
    static func lonelyEnd() throws -> PacketSocket { try pair().0 }
}

/// Descriptors that peers send with their messages, and how they are closed.
@Suite struct ClosingThreadTests {
    /// Two connected ends, of which the first belongs to an untrusted peer.
    private func strangers(closedBy thread: ClosingThread) throws -> (stranger: CInt, end: PacketSocket) {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        return (ends[0], PacketSocket(owning: Descriptor(owning: ends[1], closedBy: thread)))
    }

    private func sendLingering(_ socket: CInt, _ message: [UInt8]) throws -> Descriptor {
        try Descriptor(from: "sendmsg") { ctest_send_lingering(socket, message, UInt32(message.count)) }
    }

    @Test func `What a stranger sends along is not waited for`() throws {
        let listener: Descriptor
        let start = MonotonicTime.now
        do {
            let (stranger, end) = try strangers(closedBy: ClosingThread())
            #expect(send(stranger, "ab", 2, 0) == 2)
            listener = try sendLingering(stranger, [7])
            #expect(try end.receive(limit: 64) == [97, 98], "one without is received as ever")
            for _ in 1...2 {
                #expect(throws: SystemCallError(call: "recvmsg", errno: EBADMSG)) {
                    try end.receive(limit: 64)
                }
            }
            close(stranger)
        }
        #expect(MonotonicTime.now - start < .seconds(20), "closing it takes a minute")
        withExtendedLifetime(listener) {}
    }

    /// The thread closes them one after another; each would take a minute.
    @Test func `Descriptors that many peers send delay no closing`() throws {
        let thread = try ClosingThread()
        var open: [CInt] = []
        var last: CInt = -1
        let start = MonotonicTime.now
        for _ in 0..<20 {
            let (stranger, end) = try strangers(closedBy: thread)
            open.append(try systemCall("sendmsg") { ctest_send_lingering(stranger, [7], 1) })
            open.append(stranger)
            last = stranger
            withExtendedLifetime(end) {}
        }
        var closed = pollfd(fd: last, events: Int16(POLLIN), revents: 0)
        #expect(poll(&closed, 1, 180_000) == 1)
        #expect(MonotonicTime.now - start < .seconds(50))
        for number in open { close(number) }
    }

    @Test func `A stranger's end is closed soon after its owner has gone`() throws {
        let stranger = try strangers(closedBy: ClosingThread()).stranger
        var waited = pollfd(fd: stranger, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, 10_000) == 1)
        var byte: UInt8 = 0
        #expect(recv(stranger, &byte, 1, 0) == 0)
        close(stranger)
    }
}
