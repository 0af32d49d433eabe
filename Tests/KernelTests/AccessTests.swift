import Glibc
import TestSupport
import Testing

/// Devices that cannot be read, may not be intercepted, or consist of several nodes.
@Suite(.serialized) struct AccessTests {
    @Test func `A node without permission is told with its remedy, and counts once it has been given`() throws
    {
        let remote = try VirtualRemote(.init(name: "Locked Remote"))
        defer { remote.destroy() }
        chmod(remote.node, 0o600)
        let place = try Workplace()
        chmod(place.directory, 0o777)
        let terminal = try TerminalSession(
            asNobody + [BuiltProducts.counter, "--always"],
            environment: ["COUNTER_DATA_DIR": place.directory + "/nobody", "HOME": place.directory])
        defer { terminal.close() }
        try terminal.waitForScreen("no access to the remote") {
            $0.contains("Locked Remote") && $0.contains("no access")
        }
        // As udev does a moment after the node appeared.
        chmod(remote.node, 0o666)
        try terminal.waitForScreen("the remote, exclusive") {
            $0.contains("Locked Remote") && $0.contains("exclusive")
        }
        try remote.press(.volumeUp)
        try terminal.waitForText("Count 1")
    }

    @Test func `A keyboard stays everybody's: it counts, and its keys reach another reader`() throws {
        // uinput devices have no key map, so nothing can be remapped.
        let keyboard = try VirtualRemote(.init(name: "Whole Keyboard", keys: [.a, .volumeUp, .volumeDown]))
        defer { keyboard.destroy() }
        let reader = try SecondReader(node: keyboard.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Whole Keyboard: shared")
        try keyboard.press(.volumeUp)
        try listener.expectLines(["1"])
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    @Test func `With --intercept never nothing is intercepted`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let listener = try place.listen(["--intercept", "never"])
        defer { listener.end() }
        try listener.waitForErrorLine(": shared")
        try remote.press(.volumeUp)
        try listener.expectLines(["1"])
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
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
        defer { left.destroy() }
        let right = try HIDRemote(second)
        defer { right.destroy() }
        let originals = try [left, right].map { try KeyMapCopy(node: $0.node) }
        let place = try Workplace()
        // The longest valid chord time: a slow kernel takes time between two reports.
        let listener = try place.listen(["--json", "--chord", "390ms"])
        defer { listener.end() }
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
        defer { wanted.destroy() }
        let other = try VirtualRemote(.init(name: "Other Remote"))
        defer { other.destroy() }
        let place = try Workplace()
        let listener = try place.listen(["--device", wanted.node])
        defer { listener.end() }
        try listener.waitForErrorLine("Wanted Remote: exclusive")
        try other.press(.volumeUp)
        try wanted.press(.volumeDown)
        try listener.expectLines(["-1"])
    }

    @Test func `A disabled device is left alone at once, and read again once enabled`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        let id = try #require(try place.exported().first?.split(separator: ",")[3])
        #expect(try place.run("device", "disable", String(id)).status == .exited(0))
        try listener.waitForErrorLine(": gone")
        try remote.press(.volumeUp, then: .apart)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        #expect(try place.run("device", "enable", String(id)).status == .exited(0))
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.press(.volumeUp)
        try listener.expectLines(["2"])
    }

    @Test func `Other keys count where the configuration names them`() throws {
        let pedal = try VirtualRemote(.init(name: "Foot Pedal", keys: [.a, .b, .enter]))
        defer { pedal.destroy() }
        let place = try Workplace()
        try place.configure("[keys]\nup = \"KEY_A\"\ndown = \"KEY_B\"\nreset = \"KEY_ENTER\"\n")
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Foot Pedal: ")
        try pedal.press(.a, then: .apart)
        try pedal.press(.a, then: .apart)
        try pedal.press(.b, then: .apart)
        try listener.expectLines(["1", "2", "1"])
        try pedal.press(.enter)
        try listener.expectLines(["0"])
    }
}
