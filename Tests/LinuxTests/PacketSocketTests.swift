import Glibc
import Linux
import TestSupport
import Testing

@Suite struct PacketSocketTests {
    @Test func messagesArriveWholeAndInOrder() throws {
        let (here, there) = try PacketSocket.pair()
        let messages = [[1], [2, 3], [UInt8](repeating: 4, count: 64)] as [[UInt8]]
        for message in messages { try here.send(message) }
        for message in messages { #expect(try there.receive(limit: 64) == message) }
        #expect(try there.receive(limit: 64) == nil)
    }

    @Test func aTooLongMessageIsRecognised() throws {
        let (here, there) = try PacketSocket.pair()
        try here.send([UInt8](repeating: 7, count: 100))
        try here.send([8])
        #expect(try there.receive(limit: 64)?.count == 65)
        #expect(try there.receive(limit: 64) == [8], "the rest of the long one is gone, and nothing else")
    }

    @Test func anEndThatIsGoneIsAnEmptyMessage() throws {
        let here = try PacketSocket.lonelyEnd(sent: [9])
        try awaitHangUp(here.number)
        #expect(try here.receive(limit: 64) == [9], "what was sent before can still be read")
        #expect(try here.receive(limit: 64) == [])
        #expect(throws: SystemCallError(call: "send", errno: EPIPE)) { try here.send([1]) }
    }

    @Test func whoeverDoesNotReadIsNotWaitedFor() throws {
        let (here, there) = try PacketSocket.pair()
        #expect(throws: SystemCallError(call: "send", errno: EAGAIN)) {
            for _ in 0..<100_000 { try here.send([UInt8](repeating: 0, count: 512)) }
        }
        withExtendedLifetime(there) {}
    }

    @Test func itDoesNotOutliveAnExec() throws {
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
