import Glibc
import TestSupport
import Testing

/// Output that is not read.
@Suite(.serialized) struct PipeTests {
    @Test func `A terminal that nobody reads keeps it neither from counting and holding nor from ending`()
        throws
    {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace(environment: ["TERM": "xterm-256color", "TMUX": nil])
        let program = try ChildProcess(
            [BuiltProducts.counter, "--always"], environment: place.environment,
            streams: .terminal(columns: 80, rows: 24))
        defer { program.end() }
        try program.skipOutput(past: "exclusive")
        // Far more frames than a terminal buffers.
        try program.write(String(repeating: "\u{C}", count: 200))
        for count in 1...3 {
            try remote.press(.volumeUp, then: .apart)
            try eventually("\(count) in the journal") { try place.show() == "\(count)" }
        }
        // Longer than the key server waits for an acknowledgement.
        pause(.seconds(1))
        try remote.press(.volumeUp, then: .apart)
        try eventually("4 in the journal") { try place.show() == "4" }
        try reader.expect([])
        try program.signal(SIGTERM)
        try eventually("it to end") { !program.process.isAlive }
        try remote.press(.volumeDown)
        try reader.expect([.down(.volumeDown), .up(.volumeDown)])
    }

    @Test func `A full pipe that nobody reads keeps it neither from counting nor from ending`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        // `sleep` has the reading end; 64 KiB fill a pipe.
        let script = "{ head -c 65536 /dev/zero; exec \"$0\" listen; } | sleep 600"
        let shell = try ChildProcess(
            ["bash", "-c", script, BuiltProducts.counter], environment: place.environment)
        defer { shell.end() }
        try shell.waitForErrorLine("Virtual Remote: exclusive")
        for count in 1...3 {
            try remote.press(.volumeUp, then: .apart)
            try eventually("\(count) in the journal") { try place.show() == "\(count)" }
        }
        let listener = try #require(shell.process.children.first { $0.name == "counter" })
        try listener.signal(SIGTERM)
        try shell.waitForErrorLine("its reader takes no more; what it has not read is in the journal")
        try eventually("it to end") { !listener.isAlive }
        #expect(try place.show() == "3")
        shell.process.children.forEach { try? $0.signal(SIGKILL) }
    }
}
