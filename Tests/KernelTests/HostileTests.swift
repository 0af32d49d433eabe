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
        login = try LoginFiles()
        try login.bringToFront(1000)
        try login.bringToFront(getuid(), at: Self.otherSeat)
        service = try KeyService(after: Self.limits)
        place = try Workplace()
    }

    private func keyboard(_ name: String) throws -> HIDRemote {
        let keyboard = try HIDRemote(name: name, layout: .keyboard)
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
        try reader.expect(.presses(of: .volumeUp, .volumeDown))
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

/// A hostile client that the key service accepts. If it is refused, it tries again. Attacks that need no device, such as floods,
/// invalid packets and descriptors that are sent along, are tried in VolumeInputTests.
final class Attacker {
    enum Attack: CaseIterable {
        /// Asks for all keys and reads nothing.
        case deaf
        /// Intercepts a keyboard and releases it, as fast as it may.
        case swapping
        /// Makes the service look at all devices again and again.
        case searching
    }

    private typealias Connection = MessageConnection<ClientMessage, ServerMessage>

    private let path: String
    private let attack: Attack
    /// The keyboard that it may intercept.
    private let node: String
    private var connections: [Connection] = []

    init(_ attack: Attack, at path: String, node: String) {
        self.attack = attack
        self.path = path
        self.node = node
    }

    /// Attacks once more, without waiting.
    func strike() {
        let messages: [ClientMessage] =
            switch attack {
            case .deaf: [.capture(.exclusive)] + Array(repeating: .capture(.shared), count: 50)
            case .swapping: (0..<60).map { .capture($0.isMultiple(of: 2) ? .off : .exclusive) }
            case .searching: (0..<60).map { .ignore(stableID: "\($0)", $0.isMultiple(of: 2)) }
            }
        guard let socket = try? PacketSocket(connectingTo: path) else { return }
        let connection = Connection(socket)
        for message in [.configure(.volumeKeys), .only(path: node), .capture(.exclusive)] + messages {
            try? connection.send(message)
        }
        // Connections that the service has closed are useless; the oldest are closed for new ones without notice, as
        // when a program is killed.
        connections = (connections + [connection]).suffix(4)
    }
}
