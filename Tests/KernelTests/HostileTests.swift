import Glibc
import TestSupport
import Testing

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
        chmod(place.directory, 0o777)
    }

    private func keyboard(_ name: String) throws -> HIDRemote {
        let keyboard = try HIDRemote(.init(name: name, layout: .keyboard))
        chmod(keyboard.node, 0o600)
        return keyboard
    }

    /// `counter listen` of the user in the foreground, who may not open the devices.
    private func listen(_ node: String) throws -> ChildProcess {
        try ChildProcess(
            asUser(1000) + [BuiltProducts.counter, "listen", "--device", node],
            environment: place.environment.merging([
                "COUNTER_KEYS_SOCKET": service.path, "COUNTER_DATA_DIR": place.directory + "/journal",
                "XDG_SESSION_ID": nil,
            ]) { $1 })
    }

    private func expectPresses(_ device: HIDRemote) throws {
        let reader = try SecondReader(node: device.node)
        for key in [Key.volumeUp, .volumeDown] { try device.press(key, for: .quick, then: .quick) }
        try reader.expect([.down(.volumeUp), .up(.volumeUp), .down(.volumeDown), .up(.volumeDown)])
    }

    /// A busy machine may keep any client from answering for half a second; its keys are then released for a moment.
    /// So a press counts or is received by others: never neither, and never both.
    @Test(arguments: Attacker.Attack.allCases)
    func `While somebody attacks it each press of somebody else is counted`(attack: Attacker.Attack) throws {
        let (mine, theirs) = (try keyboard("My Keyboard"), try keyboard("Their Keyboard"))
        defer { for device in [mine, theirs] { device.destroy() } }
        let seat = try SeatAssignment(theirs.node, to: Self.otherSeat)
        defer { withExtendedLifetime(seat) {} }
        let original = try [mine, theirs].map { try KeyMapCopy(node: $0.node) }
        let listener = try listen(mine.node)
        defer { listener.end() }
        try service.awaitErrorLine("My Keyboard: exclusive", of: listener)
        let reader = try SecondReader(node: mine.node)
        var (counted, heard) = (0, 0)
        do {
            let attacker = Attacker(attack, at: service.path, node: theirs.node)
            for presses in 1...5 {
                attacker.strike()
                try mine.press(.volumeUp, for: .milliseconds(20), then: .apart)
                try eventually("press \(presses)", last: { "\(counted) counted, \(heard) heard" }) {
                    if (try? listener.readLine(timeout: .milliseconds(20))) != nil { counted += 1 }
                    heard += try reader.take().count { $0 == .down(.volumeUp) }
                    return counted + heard == presses
                }
            }
        }
        #expect(counted > 0)
        #expect(service.child.process.isAlive, "the same one, within its limit")
        try listener.signal(SIGTERM)
        #expect(try listener.wait() == .exited(0))
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
            defer { listener.end() }
            try service.awaitErrorLine("My Keyboard: exclusive", of: listener)
        }
        var swapped = 0
        for step in 1...12 {
            let listener = try listen(device.node)
            defer { listener.end() }
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
