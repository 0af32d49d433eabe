import Glibc
import TestSupport
import Testing

/// Presses of real keys become numbers on a real screen and in the journal.
@Suite(.serialized) struct CountingTests {
    @Test func `Presses, and both keys, are on the screen, in the journal, and there after a restart`() throws
    {
        let rig = try Rig()
        // The longest valid chord time: a slow kernel takes time between two presses.
        let first = try rig.open(["--always", "--chord", "390ms"])
        for _ in 1...3 { try rig.device.press(.volumeUp, then: .milliseconds(500)) }
        try rig.device.press(.volumeDown, then: .milliseconds(500))
        try first.waitForText("Count 2")
        #expect(try rig.place.show() == "2")
        // Both keys reset, and leave no trace in the totals.
        try rig.device.down(.volumeUp, then: .milliseconds(50))
        try rig.device.down(.volumeDown, then: .quick)
        try rig.device.up(.volumeUp, then: .quick)
        try rig.device.up(.volumeDown, then: .apart)
        try first.waitForText("reset at")
        try first.waitForText("Count 0")
        let rows = try rig.place.exported()
        #expect(rows.filter { $0.contains(",in,") || $0.contains(",out,") }.count == 4)
        #expect(rows.filter { $0.contains(",reset,") }.count == 1)
        // `u` restores the number.
        try first.type("u")
        try first.waitForText("Count 2")
        try first.type("q")
        #expect(try first.waitForExit() == .exited(0))

        let second = try rig.place.open()
        try second.waitForText("Count 2")
    }

    @Test func `A frame with press and release counts once, a hold of 1.93 s twelve, and autorepeat nothing`()
        throws
    {
        var description = VirtualRemote.Description(name: "Repeating Remote")
        description.repeats = true
        let rig = try Rig(description)
        let listener = try rig.listen()
        try rig.device.emit(
            frame: rig.device.frame(.volumeUp, .down) + rig.device.frame(.volumeUp, .up))
        try listener.expectLines(["1"])
        pause(.apart)
        try rig.device.press(.volumeDown, then: .apart)
        try listener.expectLines(["0"])
        let count = try rig.place.awaitCount(in: rig.device.hold(.volumeUp, for: .milliseconds(1930)))
        // One more press shows that nothing else was counted before it.
        try rig.device.press(.volumeDown)
        try rig.place.awaitCount(count - 1)
        #expect(try rig.place.run("undo").output == "\(count)\n")
        // Undo takes back a hold as one change.
        #expect(try rig.place.run("undo").output == "0\n")
    }

    @Test func `listen prints 0 where more left a room than entered it, and says how many more`() throws {
        let rig = try Rig()
        try rig.place.run("location", "set", "default", "--capacity", "9")
        let listener = try rig.listen()
        for left in 1...2 {
            try rig.device.press(.volumeDown, then: .apart)
            try listener.expectLines(["0"])
            try listener.waitForErrorLine("default: \(left) more out than in: somebody was missed")
        }
        try rig.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["0"])
        try listener.waitForErrorLine("default: 1 more out than in: somebody was missed")
        for count in 0...1 {
            try rig.device.press(.volumeUp, then: .apart)
            try listener.expectLines(["\(count)"])
        }
        #expect(try rig.place.show() == "1")
    }
}

/// A knob sends a press of a few milliseconds for each detent, faster than the debounce of keys lets count.
@Suite(.serialized) struct KnobTests {
    private static let name = "Desk \"Dial\""
    private static let setting = #"set debounce = "20ms" under [devices."Desk \"Dial\""] in config.toml"#

    /// Turns a knob by detents that are 30 to 150 ms apart, even on a slow kernel.
    private static func turn(_ knob: VirtualRemote, by detents: Int) throws {
        for _ in 1...detents { try knob.press(.volumeUp, for: .milliseconds(2), then: .milliseconds(40)) }
    }

    @Test func `It is told with its setting, and with that every detent counts and nothing is told`() throws {
        let knob = try VirtualRemote(.init(name: Self.name, keys: [.volumeUp, .volumeDown]))
        let place = try Workplace()
        let first = try place.listen(until: "\(Self.name): exclusive")
        var turned = 0
        // Until it is recognised: on a busy machine, detents may be so long that they are presses of keys.
        let line = try eventualValue("a notice of the knob") {
            try Self.turn(knob, by: 20)
            turned += 20
            return try? first.readErrorLine(timeout: .milliseconds(20))
        }
        #expect(line.contains("is a knob") && line.contains(Self.setting))
        try first.terminate()
        #expect(try first.readErrorLine() == nil, "told once")
        let before = try #require(Int(try place.show()))
        #expect(before < turned)

        try place.configure(#"[devices."Desk \"Dial\""]"# + "\ndebounce = \"20ms\"\n")
        let second = try place.listen(until: "\(Self.name): exclusive")
        try Self.turn(knob, by: 20)
        try second.expectLines((1...20).map { String(before + $0) })
        try second.terminate()
        #expect(try second.readErrorLine() == nil)
    }
}

/// Both volume keys acknowledge the end of a timer, and reset nothing then. What follows from a press is tested in
/// CountingTests/Tabs/TimersTabTests.
@Suite(.serialized) struct TimerKeysTests {
    @Test func `Both keys acknowledge, and reset nothing; held they start it again`() throws {
        let rig = try Rig()
        try rig.place.run("add", "3")
        try rig.listen(["--chord", "390ms"])
        try rig.place.run("timer", "start", "1s", "Robins", "--keep")
        try eventually("its end") { try rig.place.run("timer", "list").output.contains("ended") }
        // The listener notices it by itself.
        pause(.milliseconds(500))
        try rig.device.down(.volumeUp, then: .milliseconds(50))
        try rig.device.down(.volumeDown, then: .milliseconds(2500))
        try eventually("another one") {
            try rig.place.run("timer", "results", "--json").output.split(separator: "\n").count == 2
        }
        try rig.device.up(.volumeUp, then: .quick)
        try rig.device.up(.volumeDown, then: .apart)
        #expect(try rig.place.show() == "3")
        #expect(try rig.place.verify().status == .exited(0))
    }
}
