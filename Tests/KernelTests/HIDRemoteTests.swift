import TestSupport
import Testing

/// The kernel treats devices made through uhid like real ones.
@Suite(.serialized) struct HIDRemoteTests {
    @Test(arguments: HIDLayout.allCases)
    func `A press is seen on every kind of device`(layout: HIDLayout) throws {
        let remote = try HIDRemote(.init(layout: layout))
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        for key in [Key.volumeUp, .volumeDown, .mute] {
            try remote.press(key)
            try reader.expect([.down(key), .up(key)])
        }
    }

    @Test func `A keyboard has letters, several at a time`() throws {
        let remote = try HIDRemote(.init(layout: .keyboard))
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        try remote.down(.a)
        try remote.down(.volumeUp)
        try remote.up(.a)
        try remote.up(.volumeUp)
        try reader.expect([.down(.a), .down(.volumeUp), .up(.a), .up(.volumeUp)])
    }

    @Test func `In a single slot the second key lets go of the first`() throws {
        let remote = try HIDRemote(.init(layout: .singleSlot))
        defer { remote.destroy() }
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
        defer { remote.destroy() }
        #expect(InputNode.attribute("name", of: remote.node)?.hasPrefix("Shutter") == true)
        #expect(InputNode.attribute("phys", of: remote.node) == description.phys)
        #expect(InputNode.attribute("uniq", of: remote.node) == description.uniq)
        #expect(InputNode.attribute("id/bustype", of: remote.node) == "0005")
    }
}
