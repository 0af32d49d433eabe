import TestSupport
import Testing

/// The notification of the user's own terminal, where the desktop shows none: seen by the terminal that tmux runs in.
@Suite struct TerminalNotificationTests {
    private static let sequence = "\u{1B}]9;Time is up: Robins, 0 in, 0 out\u{7}"

    /// The program in tmux, and a terminal that is attached to it.
    private static func attached(_ place: Workplace) throws -> (TerminalSession, ChildProcess) {
        let terminal = try TerminalSession(
            [BuiltProducts.counter], environment: place.environment, options: ["allow-passthrough": "on"])
        try terminal.waitForText("[Q")
        let client = try terminal.attach()
        try client.skipOutput(past: "Timers")
        return (terminal, client)
    }

    /// What the terminal receives until two more alerts have rung.
    private static func later(_ client: ChildProcess) throws -> String {
        try client.skipOutput(past: "\u{7}") + client.skipOutput(past: "\u{7}")
    }

    @Test(arguments: [
        ["SSH_CONNECTION": "1 2 3 4", "DISPLAY": ":0"], ["DISPLAY": nil, "WAYLAND_DISPLAY": nil],
    ])
    func `Over SSH and without a desktop there is one for each alarm`(environment: [String: String?]) throws {
        let place = try Workplace.silent(environment)
        let (terminal, client) = try Self.attached(place)
        defer { terminal.close() }
        try place.run("timer", "start", "1s", "Quiet", "--mode", "silent")
        try terminal.waitForText("Quiet ended")
        try place.run("timer", "start", "1s", "Robins")
        let before = try client.skipOutput(past: Self.sequence)
        #expect(!before.contains("]9;Time is up: Quiet"))
        #expect(try !Self.later(client).contains("]9;"))
    }

    @Test func `On a desktop without notifications the terminal shows it`() throws {
        let desktop = try TestDesktop(["manager"])
        defer { desktop.end() }
        let place = try Workplace.silent(
            desktop.environment.merging(["DISPLAY": ":0", "SSH_CONNECTION": nil]) { $1 })
        let (terminal, client) = try Self.attached(place)
        defer { terminal.close() }
        try place.run("timer", "start", "1s", "Robins")
        try client.skipOutput(past: Self.sequence)
        #expect(try !Self.later(client).contains("]9;"))
    }

    @Test func `Where the desktop shows it the terminal does not`() throws {
        let desktop = try TestDesktop(["notifications"])
        defer { desktop.end() }
        let place = try Workplace.silent(
            desktop.environment.merging(["DISPLAY": ":0", "SSH_CONNECTION": nil]) { $1 })
        let (terminal, client) = try Self.attached(place)
        defer { terminal.close() }
        try place.run("timer", "start", "1s", "Robins")
        #expect(try desktop.call().hasPrefix("notify 1 urgency 1 ⏰ Robins"))
        #expect(try !Self.later(client).contains("]9;"))
    }
}
