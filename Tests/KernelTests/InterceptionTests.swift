import Glibc
import TestSupport
import Testing

/// While the program intercepts a node, no other reader receives its keys; afterwards they do, however the program
/// ended.
@Suite(.serialized) struct InterceptionTests {
    enum End: String, CaseIterable {
        case quit, terminate, killCounter, killBoth
    }

    @Test(arguments: End.allCases)
    func `A second reader receives nothing while the keys are intercepted, and keys again afterwards`(
        end: End
    ) throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.waitForText("exclusive")
        try remote.press(.volumeUp)
        try terminal.waitForText("Count 1")
        try reader.expect([])

        let program = try terminal.process
        let server = try keyServer(of: program)
        switch end {
        case .quit: try terminal.type("q")
        case .terminate: try program.signal(SIGTERM)
        case .killCounter: try program.signal(SIGKILL)
        case .killBoth:
            try program.signal(SIGKILL)
            try server.signal(SIGKILL)
        }
        try eventually("both to end") { !program.isAlive && !server.isAlive }
        try remote.press(.volumeDown)
        try reader.expect([.down(.volumeDown), .up(.volumeDown)])
        #expect(try place.show() == "1")
    }

    @Test func `A viewer intercepts no keys: other programs receive them, and they count nothing`() throws {
        let remote = try VirtualRemote(.init(name: "Front Door"))
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        try place.run("add", "3")
        let terminal = try place.open(["--viewer", "--always"])
        defer { terminal.close() }
        try terminal.waitForText("Front Door")
        try remote.press(.volumeUp)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(try place.show() == "3")
    }

    @Test func `A key server that is killed comes back, and counting goes on`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        try keyServer(of: listener.process).signal(SIGKILL)
        try listener.waitForErrorLine("counter-keys was killed by signal 9")
        try remote.press(.mute)
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.press(.volumeUp)
        try listener.expectLines(["2"])
        #expect(!(try reader.take()).contains(.down(.volumeUp)))
    }

    @Test func `Giving back with a key down leaves nobody with a key down`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.down(.volumeUp)
        try listener.expectLines(["1"])
        try listener.signal(SIGTERM)
        #expect(try listener.wait() == .exited(0))
        try remote.up(.volumeUp)
        // The reader does not receive the release of a press that it has not received.
        try reader.expect([])
    }

    @Test func `A key that is down when the program starts is waited for`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        try remote.down(.volumeUp)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("it is intercepted once all are up")
        try remote.up(.volumeUp)
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        try remote.press(.volumeDown)
        try listener.expectLines(["-1"])
        try reader.expect([])
    }

    @Test func `Ctrl-Z gives the keys back, fg takes them again`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let shell = try TerminalSession(
            ["bash", "--norc", "-i"],
            environment: ["COUNTER_DATA_DIR": place.directory, "HOME": place.directory])
        defer { shell.close() }
        try shell.type("\(BuiltProducts.counter) --always\n")
        try shell.waitForText("exclusive")
        try shell.sendKey("C-z")
        try shell.waitForText("Stopped")
        try reader.awaitMarker(of: remote)
        try remote.press(.volumeUp)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        try shell.type("fg\n")
        try shell.waitForText("exclusive")
        try shell.waitForText("Count 0")
        try remote.press(.volumeUp)
        try shell.waitForText("Count 1")
        try reader.expect([])
    }

    @Test func `A stopped program holds nothing, and counts nothing of that time`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try listener.signal(SIGSTOP)
        // Not acknowledged: the first press is still intercepted, and makes the server release the node after 500 ms.
        try remote.press(.volumeUp)
        try reader.awaitMarker(of: remote)
        try remote.press(.volumeUp)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        try listener.signal(SIGCONT)
        try listener.expectLines(["1"])
        try listener.waitForErrorLine("not intercepted for a moment")
        // If release and interception are read at once, neither is reported.
        try reader.awaitSilence(of: remote)
        try remote.press(.volumeUp)
        try listener.expectLines(["2"])
        try reader.expect([])
    }
}
