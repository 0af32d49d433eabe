import TestSupport
import Testing

/// The kernel's devices and the tests' readers work as expected: the other suites depend on this.
@Suite(.serialized) struct SupportTests {
    @Test func `A press on a remote is seen by another reader`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        try remote.press(.volumeUp)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    @Test func `What one reader grabs, no other sees`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
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
        defer { repeating.destroy() }
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
