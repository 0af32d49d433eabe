import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer

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
                other, of: peer, isServed: true,
                SeatRights(user: getuid(), mayListenAnywhere: true, seats: Seats()),
                maxUnsent: ClientAcceptor.maxUnsent, devices)
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
    func eachIsTakenOrEndsItsConnectionAtOnceAndLeavesNothing(isService: Bool) throws {
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
