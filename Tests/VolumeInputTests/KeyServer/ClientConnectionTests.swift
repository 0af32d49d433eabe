import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer

/// Messages are sent at the real time, so the tests use moments relative to it: before it, or far enough after.
@Suite struct ClientConnectionTests {
    private final class Ends {
        /// The history of the only node.
        var node = CaptureHistory()
        let server: ClientConnection
        let client: MessageConnection<ClientMessage, ServerMessage>

        init(_ messages: [ClientMessage] = [.configure(.volumeKeys), .capture(.exclusive)]) throws {
            let (one, other) = try PacketSocket.pair()
            server = ClientConnection(MessageConnection(one))
            client = MessageConnection(other)
            node.change(to: .off) {}
            try send(messages)
        }

        func send(_ messages: [ClientMessage]) throws {
            for message in messages {
                try client.send(message)
                _ = try server.receive()
            }
            apply()
        }

        func apply() { node.change(to: server.captureMode) {} }

        func tell(_ event: NodeEvent) throws {
            try server.send(event, during: node.captureMode(at: event.stamp))
        }

        func tellAPress() throws { try tell(.frame(ClientConnectionTests.press)) }

        func received() throws -> [ServerMessage] {
            var messages: [ServerMessage] = []
            while let message = try client.receive() { messages.append(message) }
            return messages
        }
    }

    /// Later than all changes of the mode in these tests.
    private static let press = press(at: .now + .seconds(3600))

    private static func press(at stamp: MonotonicTime) -> KeyFrame {
        KeyFrame(.up, isDown: true, at: stamp, on: 9)
    }

    @Test func `What the client wants is noted`() throws {
        let ends = try Ends([
            .configure(KeyMeanings(up: [48], down: [], reset: [])), .only(path: "/dev/input/event3"),
            .only(path: "/dev/input/event4"), .ignore(stableID: "a", true), .ignore(stableID: "b", true),
            .ignore(stableID: "a", false),
        ])
        #expect(ends.server.settings.meanings.up == [48])
        #expect(ends.server.settings.onlyPaths == ["/dev/input/event3", "/dev/input/event4"])
        #expect(ends.server.settings.ignoredDevices == ["b"])
        #expect(ends.server.captureMode == .off)
        try ends.client.send(.capture(.exclusive))
        _ = try ends.server.receive()
        #expect(ends.server.captureMode == .exclusive)
    }

    @Test func `As many devices as there may be are ignored, and each may be read again`() throws {
        let ids = (0...KeyClientSettings.maxIgnored).map { Identifier("\($0)") }
        let ends = try Ends([.configure(.volumeKeys)] + ids.map { .ignore(stableID: $0, true) })
        #expect(ends.server.settings.ignoredDevices == Set(ids.dropLast()))
        try ends.send([.ignore(stableID: ids[0], false), .ignore(stableID: ids[ids.count - 1], true)])
        #expect(ends.server.settings.ignoredDevices == Set(ids.dropFirst()))
    }

    @Test(
        arguments: [
            [.capture(.exclusive)], [.only(path: "/x")], [.ignore(stableID: "x", true)],
            [.configure(.volumeKeys), .configure(.volumeKeys)],
            [.configure(.volumeKeys), .capture(.shared), .only(path: "/x")],
            [.acknowledge(number: 1)], [.configure(.volumeKeys), .acknowledge(number: .max)],
            [.configure(.volumeKeys)] + (0...KeyClientSettings.maxPaths).map { .only(path: "/\($0)") },
        ] as [[ClientMessage]])
    func `What makes no sense where it stands is bad`(messages: [ClientMessage]) {
        #expect(throws: ConnectionEnd.bad(.malformed)) { _ = try Ends(messages) }
    }

