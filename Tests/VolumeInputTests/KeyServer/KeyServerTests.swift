import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import VolumeInput

extension ServerProcesses {
    @Suite struct KeyServerTests {}
}

/// The whole server in a process of its own; the test sends the packets. No device is opened.
extension ServerProcesses.KeyServerTests {
    /// The server's messages after these packets, until it ends the connection.
    private func answers(to packets: [[UInt8]]) throws -> (messages: [ServerMessage], fate: String) {
        let process = try KeyServerProcess(executable: BuiltProducts.counterKeys)
        // Refused at the first bad one: the rest may find the connection closed.
        for packet in packets { try? process.socket.send(packet) }
        let messages = try ServiceConnection(process.socket).lastWords()
        // `end()` would signal a server that is slow to end by itself.
        let server = RunningProcess(pid: process.id)
        try eventually("the server to end") { !server.isAlive }
        return (messages, process.end())
    }

    @Test(
        arguments: [
            [[1, 2, 3]], [[UInt8](repeating: 0xFF, count: 64)], [[UInt8](repeating: 0, count: 4000)],
            [ClientMessage.configure(.volumeKeys).encoded, ServerMessage.environment(.ready).encoded],
            [ClientMessage.capture(.exclusive).encoded],
            [ClientMessage.configure(.volumeKeys).encoded, ClientMessage.acknowledge(number: 5).encoded],
        ] as [[[UInt8]]])
    func `What makes no sense is refused with a reason`(packets: [[UInt8]]) throws {
        let (messages, fate) = try answers(to: packets)
        #expect(messages == [.refused(reason: "malformed message")])
        #expect(fate == "exited with 0")
    }

    @Test func `A client that says nothing is left in peace`() throws {
        let process = try KeyServerProcess(executable: BuiltProducts.counterKeys)
        let connection = ServiceConnection(process.socket)
        try connection.send(.configure(.volumeKeys))
        let server = RunningProcess(pid: process.id)
        // Before that the signal would kill it.
        try eventually("it to listen for signals") { server.blocks(SIGTERM) }
        pause(.milliseconds(500))
        #expect(try connection.receive() == nil)
        try server.signal(SIGTERM)
        try eventually("it to end") { !server.isAlive }
        #expect(process.end() == "exited with 0")
    }
}
