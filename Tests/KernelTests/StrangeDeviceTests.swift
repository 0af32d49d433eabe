import CEvdev
import Glibc
import TestSupport
import Testing

/// Unusual devices with volume keys.
@Suite(.serialized) struct StrangeDeviceTests {
    // MARK: Nodes of the machine

    private func machineNode(_ name: String, keys: [Key]) throws -> Rig<VirtualRemote> {
        var description = VirtualRemote.Description(name: name, keys: keys)
        description.bus = UInt16(BUS_HOST)
        return try Rig(description)
    }

    @Test func `One press that the machine reports on two nodes counts once`() throws {
        let first = try machineNode("Hotkeys", keys: [.volumeUp, .volumeDown])
        let second = try machineNode("Buttons", keys: [.volumeUp, .volumeDown])
        let nodes = [first, second].map(\.device)
        let listener = try first.listen(nodes.flatMap { ["--device", $0.node] })
        for _ in 1...2 {
            for node in nodes { try node.down(.volumeUp) }
            for node in nodes { try node.up(.volumeUp) }
            pause(.apart)
        }
        try second.device.press(.volumeDown)
        try listener.expectLines(["1", "2", "1"])
    }

    @Test func `Keys that lie on two nodes of the machine make a chord`() throws {
        let up = try machineNode("Upper Button", keys: [.volumeUp])
        let down = try machineNode("Lower Button", keys: [.volumeDown])
        let listener = try up.listen(
            ["--chord", "390ms", "--device", up.device.node, "--device", down.device.node])
        try up.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        try up.device.down(.volumeUp)
        try down.device.down(.volumeDown)
        try up.device.up(.volumeUp)
        try down.device.up(.volumeDown)
        try listener.expectReset(counted: "2", before: "1")
    }

    // MARK: Keys

    @Test func `In a single slot both keys at once reset`() throws {
        let rig = try Rig("Narrow Remote", .singleSlot)
        let listener = try rig.listen(["--chord", "390ms"])
        try rig.device.press(.volumeUp, then: .milliseconds(500))
        try listener.expectLines(["1"])
        try rig.device.down(.volumeUp)
        try rig.device.down(.volumeDown)
        try rig.device.report(down: [])
        try listener.expectReset(counted: "2", before: "1")
    }

    @Test func `A release whose press was not received counts nothing`() throws {
        let rig = try Rig()
        let listener = try rig.listen(["--intercept", "never"], until: "shared")
        let other = try SecondReader(node: rig.device.node)
        try other.grab()
        try rig.device.down(.volumeUp)
        try other.ungrab()
        try rig.device.up(.volumeUp, then: .apart)
        try rig.device.press(.volumeDown)
        try listener.expectLines(["-1"])
    }

    @Test func `A key that never comes up counts until the limit, and again when pressed anew`() throws {
        let rig = try Rig()
        let listener = try rig.listen(["--hold-limit", "1s"])
        try rig.device.down(.volumeUp)
        try listener.waitForErrorLine("down for too long")
        // At 0, 400, 550, 700 and 850 ms.
        try listener.expectLines(["1", "2", "3", "4", "5"])
        try rig.device.up(.volumeUp)
        try rig.device.press(.volumeDown)
        try listener.expectLines(["4"])
    }

    @Test func `A shutter with one key counts up, and a key of its own resets`() throws {
        let rig = try Rig("Shutter", keys: [.volumeUp, .enter])
        try rig.place.configure("[keys]\nreset = \"KEY_ENTER\"\n")
        let listener = try rig.listen()
        for _ in 1...2 { try rig.device.press(.volumeUp, then: .apart) }
        try rig.device.press(.enter)
        try listener.expectLines(["1", "2", "0"])
    }

    // MARK: Devices with other functions

    @Test func `A mouse with volume keys goes on pointing`() throws {
        var description = VirtualRemote.Description(
            name: "Mouse", keys: [.leftMouseButton, .volumeUp, .volumeDown])
        description.relativeAxes = [UInt16(REL_X), UInt16(REL_Y)]
        try expectShared(description, because: "moves a pointer")
    }

    @Test func `A tablet with volume keys goes on drawing`() throws {
        var description = VirtualRemote.Description(name: "Tablet", keys: [.volumeUp, .volumeDown])
        description.absoluteAxes = [
            .init(code: UInt16(ABS_X), range: 0...1000), .init(code: UInt16(ABS_Y), range: 0...1000),
        ]
        try expectShared(description, because: "moves a pointer")
    }

    private func expectShared(_ description: VirtualRemote.Description, because reason: String) throws {
        let rig = try Rig(description)
        let listener = try rig.listen(until: "shared: \(rig.device.node) \(reason)")
        try rig.device.press(.volumeUp)
        try listener.expectLines(["1"])
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    // MARK: Scan codes

    @Test func `Scan codes without a key count nothing and wake nobody`() throws {
        var description = VirtualRemote.Description(name: "Scanning Remote")
        description.sendsScanCodes = true
        let rig = try Rig(description)
        let listener = try rig.listen()
        let server = try keyServer(of: listener.process)
        // Earlier work may still go on in the first round.
        try eventually("it to sleep through a hundred of them") {
            let before = server.contextSwitches
            for _ in 1...100 {
                try rig.device.emit(frame: [(UInt16(EV_MSC), UInt16(MSC_SCAN), 0xC00E9)])
                // A process that is woken goes back to sleep before the next one.
                pause(.milliseconds(2))
            }
            return server.contextSwitches == before
        }
        try rig.device.press(.volumeUp)
        try listener.expectLines(["1"])
    }

    @Test func `A key that somebody has mapped to volume up is swapped with the volume keys, and back`()
        throws
    {
        let rig = try Rig("Mapped Keyboard", .keyboard)
        try InputNode.map(.b, to: .volumeUp, at: rig.device.node)
        let original = try rig.map
        let listener = try rig.listen()
        try rig.device.press(.b, then: .apart)
        try rig.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["1", "2"])
        #expect(!(try rig.reader.take()).contains { $0.key == .volumeUp || $0.key == .b })
        try listener.signal(SIGTERM)
        #expect(try listener.wait() == .exited(0))
        #expect(try rig.map == original)
    }

    // MARK: Drivers that are unbound

    @Test(.withOutsideKeyboards)
    func `A keyboard whose driver is taken away in the middle of a hold is gone, and counts when it is back`()
        throws
    {
        let outside = try OutsideKeyboards()
        let rig = try Rig(PressedDevice(.usb, outside: outside))
        let driver = try #require(HIDDriver(of: rig.device.node))
        let listener = try rig.listen()
        try outside.down("volumeup", on: .usb)
        try listener.expectLines(["1"])
        try driver.unbind()
        // The tests that follow need the driver, whatever happens here.
        defer { try? driver.bind() }
        try listener.waitForErrorLine(": gone")
        try outside.up("volumeup", on: .usb)
        try driver.bind()
        try listener.waitForErrorLine("USB Keyboard: exclusive")
        try outside.press("volumedown", on: .usb)
        #expect(try listener.readLine() != nil)
    }
}