    @Test func `Presses are numbered and acknowledged`() throws {
        let ends = try Ends()
        #expect(ends.server.deadline == nil)
        for _ in 1...3 { try ends.tellAPress() }
        #expect(try ends.received() == (1...3).map { ServerMessage.frame(number: $0, Self.press) })
        #expect(ends.server.deadline != nil)
        try ends.send([.acknowledge(number: 2)])
        #expect(ends.server.deadline != nil, "the third is not acknowledged")
        try ends.send([.acknowledge(number: 3)])
        #expect(ends.server.deadline == nil)
        // The same number again is valid; an older one, or one that was never sent, is not.
        try ends.send([.acknowledge(number: 3)])
        #expect(throws: ConnectionEnd.bad(.malformed)) { try ends.send([.acknowledge(number: 2)]) }
        #expect(throws: ConnectionEnd.bad(.malformed)) { try ends.send([.acknowledge(number: 4)]) }
    }

    @Test func `Timeout ends after half a second`() throws {
        let ends = try Ends()
        let before = MonotonicTime.now
        try ends.tellAPress()
        let after = MonotonicTime.now
        let deadline = try #require(ends.server.deadline)
        #expect(deadline >= before + .milliseconds(500))
        #expect(deadline <= after + .milliseconds(500))
        try ends.tellAPress()
        #expect(ends.server.deadline == deadline, "measured from the oldest")
    }

    @Test func `Who does not acknowledge has nothing intercepted, and is told nothing`() throws {
        let ends = try Ends()
        try ends.tellAPress()
        let deadline = try #require(ends.server.deadline)
        ends.server.checkAcknowledgement(at: deadline + .microseconds(-1))
        #expect(ends.server.captureMode == .exclusive)
        ends.server.checkAcknowledgement(at: deadline)
        #expect(ends.server.captureMode == .off)
        ends.apply()
        #expect(ends.server.deadline == nil, "nothing to wait for: the next word is the client's")
        try ends.tellAPress()
        #expect(try ends.received() == [.frame(number: 1, Self.press)])
        // The client wakes up: it learns since when it has missed keys, and its mode is applied again.
        try ends.send([.acknowledge(number: 1)])
        #expect(try ends.received() == [.interrupted(at: deadline, .unacknowledged)])
        #expect(ends.server.captureMode == .exclusive)
        try ends.tellAPress()
        #expect(try ends.received() == [.frame(number: 2, Self.press)])
    }

    @Test func `Half an acknowledgement is not enough`() throws {
        let ends = try Ends()
        for _ in 1...2 { try ends.tellAPress() }
        let deadline = try #require(ends.server.deadline)
        ends.server.checkAcknowledgement(at: deadline + .seconds(1))
        _ = try ends.received()
        try ends.send([.acknowledge(number: 1)])
        #expect(ends.server.captureMode == .off)
        #expect(try ends.received().isEmpty)
        try ends.send([.acknowledge(number: 2)])
        #expect(try ends.received() == [.interrupted(at: deadline + .seconds(1), .unacknowledged)])
        #expect(ends.server.captureMode == .exclusive)
    }

    @Test func `Who is in the background is told of no keys`() throws {
        let ends = try Ends([.configure(.volumeKeys), .capture(.off)])
        try ends.tellAPress()
        try ends.tell(
            .resynchronized(NodeID(rawValue: 1), down: [], stamp: MonotonicTime(microseconds: 1)))
        #expect(try ends.received().isEmpty)
        #expect(ends.server.deadline == nil)
        try ends.send([.capture(.shared)])
        try ends.tellAPress()
        #expect(try ends.received() == [.frame(number: 1, Self.press)])
    }

    @Test(arguments: [CaptureMode.off, .exclusive])
    func `Of presses around a change, the one that was captured is told`(to captureMode: CaptureMode) throws {
        let ends = try Ends([.configure(.volumeKeys), .capture(captureMode == .off ? .exclusive : .off)])
        let before = Self.press(at: .now)
        try ends.send([.capture(captureMode)])
        let after = Self.press(at: .now)
        for frame in [before, after] { try ends.tell(.frame(frame)) }
        #expect(try ends.received() == [.frame(number: 1, captureMode == .off ? before : after)])
    }

