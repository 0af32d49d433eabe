import TestSupport
import Testing

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
        let first = try place.listen()
        try first.waitForErrorLine("\(Self.name): exclusive")
        var turned = 0
        // Until it is recognised: on a busy machine, detents may be so long that they are presses of keys.
        let line = try eventualValue("a notice of the knob") {
            try Self.turn(knob, by: 20)
            turned += 20
            return try? first.readErrorLine(timeout: .milliseconds(20))
        }
        #expect(line.contains("is a knob") && line.contains(Self.setting))
        try first.signal(15)
        #expect(try first.wait() == .exited(0))
        #expect(try first.readErrorLine() == nil, "told once")
        let before = try #require(Int(try place.show()))
        #expect(before < turned)

        try place.configure(#"[devices."Desk \"Dial\""]"# + "\ndebounce = \"20ms\"\n")
        let second = try place.listen()
        try second.waitForErrorLine("\(Self.name): exclusive")
        try Self.turn(knob, by: 20)
        try second.expectLines((1...20).map { String(before + $0) })
        try second.signal(15)
        #expect(try second.wait() == .exited(0))
        #expect(try second.readErrorLine() == nil)
    }
}
