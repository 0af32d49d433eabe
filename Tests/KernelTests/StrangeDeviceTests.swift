import CEvdev
import Glibc
import TestSupport
import Testing

/// Unusual devices with volume keys.
@Suite(.serialized) struct StrangeDeviceTests {
    private func listen(
        to name: String, as state: String = "exclusive", _ options: [String] = [], in place: Workplace? = nil
    ) throws -> ChildProcess {
        let listener = try (place ?? Workplace()).listen(options)
        try listener.waitForErrorLine("\(name): \(state)")
        return listener
    }

    // MARK: Nodes of the machine

    private func machineNode(_ name: String, keys: [Key]) throws -> VirtualRemote {
        var description = VirtualRemote.Description(name: name, keys: keys)
        description.bus = UInt16(BUS_HOST)
        return try VirtualRemote(description)
    }

    @Test func `One press that the machine reports on two nodes counts once`() throws {
        let first = try machineNode("Hotkeys", keys: [.volumeUp, .volumeDown])
        defer { first.destroy() }
        let second = try machineNode("Buttons", keys: [.volumeUp, .volumeDown])
        defer { second.destroy() }
        let listener = try listen(to: "Hotkeys", ["--device", first.node, "--device", second.node])
        defer { listener.end() }
        for _ in 1...2 {
            for node in [first, second] { try node.down(.volumeUp) }
            for node in [first, second] { try node.up(.volumeUp) }
            pause(.apart)
        }
        try second.press(.volumeDown)
        try listener.expectLines(["1", "2", "1"])
    }

    @Test func `Keys that lie on two nodes of the machine make a chord`() throws {
        let up = try machineNode("Upper Button", keys: [.volumeUp])
        defer { up.destroy() }
        let down = try machineNode("Lower Button", keys: [.volumeDown])
        defer { down.destroy() }
        let listener = try listen(
            to: "Upper Button", ["--chord", "390ms", "--device", up.node, "--device", down.node])
        defer { listener.end() }
        try up.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        try up.down(.volumeUp)
        try down.down(.volumeDown)
        try up.up(.volumeUp)
        try down.up(.volumeDown)
        try listener.expectReset(counted: "2", before: "1")
    }

    // MARK: Keys

    @Test func `In a single slot both keys at once reset`() throws {
        let remote = try HIDRemote(.init(name: "Narrow Remote", layout: .singleSlot))
        defer { remote.destroy() }
        let listener = try listen(to: "Narrow Remote", ["--chord", "390ms"])
        defer { listener.end() }
        try remote.press(.volumeUp, then: .milliseconds(500))
        try listener.expectLines(["1"])
        try remote.down(.volumeUp)
        try remote.down(.volumeDown)
        try remote.report(down: [])
        try listener.expectReset(counted: "2", before: "1")
    }

    @Test func `A release whose press was not received counts nothing`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let listener = try listen(to: "Virtual Remote", as: "shared", ["--intercept", "never"])
        defer { listener.end() }
        let other = try SecondReader(node: remote.node)
        try other.grab()
        try remote.down(.volumeUp)
        try other.ungrab()
        try remote.up(.volumeUp, then: .apart)
        try remote.press(.volumeDown)
        try listener.expectLines(["-1"])
    }

    @Test func `A key that never comes up counts until the limit, and again when pressed anew`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let listener = try listen(to: "Virtual Remote", ["--hold-limit", "1s"])
        defer { listener.end() }
        try remote.down(.volumeUp)
        try listener.waitForErrorLine("down for too long")
        // At 0, 400, 550, 700 and 850 ms.
        try listener.expectLines(["1", "2", "3", "4", "5"])
        try remote.up(.volumeUp)
        try remote.press(.volumeDown)
        try listener.expectLines(["4"])
    }

    @Test func `A shutter with one key counts up, and a key of its own resets`() throws {
        let shutter = try VirtualRemote(.init(name: "Shutter", keys: [.volumeUp, .enter]))
        defer { shutter.destroy() }
        let place = try Workplace()
        try place.configure("[keys]\nreset = \"KEY_ENTER\"\n")
        let listener = try listen(to: "Shutter", in: place)
        defer { listener.end() }
        for _ in 1...2 { try shutter.press(.volumeUp, then: .apart) }
        try shutter.press(.enter)
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
        let device = try VirtualRemote(description)
        defer { device.destroy() }
        let reader = try SecondReader(node: device.node)
        let listener = try listen(to: description.name, as: "shared: \(device.node) \(reason)")
        defer { listener.end() }
        try device.press(.volumeUp)
        try listener.expectLines(["1"])
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    // MARK: Scan codes

    @Test func `Scan codes without a key count nothing and wake nobody`() throws {
        var description = VirtualRemote.Description(name: "Scanning Remote")
        description.sendsScanCodes = true
        let remote = try VirtualRemote(description)
        defer { remote.destroy() }
        let listener = try listen(to: "Scanning Remote")
        defer { listener.end() }
        let server = try keyServer(of: listener.process)
        // Earlier work may still go on in the first round.
        try eventually("it to sleep through a hundred of them") {
            let before = server.contextSwitches
            for _ in 1...100 {
                try remote.emit(frame: [(UInt16(EV_MSC), UInt16(MSC_SCAN), 0xC00E9)])
                // A process that is woken goes back to sleep before the next one.
                pause(.milliseconds(2))
            }
            return server.contextSwitches == before
        }
        try remote.press(.volumeUp)
        try listener.expectLines(["1"])
    }

    @Test func `A key that somebody has mapped to volume up is swapped with the volume keys, and back`()
        throws
    {
        let keyboard = try HIDRemote(.init(name: "Mapped Keyboard", layout: .keyboard))
        defer { keyboard.destroy() }
        try InputNode.map(.b, to: .volumeUp, at: keyboard.node)
        let original = try KeyMapCopy(node: keyboard.node)
        let reader = try SecondReader(node: keyboard.node)
        let listener = try listen(to: "Mapped Keyboard")
        defer { listener.end() }
        try keyboard.press(.b, then: .apart)
        try keyboard.press(.volumeUp, then: .apart)
        try listener.expectLines(["1", "2"])
        #expect(!(try reader.take()).contains { $0.key == .volumeUp || $0.key == .b })
        try listener.signal(SIGTERM)
        #expect(try listener.wait() == .exited(0))
        #expect(try KeyMapCopy(node: keyboard.node) == original)
    }

    // MARK: Drivers that are unbound

    @Test(.withOutsideKeyboards)
    func `A keyboard whose driver is taken away in the middle of a hold is gone, and counts when it is back`()
        throws
    {
        let outside = try OutsideKeyboards()
        let node = try InputNode.named(OutsideKeyboards.Keyboard.usb.name)
        let driver = try #require(HIDDriver(of: node))
        let listener = try listen(to: OutsideKeyboards.Keyboard.usb.name)
        defer { listener.end() }
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
