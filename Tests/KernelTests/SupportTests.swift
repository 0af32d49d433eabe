import TestSupport
import Testing

/// The kernel's devices and the tests' readers work as expected: the other suites depend on this.
@Suite(.serialized) struct SupportTests {
    @Test func `A press on a remote is seen by another reader`() throws {
        let remote = try VirtualRemote()
        let reader = try SecondReader(node: remote.node)
        try remote.press(.volumeUp)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    @Test func `What one reader grabs, no other sees`() throws {
        let remote = try VirtualRemote()
        let owner = try SecondReader(node: remote.node)
        let other = try SecondReader(node: remote.node)
        try owner.grab()
        try remote.press(.volumeUp)
        #expect(try owner.take() == [.down(.volumeUp), .up(.volumeUp)])
        #expect(try other.take() == [])
        #expect(throws: SupportError.system(call: "grab", subject: remote.node, errno: 16)) {
            try other.grab()
        }

        try owner.ungrab()
        try remote.press(.volumeDown)
        #expect(try other.take() == [.down(.volumeDown), .up(.volumeDown)])
    }

    @Test func `A remote repeats a held key only where it has EV_REP`() throws {
        var description = VirtualRemote.Description()
        description.repeats = true
        description.sendsScanCodes = true
        let repeating = try VirtualRemote(description)
        let reader = try SecondReader(node: repeating.node)
        try repeating.down(.volumeUp)
        #expect(
            try reader.take(count: 3).prefix(3) == [
                .down(.volumeUp), .autorepeat(.volumeUp), .autorepeat(.volumeUp),
            ])
    }

    @Test func `A remote that is unplugged ends its readers`() throws {
        let remote = try VirtualRemote()
        let reader = try SecondReader(node: remote.node)
        remote.destroy()
        #expect(throws: SupportError.system(call: "read", subject: remote.node, errno: 19)) {
            try reader.take()
        }
    }

    @Test(
        .withOutsideKeyboards,
        arguments: [(OutsideKeyboards.Keyboard.at, OutsideKeyboards.Keyboard.usb), (.usb, .at)])
    func `A press from outside arrives at that keyboard's node alone`(
        keyboard: OutsideKeyboards.Keyboard, another: OutsideKeyboards.Keyboard
    ) throws {
        let keyboards = try OutsideKeyboards()
        let reader = try SecondReader(node: InputNode.named(keyboard.name))
        let other = try SecondReader(node: InputNode.named(another.name))
        try keyboards.press("volumeup", on: keyboard)
        try keyboards.press("b", on: keyboard)
        let seen = try reader.take(before: .up(.b)).filter { $0.action != .autorepeat }
        #expect(seen == [.down(.volumeUp), .up(.volumeUp), .down(.b)])
        #expect(try other.take() == [])
    }

    @Test(.withOutsideKeyboards)
    func `A key that no keyboard has is refused`() throws {
        let keyboards = try OutsideKeyboards()
        #expect {
            try keyboards.down("nokey", on: .at)
        } throws: { error in
            guard case .refused = error as? SupportError else { return false }
            return true
        }
    }
}

/// The kernel treats devices made through uhid like real ones.
@Suite(.serialized) struct HIDRemoteTests {
    @Test(arguments: HIDLayout.allCases)
    func `A press is seen on every kind of device`(layout: HIDLayout) throws {
        let remote = try HIDRemote(.init(layout: layout))
        let reader = try SecondReader(node: remote.node)
        for key in [Key.volumeUp, .volumeDown, .mute] {
            try remote.press(key)
            try reader.expect([.down(key), .up(key)])
        }
    }

    @Test func `A keyboard has letters, several at a time`() throws {
        let remote = try HIDRemote(.init(layout: .keyboard))
        let reader = try SecondReader(node: remote.node)
        try remote.down(.a)
        try remote.down(.volumeUp)
        try remote.up(.a)
        try remote.up(.volumeUp)
        try reader.expect([.down(.a), .down(.volumeUp), .up(.a), .up(.volumeUp)])
    }

    @Test func `In a single slot the second key lets go of the first`() throws {
        let remote = try HIDRemote(.init(layout: .singleSlot))
        let reader = try SecondReader(node: remote.node)
        try remote.down(.volumeUp)
        try remote.down(.volumeDown)
        try remote.report(down: [])
        #expect(
            try reader.take() == [.down(.volumeUp), .up(.volumeUp), .down(.volumeDown), .up(.volumeDown)])
    }

    @Test func `What the device says of itself is what the kernel says`() throws {
        var description = HIDRemote.Description(name: "Shutter", layout: .consumerControl)
        description.bus = 5
        description.phys = "aa:bb:cc:dd:ee:ff"
        description.uniq = "11:22:33:44:55:66"
        let remote = try HIDRemote(description)
        #expect(InputNode.attribute("name", of: remote.node)?.hasPrefix("Shutter") == true)
        #expect(InputNode.attribute("phys", of: remote.node) == description.phys)
        #expect(InputNode.attribute("uniq", of: remote.node) == description.uniq)
        #expect(InputNode.attribute("id/bustype", of: remote.node) == "0005")
    }
}
