import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer
@testable import VolumeInput

extension ServerProcesses {
    @Suite(.whereServed) struct HostileClientTests {
        let service: KeyService

        init() throws { service = try KeyService() }
    }
}

/// Clients that use the socket of the real service in invalid ways. No device is opened.
extension ServerProcesses.HostileClientTests {
    private func refusal(of messages: [ClientMessage]) throws -> [ServerMessage] {
        let client = try service.connect()
        // Refused at the first bad one: the rest may find the connection closed.
        for message in messages { try? client.send(message) }
        return try client.lastWords()
    }

    /// Which keys and paths are refused: in ServiceRulesTests.
    @Test func `Who asks for typing or for somebody else's paths is refused`() throws {
        let letters = KeyMeanings(up: [30, 48, 46], down: [32], reset: [])
        for (messages, reason) in [
            (
                [.configure(letters), .capture(.shared)],
                "it serves volume, mute, media, camera, page, presenter and scroll keys only"
            ),
            (
                [.configure(.volumeKeys), .only(path: "/home/eve/link")],
                "it knows nodes only by their names in /dev"
            ),
        ] as [([ClientMessage], String)] {
            #expect(try refusal(of: messages) == [.refused(reason: reason)])
        }
        try service.expectHealthy()
    }

    @Test func `What is refused by the service, a program asks its own server for`() throws {
        let letters = KeyMeanings(up: [30], down: [48], reset: [])
        let client = KeyClient(ofNothing: BuiltProducts.counterKeys, service: service.path, meanings: letters)
        // One moment for all: later the service would be given up, however soon it answers.
        let now = MonotonicTime.now
        let event = try eventualValue("an event") { client.receive(at: now).first }
        #expect(
            event
                == .fellBack(
                    .refused("it serves volume, mute, media, camera, page, presenter and scroll keys only")))
        let answer = try eventualValue("an answer of its own server") { client.receive(at: now).first }
        if case .message(.environment) = answer { return }
        Issue.record("it said \(answer)")
    }

    @Test(arguments: [0, 1, 63, 65, 513, 100_000])
    func `A packet of another size ends its connection`(size: Int) throws {
        let other = try service.served()
        let socket = try service.socket()
        try socket.send([UInt8](repeating: 0x63, count: size))
        // A receiver takes an empty packet as the end of the connection.
        let last = try ServiceConnection(socket).lastWords()
        #expect(last == (size == 0 ? [] : [.refused(reason: "malformed message")]))
        #expect(try other.receive() == nil)
        try service.expectHealthy()
    }

    @Test(arguments: [SHUT_RD, SHUT_WR, SHUT_RDWR]) func `Half a connection is none`(half: Int) throws {
        let socket = try service.socket()
        for message in KeyService.introduction { try socket.send(message.encoded) }
        #expect(shutdown(socket.number, CInt(half)) == 0)
        // The service neither spins nor waits for the rest.
        try service.awaitRest(of: .milliseconds(200))
        try service.expectHealthy()
        withExtendedLifetime(socket) {}
    }

    @Test func `A thousand that come and go at once leave nothing`() throws {
        let other = try service.served()
        let before = service.child.process.openDescriptors
        for count in 0..<1000 {
            let client = try eventualValue("room to connect", poll: .milliseconds(1)) {
                try? service.connect()
            }
            for message in KeyService.introduction.prefix(count % 4) { try? client.send(message) }
        }
        try eventually("all of them to be gone") { service.child.process.openDescriptors <= before }
        #expect(try other.receive() == nil)
        try service.expectHealthy()
    }

    @Test func `All connections full of settings fit into the memory`() throws {
        var crowd = [try clientFullOfSettings()]
        let one = service.child.process.residentBytes
        for _ in 1..<ConnectionLimit.maxOfUser { crowd.append(try clientFullOfSettings()) }
        let each = (service.child.process.residentBytes - one) / (crowd.count - 1)
        #expect(
            isSanitized || one + each * ConnectionLimit.maxConnections < 64 << 20,
            "\(one) bytes, and \(each) each")
    }

    /// On a busy machine a client may take longer than the 5 s that it has to introduce itself.
    private func clientFullOfSettings() throws -> ServiceConnection {
        try eventualValue("a client full of settings") {
            do { return try clientThatSendsSettings() } catch ConnectionEnd.closed { return nil }
        }
    }

    private func clientThatSendsSettings() throws -> ServiceConnection {
        let client = try service.connect()
        try client.send(.configure(.volumeKeys))
        for number in 0..<KeyClientSettings.maxPaths {
            try client.send(.only(path: "/dev/input/\(number)-" + String(repeating: "x", count: 440)))
        }
        for number in 0..<KeyClientSettings.maxIgnored {
            try client.send(
                .ignore(stableID: Identifier("\(number)-" + String(repeating: "y", count: 230)), true))
        }
        try client.send(.capture(.shared))
        try eventually("an answer", poll: .milliseconds(1)) {
            try client.flush()
            return try client.receive()?.isEnvironment == true
        }
        return client
    }

    @Test func `Without room for another it waits instead of asking again and again`() throws {
        let process = service.child.process
        let first = try service.served()
        try limitDescriptors(of: process, to: process.openDescriptors)
        let second = try service.connect()
        for message in KeyService.introduction { try second.send(message) }
        pause(.milliseconds(200))
        let before = process.processorTime
        pause(.seconds(2))
        #expect(process.processorTime - before < .milliseconds(400))
        #expect(try second.receive() == nil)
        try first.send(.capture(.off))
        try limitDescriptors(of: process, to: 1024)
        try eventually("the second to be served") { try second.receive() != nil }
    }

    private func limitDescriptors(of process: RunningProcess, to count: Int) throws {
        let outcome = try ChildProcess.run(["prlimit", "--pid", "\(process.pid)", "--nofile=\(count):1024"])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }

    @Test func `Descriptors that are sent along hold nobody up`() throws {
        let other = try service.served()
        let before = service.child.process.openDescriptors
        var listeners: [CInt] = []
        defer { for listener in listeners { close(listener) } }
        for message in [KeyService.introduction[0].encoded, [], [1, 2, 3]] {
            let socket = try service.socket()
            let listener = ctest_send_lingering(socket.number, message, UInt32(message.count))
            if listener == -1 {
                #expect(errno == EPERM, "only a kernel that refuses them for us does so")
            } else {
                listeners.append(listener)
                #expect(try ServiceConnection(socket).lastWords() == [])
            }
        }
        #expect(try other.receive() == nil)
        try service.expectHealthy()
        try eventually("no more descriptors than before") {
            service.child.process.openDescriptors <= before + listeners.count
        }
    }
}
