import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol

@Suite struct MessageConnectionTests {
    typealias Here = MessageConnection<ClientMessage, ServerMessage>
    typealias There = MessageConnection<ServerMessage, ClientMessage>

    @Test func `Messages go both ways in order`() throws {
        let (one, other) = try PacketSocket.pair()
        let here = Here(one)
        let there = There(other)
        for message in Messages.client { try here.send(message) }
        for message in Messages.client { #expect(try there.receive() == message) }
        #expect(try there.receive() == nil)
        for message in Messages.server { try there.send(message) }
        for message in Messages.server { #expect(try here.receive() == message) }
        #expect(try here.receive() == nil)
    }

    @Test func `An end that is gone closes the connection`() throws {
        func lonelyEnd() throws -> PacketSocket {
            let (one, other) = try PacketSocket.pair()
            try There(other).send(.environment(.ready))
            return one
        }
        let here = Here(try lonelyEnd())
        try awaitHangUp(here.number)
        #expect(try here.receive() == .environment(.ready), "what was said before is still heard")
        #expect(throws: ConnectionEnd.closed) { _ = try here.receive() }
        #expect(throws: ConnectionEnd.closed) { try here.send(.capture(.off)) }
    }

    /// A server that refuses the first message closes with the second unread: its reason must still arrive.
    @Test func `An end that leaves something unread is still heard`() throws {
        func end() throws -> Here {
            let (one, other) = try PacketSocket.pair()
            let here = Here(one)
            for _ in 1...2 { try here.send(.capture(.shared)) }
            let there = There(other)
            _ = try there.receive()
            try there.send(.refused(reason: "no"))
            return here
        }
        let here = try end()
        try awaitHangUp(here.number)
        #expect(try here.receive() == .refused(reason: "no"))
        #expect(throws: ConnectionEnd.closed) { _ = try here.receive() }
    }

    @Test func `What the socket does not take follows in order`() throws {
        let (one, other) = try PacketSocket.pair()
        let here = Here(one)
        let there = There(other)
        let paths = (1...1000).map { "/dev/input/event\($0)" }
        for path in paths { try here.send(.only(path: path)) }
        #expect(here.interest == CInt(POLLIN | POLLOUT), "there is more than it takes")
        var arrived: [ClientMessage] = []
        repeat {
            while let message = try there.receive() { arrived.append(message) }
            try here.flush()
        } while here.interest != CInt(POLLIN)
        while let message = try there.receive() { arrived.append(message) }
        #expect(arrived == paths.map { .only(path: $0) })
    }

    @Test func `An end that never reads is given up without a wait`() throws {
        let (one, other) = try PacketSocket.pair()
        let here = Here(one)
        #expect(throws: ConnectionEnd.stalled) {
            for _ in 0..<100_000 { try here.send(.capture(.exclusive)) }
        }
        withExtendedLifetime(other) {}
    }

    @Test(
        arguments: [[0], [UInt8](repeating: 7, count: 64), [UInt8](repeating: 0, count: 2000)] as [[UInt8]])
    func `A bad message ends it`(bytes: [UInt8]) throws {
        let (one, other) = try PacketSocket.pair()
        try other.send(bytes)
        #expect(throws: ConnectionEnd.bad(.malformed)) { _ = try Here(one).receive() }
    }

    @Test func `A failure is told as it is`() throws {
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        defer { close(ends[1]) }
        let here = Here(PacketSocket(owning: Descriptor(owning: ends[0])))
        let error = SystemCallError(call: "recv", errno: ENOTSOCK)
        #expect(throws: ConnectionEnd.failed(error)) { _ = try here.receive() }
        #expect(throws: ConnectionEnd.failed(SystemCallError(call: "send", errno: ENOTSOCK))) {
            try here.send(.capture(.off))
        }
    }
}
