import TestSupport
import Testing

/// A knob sends a press of a few milliseconds for each detent, faster than the debounce of keys lets count.
@Suite(.serialized) struct KnobTests {
    private static let name = "Desk \"Dial\""
    private static let setting = #"set debounce = "20ms" under [devices."Desk \"Dial\""] in config.toml"#

    private static func knob() throws -> VirtualRemote {
        try VirtualRemote(.init(name: name, keys: [.volumeUp, .volumeDown]))
    }

    /// Turns a knob until it is recognised: on a busy machine, detents may be so long that they are presses of keys.
    private static func turn<Told>(
        _ knob: VirtualRemote, until told: () throws -> Told?
    ) throws -> (detents: Int, Told) {
        var detents = 0
        let told = try eventualValue("a notice of the knob") {
            try turn(knob, by: 20)
            detents += 20
            return try told()
        }
        return (detents, told)
    }

    /// Turns a knob by detents that are 30 to 150 ms apart, even on a slow kernel.
    private static func turn(_ knob: VirtualRemote, by detents: Int) throws {
        for _ in 1...detents { try knob.press(.volumeUp, for: .milliseconds(2), then: .milliseconds(40)) }
    }

    @Test func `It is told with its setting, and with that every detent counts and nothing is told`() throws {
        let knob = try Self.knob()
        let place = try Workplace()
        let first = try place.listen()
        try first.waitForErrorLine("\(Self.name): exclusive")
        let (turned, line) = try Self.turn(knob) { try? first.readErrorLine(timeout: .milliseconds(20)) }
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

    @Test func `The screen names it with its setting`() throws {
        let knob = try Self.knob()
        let place = try Workplace()
        let terminal = try place.open(columns: 160)
        try terminal.waitForText("exclusive")
        _ = try Self.turn(knob) { try terminal.screen().contains(Self.setting) ? () : nil }
        try terminal.type("d")
        // The hint stays with the device, whatever the notice says next: it is below the reason, which the notice has
        // on the same line.
        try knob.press(.volumeDown, then: .apart)
        try terminal.waitForScreen("the setting among the details alone") { screen in
            let lines = screen.lines.filter { $0.contains("set debounce = \"20ms\" under") }
            return lines.count == 1 && !lines[0].contains("is a knob") && screen.contains("is a knob")
        }
    }
}
