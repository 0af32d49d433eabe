import TestSupport
import Testing

/// On a Linux virtual terminal the kernel reports which terminal is in the foreground.
@Suite(.serialized) struct VirtualTerminalTests {
    private static let front = 1
    private static let ours = 2

    private func open(_ place: Workplace, _ command: [String]) throws -> ConsoleSession {
        try ConsoleSession(
            command, on: Self.ours, environment: place.environment.merging(["TMUX": nil, "STY": nil]) { $1 })
    }

    @Test func `In the background nothing is intercepted and nothing counts, in the foreground both`() throws
    {
        let rig = try Rig()
        let console = try open(rig.place, [BuiltProducts.counter])
        try console.waitForText("Virtual Remote shared")
        try console.type("d")
        try console.waitForText("in the background: nothing counts")
        try console.type("d")
        defer { try? ConsoleSession.show(Self.front) }
        for count in 1...2 {
            try rig.press(isHeard: true)
            try ConsoleSession.show(Self.ours)
            try rig.expectExclusive(on: console, count: count)
            try ConsoleSession.show(Self.front)
            try console.waitForText("Virtual Remote shared")
        }
        #expect(try rig.place.show() == "2")
    }

    @Test func `With --always it counts and intercepts in the background too`() throws {
        let rig = try Rig()
        let console = try open(rig.place, [BuiltProducts.counter, "--always"])
        try rig.expectExclusive(on: console, count: 1)
    }

    @Test func `Continued in the background it intercepts nothing`() throws {
        let rig = try Rig()
        try ConsoleSession.show(Self.ours)
        defer { try? ConsoleSession.show(Self.front) }
        let shell = try open(rig.place, ["bash", "--norc", "-i"])
        try shell.type("\(BuiltProducts.counter)\n")
        try shell.waitForText("Virtual Remote exclusive")
        try shell.type("\u{1A}")
        try shell.waitForText("Stopped")
        try ConsoleSession.show(Self.front)
        try shell.type("fg\n")
        try shell.waitForText("Virtual Remote shared")
        try rig.press(isHeard: true)
    }
}
