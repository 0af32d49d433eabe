import Glibc
import TestSupport
import Testing

/// `counter listen` and a reader that reads nothing.
@Suite(.serialized) struct PipeTests {
    @Test func `A full pipe that nobody reads keeps it neither from counting nor from ending`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        // `sleep` holds the reading end; 64 KiB are what a pipe takes.
        let script = "{ head -c 65536 /dev/zero; exec \"$0\" listen; } | sleep 600"
        let shell = try ChildProcess(
            ["bash", "-c", script, BuiltProducts.counter], environment: place.environment)
        defer { shell.end() }
        try shell.waitForErrorLine(": held")
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
