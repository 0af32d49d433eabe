import CEvdev
import Glibc
import TestSupport
import Testing

/// Unusual devices with volume keys, and what settings say of devices.
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
        let other = try VirtualRemote(.init(name: "Other Remote"))
        let listener = try first.listen(nodes.flatMap { ["--device", $0.node] })
        for _ in 1...2 {
            for node in nodes { try node.down(.volumeUp) }
            for node in nodes { try node.up(.volumeUp) }
            pause(.apart)
        }
        // Only the nodes that --device names are listened to.
        try other.press(.volumeUp)
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
        // With --intercept never nothing is intercepted.
        try rig.reader.expect([.up(.volumeUp)] + .presses(of: .volumeDown))
    }

    // MARK: Settings

    @Test func `A disabled device is left alone at once, and read again once enabled`() throws {
        let rig = try Rig("Some Device", .keyboard)
        let listener = try rig.listen()
        try rig.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        let id = try #require(try rig.place.exported().first?.split(separator: ",")[3])
        #expect(try rig.place.run("device", "disable", String(id)).status == .exited(0))
        try listener.waitForErrorLine(": gone")
        #expect(try !rig.isRemapped)
        _ = try rig.reader.take()
        try rig.device.press(.volumeUp, then: .apart)
        try rig.reader.expect(.presses(of: .volumeUp))
        #expect(try rig.place.run("device", "enable", String(id)).status == .exited(0))
        try listener.waitForErrorLine("Some Device: exclusive")
        try rig.device.press(.volumeUp)
        try listener.expectLines(["2"])
    }

    @Test func `Other keys count where the configuration names them`() throws {
        let rig = try Rig("Foot Pedal", keys: [.a, .b, .enter])
        try rig.place.configure("[keys]\nup = \"KEY_A\"\ndown = \"KEY_B\"\nreset = \"KEY_ENTER\"\n")
        let listener = try rig.place.listen(until: "Foot Pedal: ")
        try rig.device.press(.a, then: .apart)
        try rig.device.press(.a, then: .apart)
        try rig.device.press(.b, then: .apart)
        try listener.expectLines(["1", "2", "1"])
        try rig.device.press(.enter)
        try listener.expectLines(["0"])
    }

    // MARK: Devices with other functions

    @Test func `A keyboard, a mouse and a tablet with volume keys go on typing, pointing and drawing`() throws
    {
        // uinput devices have no key map, so nothing can be remapped.
        let keyboard = VirtualRemote.Description(name: "Letters", keys: [.a, .volumeUp, .volumeDown])
        var mouse = VirtualRemote.Description(
            name: "Mouse", keys: [.leftMouseButton, .volumeUp, .volumeDown])
        mouse.relativeAxes = [UInt16(REL_X), UInt16(REL_Y)]
        var tablet = VirtualRemote.Description(name: "Tablet", keys: [.volumeUp, .volumeDown])
        tablet.absoluteAxes = [
            (code: UInt16(ABS_X), range: 0...1000), (code: UInt16(ABS_Y), range: 0...1000),
        ]
        let place = try Workplace()
        let rigs = try [keyboard, mouse, tablet].map { try Rig(VirtualRemote($0), in: place) }
        let listener = try place.listen()
        try listener.waitForErrorLines(
            zip(rigs, ["is a keyboard", "moves a pointer", "moves a pointer"]).map { rig, reason in
                "\(rig.device.name): shared: \(rig.device.node) \(reason)"
            })
        for (number, rig) in rigs.enumerated() {
            try rig.device.press(.volumeUp)
            try listener.expectLines(["\(number + 1)"])
            try rig.reader.expect(.presses(of: .volumeUp))
        }
    }

    // MARK: Key maps

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
        try listener.terminate()
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
