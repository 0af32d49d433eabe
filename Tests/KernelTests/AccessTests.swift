import Glibc
import TestSupport
import Testing

/// Devices that cannot be read, may not be intercepted, or consist of several nodes.
@Suite(.serialized) struct AccessTests {

    @Test func `A keyboard stays everybody's: it counts, and its keys reach another reader`() throws {
        // uinput devices have no key map, so nothing can be remapped.
        let rig = try Rig("Whole Keyboard", keys: [.a, .volumeUp, .volumeDown])
        let listener = try rig.listen(until: "shared")
        try rig.device.press(.volumeUp)
        try listener.expectLines(["1"])
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    @Test func `With --intercept never nothing is intercepted`() throws {
        let rig = try Rig()
        let listener = try rig.listen(["--intercept", "never"], until: "shared")
        try rig.device.press(.volumeUp)
        try listener.expectLines(["1"])
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    @Test func `Two nodes at one port are one source, and make a chord`() throws {
        var first = HIDRemote.Description(name: "Left Half", layout: .consumerControl)
        first.phys = "usb-test-7/input0"
        first.uniq = ""
        var second = HIDRemote.Description(name: "Right Half", layout: .consumerControl)
        second.phys = "usb-test-7/input1"
        first.uniq = "left"
        second.uniq = "right"
        let left = try HIDRemote(first)
        let right = try HIDRemote(second)
        let originals = try [left, right].map { try KeyMapCopy(node: $0.node) }
        let place = try Workplace()
        // The longest valid chord time: a slow kernel takes time between two reports.
        let listener = try place.listen(["--json", "--chord", "390ms"])
        // The device is reported with the first of its nodes.
        try eventually("both halves to be exclusive") {
            try zip([left, right], originals).allSatisfy { try KeyMapCopy(node: $0.node) != $1 }
        }
        try left.down(.volumeUp)
        try right.down(.volumeDown)
        try left.up(.volumeUp)
        try right.up(.volumeDown)
        // If both presses are read at once, only the reset is reported.
        var told: [String] = []
        while told.last?.hasPrefix("{\"type\":\"reset\"") != true {
            told.append(try #require(try listener.readLine()))
        }
        #expect(!told.contains { $0.hasPrefix("{\"type\":\"out\"") }, "\(told)")
        #expect(try place.show() == "0")
    }

    @Test func `Only the nodes that --device names are listened to`() throws {
        let wanted = try VirtualRemote(.init(name: "Wanted Remote"))
        let other = try VirtualRemote(.init(name: "Other Remote"))
        let place = try Workplace()
        let listener = try place.listen(["--device", wanted.node])
        try listener.waitForErrorLine("Wanted Remote: exclusive")
        try other.press(.volumeUp)
        try wanted.press(.volumeDown)
        try listener.expectLines(["-1"])
    }

    @Test func `A disabled device is left alone at once, and read again once enabled`() throws {
        let rig = try Rig()
        let listener = try rig.listen()
        try rig.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        let id = try #require(try rig.place.exported().first?.split(separator: ",")[3])
        #expect(try rig.place.run("device", "disable", String(id)).status == .exited(0))
        try listener.waitForErrorLine(": gone")
        try rig.device.press(.volumeUp, then: .apart)
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])
        #expect(try rig.place.run("device", "enable", String(id)).status == .exited(0))
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try rig.device.press(.volumeUp)
        try listener.expectLines(["2"])
    }

    @Test func `Other keys count where the configuration names them`() throws {
        let rig = try Rig("Foot Pedal", keys: [.a, .b, .enter])
        try rig.place.configure("[keys]\nup = \"KEY_A\"\ndown = \"KEY_B\"\nreset = \"KEY_ENTER\"\n")
        let listener = try rig.place.listen()
        try listener.waitForErrorLine("Foot Pedal: ")
        try rig.device.press(.a, then: .apart)
        try rig.device.press(.a, then: .apart)
        try rig.device.press(.b, then: .apart)
        try listener.expectLines(["1", "2", "1"])
        try rig.device.press(.enter)
        try listener.expectLines(["0"])
    }
}
