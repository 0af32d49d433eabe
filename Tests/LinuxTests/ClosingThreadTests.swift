import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

/// Descriptors that peers send with their messages, and how they are closed.
@Suite struct ClosingThreadTests {
    /// Two connected ends, of which the first belongs to an untrusted peer.
    private func strangers() throws -> (stranger: CInt, end: PacketSocket) {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        let descriptor = Descriptor(owning: ends[1], closedBy: try ClosingThread())
        return (ends[0], PacketSocket(owning: descriptor))
    }

    private func sendLingering(_ socket: CInt, _ message: [UInt8]) throws -> Descriptor {
        Descriptor(
            owning: try systemCall("sendmsg") { ctest_send_lingering(socket, message, UInt32(message.count)) }
        )
    }

    @Test func whatAStrangerSendsAlongIsNotWaitedFor() throws {
        let listener: Descriptor
        let start = MonotonicTime.now
        do {
            let (stranger, end) = try strangers()
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
    @Test func descriptorsThatManyPeersSendDelayNoClosing() throws {
        let thread = try ClosingThread()
        var open: [CInt] = []
        var last: CInt = -1
        let start = MonotonicTime.now
        for _ in 0..<20 {
            var ends: [CInt] = [-1, -1]
            let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
            try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
            let end = PacketSocket(owning: Descriptor(owning: ends[1], closedBy: thread))
            open.append(try systemCall("sendmsg") { ctest_send_lingering(ends[0], [7], 1) })
            open.append(ends[0])
            last = ends[0]
            withExtendedLifetime(end) {}
        }
        var closed = pollfd(fd: last, events: Int16(POLLIN), revents: 0)
        #expect(poll(&closed, 1, 180_000) == 1)
        #expect(MonotonicTime.now - start < .seconds(50))
        for number in open { close(number) }
    }

    @Test func aStrangersEndIsClosedSoonAfterItsOwnerHasGone() throws {
        let stranger = try strangers().stranger
        var waited = pollfd(fd: stranger, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, 10_000) == 1)
        var byte: UInt8 = 0
        #expect(recv(stranger, &byte, 1, 0) == 0)
        close(stranger)
    }
}
