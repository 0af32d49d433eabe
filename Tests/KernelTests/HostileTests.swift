import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol

/// The key service, within the limits of its unit, while one client attacks it and another counts with real devices.
@Suite(.serialized) struct HostileTests {
    private static let limits = """
        mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup
        echo +memory >/sys/fs/cgroup/cgroup.subtree_control
        mkdir -p /sys/fs/cgroup/keys && echo 64M >/sys/fs/cgroup/keys/memory.max && echo $$ >/sys/fs/cgroup/keys/cgroup.procs
        ulimit -n 16384
        """

    /// The seat of the attacker, who is root.
    private static let otherSeat = "seat-other"

    private let login: LoginFiles
    private let service: KeyService
    private let place: Workplace

    init() throws {
        // The attack with lingering connections needs the loopback interface.
        _ = try ChildProcess.run(["ip", "link", "set", "lo", "up"])
        login = try LoginFiles()
        try login.bringToFront(1000)
        try login.bringToFront(getuid(), at: Self.otherSeat)
        service = try KeyService(after: Self.limits)
        place = try Workplace()
    }

    private func keyboard(_ name: String) throws -> HIDRemote {
        let keyboard = try HIDRemote(.init(name: name, layout: .keyboard))
        chmod(keyboard.node, 0o600)
        return keyboard
    }

    /// `counter listen` of the user in the foreground, who may not open the devices.
    private func listen(_ node: String) throws -> ChildProcess {
        try place.listen(["--device", node], by: 1000, at: service.path)
    }

    private func expectPresses(_ device: HIDRemote) throws {
        let reader = try SecondReader(node: device.node)
        for key in [Key.volumeUp, .volumeDown] { try device.press(key, for: .quick, then: .quick) }
        try reader.expect([.down(.volumeUp), .up(.volumeUp), .down(.volumeDown), .up(.volumeDown)])
    }

    /// One service and one listener bear all attacks, one after the other.
    ///
    /// A busy machine may keep any client from answering for half a second; its keys are then released for a moment.
    /// So a press counts or is received by others: never neither, and never both.
    @Test func `While somebody attacks it each press of somebody else is counted`() throws {
        let (mine, theirs) = (try keyboard("My Keyboard"), try keyboard("Their Keyboard"))
        defer { for device in [mine, theirs] { device.destroy() } }
        let seat = try SeatAssignment(theirs.node, to: Self.otherSeat)
        defer { withExtendedLifetime(seat) {} }
        let original = try [mine, theirs].map { try KeyMapCopy(node: $0.node) }
        let listener = try listen(mine.node)
        try service.awaitErrorLine("My Keyboard: exclusive", of: listener)
        let reader = try SecondReader(node: mine.node)
        var (presses, counted, heard) = (0, 0, 0)
        for attack in Attacker.Attack.allCases {
            let attacker = Attacker(attack, at: service.path, node: theirs.node)
            let before = counted
            for _ in 1...5 {
                attacker.strike()
                try mine.press(.volumeUp, for: .milliseconds(20), then: .apart)
                presses += 1
                try eventually("press \(presses)", last: { "\(attack): \(counted) counted, \(heard) heard" })
                {
                    if (try? listener.readLine(timeout: .milliseconds(20))) != nil { counted += 1 }
                    heard += try reader.take().count { $0 == .down(.volumeUp) }
                    return counted + heard == presses
                }
            }
            #expect(counted > before, "\(attack)")
            #expect(service.child.process.isAlive, "the same one, within its limit: \(attack)")
        }
        try listener.terminate()
        while let line = try listener.readErrorLine() {
            #expect(
                line.contains("My Keyboard: ") || line.hasSuffix("counter was stopped or busy"),
                "it was served all the time")
        }
        try eventually("the original key maps") {
            try [mine, theirs].map { try KeyMapCopy(node: $0.node) } == original
        }
        for device in [mine, theirs] { try expectPresses(device) }
    }

    @Test func `A client that is killed at any step leaves the key map as it was`() throws {
        let device = try keyboard("My Keyboard")
        defer { device.destroy() }
        let original = try KeyMapCopy(node: device.node)
        let whole = try ContinuousClock().measure {
            let listener = try listen(device.node)
            try service.awaitErrorLine("My Keyboard: exclusive", of: listener)
        }
        var swapped = 0
        for step in Volume.of(sample: 5, full: 1...11) + [12] {
            let listener = try listen(device.node)
            let end = ContinuousClock.now + whole * step / 8
            while ContinuousClock.now < end {
                try service.startWhereEnded()
                pause(.milliseconds(20))
            }
            if step == 12 { try service.awaitErrorLine("My Keyboard: exclusive", of: listener) }
            if try KeyMapCopy(node: device.node) != original { swapped += 1 }
            try listener.signal(SIGKILL)
            _ = try listener.wait()
            try eventually("the original key map") { try KeyMapCopy(node: device.node) == original }
        }
        #expect(swapped > 0, "some had come that far")
        try expectPresses(device)
    }
}

