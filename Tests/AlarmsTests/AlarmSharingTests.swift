import Glibc
import TestSupport
import Testing

/// Who shares an alarm: all programs on a journal, on the desktop and over SSH; not the journals of two users.
@Suite struct SharedAlarmTests {
    /// As sshd(8) starts a program of the user who is logged in on the desktop too.
    private static let overSSH: [String: String?] = [
        "SSH_CONNECTION": "192.0.2.1 50022 192.0.2.2 22", "DBUS_SESSION_BUS_ADDRESS": nil, "DISPLAY": nil,
    ]

    @Test(arguments: ["desktop", "SSH"])
    func `The notification comes on the desktop, and either acknowledgement silences both`(by: String) throws
    {
        let desktop = try TestDesktop(["notifications"])
        let place = try Workplace.silent(desktop.environment)
        let terminals = try ["desktop": place.open([]), "SSH": place.open([], environment: Self.overSSH)]
        defer { for terminal in terminals.values { terminal.close() } }
        for terminal in terminals.values { try terminal.waitForText("Count 0") }
        try place.run(["timer", "start", "1s", "Robins"], environment: by == "SSH" ? Self.overSSH : [:])
        for terminal in terminals.values { try terminal.waitForText("Robins ended") }
        #expect(try desktop.call().contains("⏰ Robins | ended at "))
        try terminals[by]?.sendKey("Enter")
        for terminal in terminals.values {
            try terminal.waitForScreen("no alarm") { !$0.description.contains("Robins ended") }
        }
        // It is one notification, however often it was replaced meanwhile.
        while case let call = try desktop.call(), call != "close 1" { #expect(call.hasPrefix("notify 1 ")) }
        #expect(try place.run("timer", "list", "--json").output.contains("acknowledgedAt"))
        // The next call is that of the next alarm.
        try place.run("timer", "start", "1s", "Wrens")
        #expect(try desktop.call().contains("⏰ Wrens"))
        try place.run("timer", "acknowledge", "Wrens")
    }

    @Test(.enabled(if: getuid() == 0, "only root may become another user"))
    func `Two users' alarms do not meet`() throws {
        let desktop = try TestDesktop(["notifications"])
        let ada = try Workplace.silent(desktop.environment)
        let bob = try Workplace.silent()
        bob.environment["XDG_RUNTIME_DIR"] = bob.directory
        chown(bob.directory, 65534, 65534)
        func bobs(_ words: String...) throws -> ChildProcess.Outcome {
            try ChildProcess.run(asNobody + words, environment: bob.environment)
        }
        let robins = try ada.ring("Robins")
        #expect(try bobs(BuiltProducts.counter, "timer", "start", "1s", "Wrens").status == .exited(0))
        try eventually("bob's timer to end") {
            try bobs(BuiltProducts.counter, "timer", "list").output.contains("ended")
        }
        _ = try bobs(
            "sh", "-c", "\"$0\" --data-dir \"$1\" </dev/null >/dev/null 2>&1 &", BuiltProducts.counterRinger,
            bob.directory)
        let wrens = try eventualValue("bob's ringer") { try bob.ringer }
        #expect(try desktop.call().contains("⏰ Robins"))
        // Bob can neither hear of ada's timers nor acknowledge them.
        let refused = try bobs(
            BuiltProducts.counter, "--data-dir", ada.directory, "timer", "acknowledge", "1")
        #expect(refused.status != .exited(0))
        try ada.run("timer", "acknowledge", "1")
        while case let call = try desktop.call(), call != "close 1" { #expect(call.contains("Robins")) }
        try eventually("ada's ringer to end") { !robins.isAlive }
        #expect(wrens.isAlive)
        #expect(try bobs(BuiltProducts.counter, "timer", "acknowledge", "1").status == .exited(0))
        try eventually("bob's ringer to end") { !wrens.isAlive }
    }
}

/// The notification of the user's own terminal, where the desktop shows none: seen by the terminal that tmux runs in.
@Suite struct TerminalNotificationTests {
    private static let sequence = "\u{1B}]9;Time is up: Robins, 0 up, 0 down\u{7}"

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
        try place.run("timer", "start", "1s", "Quiet", "--mode", "silent")
        try terminal.waitForText("Quiet ended")
        try place.run("timer", "start", "1s", "Robins")
        let before = try client.skipOutput(past: Self.sequence)
        #expect(!before.contains("]9;Time is up: Quiet"))
        #expect(try !Self.later(client).contains("]9;"))
    }

    @Test(arguments: [("manager", false), ("notifications", true)])
    func `On a desktop the terminal shows it where the desktop does not`(part: String, isShown: Bool) throws {
        let desktop = try TestDesktop([part])
        let place = try Workplace.silent(
            desktop.environment.merging(["DISPLAY": ":0", "SSH_CONNECTION": nil]) { $1 })
        let (terminal, client) = try Self.attached(place)
        defer { terminal.close() }
        try place.run("timer", "start", "1s", "Robins")
        if isShown {
            #expect(try desktop.call().hasPrefix("notify 1 urgency 1 ⏰ Robins"))
        } else {
            try client.skipOutput(past: Self.sequence)
        }
        #expect(try !Self.later(client).contains("]9;"))
    }
}
