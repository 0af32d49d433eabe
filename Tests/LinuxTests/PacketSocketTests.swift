import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@Suite struct PacketSocketTests {
    @Test func `Messages arrive whole and in order`() throws {
        let (here, there) = try PacketSocket.pair()
        let messages = [[1], [2, 3], [UInt8](repeating: 4, count: 64)] as [[UInt8]]
        for message in messages { try here.send(message) }
        for message in messages { #expect(try there.receive(limit: 64) == message) }
        #expect(try there.receive(limit: 64) == nil)
    }

    @Test func `A too long message is recognised`() throws {
        let (here, there) = try PacketSocket.pair()
        try here.send([UInt8](repeating: 7, count: 100))
        try here.send([8])
        #expect(try there.receive(limit: 64)?.count == 65)
        #expect(try there.receive(limit: 64) == [8], "the rest of the long one is gone, and nothing else")
    }

    @Test func `An end that is gone is an empty message`() throws {
        let here = try PacketSocket.lonelyEnd(sent: [9])
        try awaitHangUp(here.number)
        #expect(try here.receive(limit: 64) == [9], "what was sent before can still be read")
        #expect(try here.receive(limit: 64) == [])
        #expect(throws: SystemCallError(call: "send", errno: EPIPE)) { try here.send([1]) }
    }

    @Test func `Whoever does not read is not waited for`() throws {
        let (here, there) = try PacketSocket.pair()
        #expect(throws: SystemCallError(call: "send", errno: EAGAIN)) {
            for _ in 0..<100_000 { try here.send([UInt8](repeating: 0, count: 512)) }
        }
        withExtendedLifetime(there) {}
    }

    @Test func `It does not outlive an exec`() throws {
        let (here, _) = try PacketSocket.pair()
        #expect(fcntl(here.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}

extension PacketSocket {
    /// A socket whose peer has sent a message and closed.
    static func lonelyEnd(sent message: [UInt8]? = nil) throws -> PacketSocket {
        let (here, there) = try pair()
        if let message { try there.send(message) }
        return here
    }
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