/// A hostile client that the key service accepts. If it is refused, it tries again.
final class Attacker {
    /// Those that need most connections come last: the service admits two a second of a user.
    enum Attack: CaseIterable {
        case tooManyMessages
        /// Asks for all keys and reads nothing.
        case deaf
        /// Intercepts a keyboard and releases it, as fast as it may.
        case swapping
        /// Makes the service look at all devices again and again.
        case searching
        /// Asks for the largest number of keys, and for endless paths.
        case greedy
        /// Sends descriptors of connections that take a minute to close.
        case lingering
        /// Invalid packets.
        case garbage
        /// Dozens of connections, some of which stay open, with half an introduction.
        case tooManyConnections
    }

    private typealias Connection = MessageConnection<ClientMessage, ServerMessage>

    private let path: String
    private let attack: Attack
    /// The keyboard that it may intercept.
    private let node: String
    private var random = SplitMix64(seed: 5)
    private var connections: [Connection] = []
    private var listeners: [CInt] = []

    init(_ attack: Attack, at path: String, node: String) {
        self.attack = attack
        self.path = path
        self.node = node
    }

    deinit { for listener in listeners { close(listener) } }

    /// Attacks once more, without waiting.
    func strike() {
        switch attack {
        case .garbage: sendGarbage()
        case .tooManyMessages:
            introduce(then: (0..<1000).map { .capture($0.isMultiple(of: 2) ? .off : .exclusive) })
        case .tooManyConnections: for _ in 0..<50 { introduce([.configure(.volumeKeys)]) }
        case .deaf: introduce(then: [.capture(.exclusive)] + Array(repeating: .capture(.shared), count: 50))
        case .swapping: introduce(then: (0..<60).map { .capture($0.isMultiple(of: 2) ? .off : .exclusive) })
        case .searching: introduce(then: (0..<60).map { .ignore(stableID: "\($0)", $0.isMultiple(of: 2)) })
        case .greedy: askForAll()
        case .lingering: sendLingering()
        }
        // Connections that the service has closed are useless; the oldest are closed for new ones without notice, as
        // when a program is killed.
        connections = connections.suffix(4)
    }

    private func socket() -> PacketSocket? { try? PacketSocket(connectingTo: path) }

    private func introduce(_ introduction: [ClientMessage]) {
        guard let connection = socket().map({ Connection($0) }) else { return }
        for message in introduction { try? connection.send(message) }
        connections.append(connection)
    }

    private func introduce(then messages: [ClientMessage]) {
        introduce([.configure(.volumeKeys), .only(path: node), .capture(.exclusive)] + messages)
    }

    private func sendGarbage() {
        for size in [0, 1, 64, 512, 5000] {
            let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            try? socket()?.send(bytes)
        }
    }

    private func askForAll() {
        let codes = ServedKeys.all.prefix(3 * KeyMeanings.capacity).map(\.code)
        let meanings = KeyMeanings(
            up: Array(codes[..<8]), down: Array(codes[8..<16]), reset: Array(codes[16...]))
        introduce(
            [.configure(meanings)] + (0..<256).map { .only(path: "/dev/input/by-id/\($0)") }
                + (0..<1000).map { .ignore(stableID: "source \($0)", true) } + [.capture(.exclusive)])
    }

    private func sendLingering() {
        guard let socket = socket() else { return }
        let message = ClientMessage.configure(.volumeKeys).encoded
        let listener = withExtendedLifetime(socket) {
            ctest_send_lingering(socket.number, message, UInt32(message.count))
        }
        if listener != -1 { listeners.append(listener) }
    }
}