    @Test(arguments: [CaptureMode.off, .exclusive])
    func `What other programs receive while the keys change hands is theirs`(to captureMode: CaptureMode)
        throws
    {
        let ends = try Ends([.configure(.volumeKeys), .capture(captureMode == .off ? .exclusive : .off)])
        try ends.client.send(.capture(captureMode))
        _ = try ends.server.receive()
        var meanwhile = Self.press
        ends.node.change(to: captureMode) {
            meanwhile = Self.press(at: .now)
            // A stamp has microseconds: let one pass.
            pause(.milliseconds(1))
        }
        try ends.tell(.frame(meanwhile))
        #expect(try ends.received().isEmpty)
        try ends.tell(.frame(meanwhile, isOurs: true))
        #expect(try ends.received() == [.frame(number: 1, meanwhile)], "nobody else has heard it")
    }

    @Test func `A reason is given for bad messages only`() throws {
        let ends = try Ends()
        ends.server.refuse(.closed)
        #expect(try ends.received().isEmpty)
        ends.server.refuse(.bad(.version(9)))
        let reason = "the other program speaks version 9 of the key messages, this one 1"
        #expect(try ends.received() == [.refused(reason: reason)])
    }
}

/// Packets that are nearly messages, in great number, to the server's end of a connection. No device is touched.
@Suite struct ChangedPacketsTests {
    private static let cases = Volume.of(sample: 20_000, full: 1_000_000)
    private static let valid = Messages.client.map(\.encoded)

    /// A connection as `KeyServer` serves it, and the client's end.
    private struct Served {
        let server: ServedClient
        let socket: PacketSocket

        init(ofService isService: Bool, _ devices: DeviceWatch) throws {
            let (socket, other) = try PacketSocket.pair()
            self.socket = socket
            let peer = isService ? SocketPeer(user: getuid(), groups: []) : nil
            server = ServedClient(
                other, of: peer, SeatRights(user: getuid(), mayListenAnywhere: true, seats: Seats()), devices)
            // No device is meant, whatever follows.
            try take(ClientMessage.configure(.volumeKeys).encoded)
            try take(ClientMessage.only(path: "/dev/input/none").encoded)
        }

        /// Sends a packet and has the server take in what has come.
        func take(_ packet: [UInt8]) throws {
            try socket.send(packet)
            var polled = PollSet()
            server.watch(&polled)
            try polled.wait(until: .now)
            try server.handle(polled, DeviceWatch.Changes(), at: .now)
        }
    }

    /// Processor time of this thread, which other tests and a busy machine do not add to.
    private var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test(arguments: [false, true])
    func `Each is taken or ends its connection at once, and leaves nothing`(isService: Bool) throws {
        let devices = DeviceWatch(isService: isService)
        let process = RunningProcess(pid: getpid())
        var random = SplitMix64(seed: isService ? 24 : 23)
        var served = try Served(ofService: isService, devices)
        var (taken, memory) = (0, 0)
        for number in 0..<Self.cases {
            let packet = ChangedMessages.next(of: Self.valid, &random)
            let before = processorTime
            do {
                try served.take(packet)
                taken += 1
                let isMessage = (try? ClientMessage(decoding: packet)) != nil
                if !isMessage { Issue.record("\(packet) was passed over") }
            } catch is ConnectionEnd {
                served = try Served(ofService: isService, devices)
            }
            if processorTime - before > .seconds(1) { Issue.record("\(packet) takes long") }
            // What is kept once, by the allocator too, is kept by then.
            if number == Self.cases / 10 { memory = process.residentBytes }
        }
        #expect(taken > Self.cases / 100, "some are taken still: \(taken)")
        #expect(isSanitized || process.residentBytes - memory < 32 << 20, "\(memory) bytes at first")
    }
}
