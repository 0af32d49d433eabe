import Glibc
import Linux
import TestSupport
import Testing

/// The ends of the program, good and bad.
@Suite final class EndTests: HubSuite {
    private static func line(_ number: Int) -> String { "{\"delta\":1,\"sequenceNumber\":\(number)}\n" }

    @Test func `Killed at any step, nothing that was answered is lost, and nothing counts twice`() throws {
        // Not beside the journal: the hub watches that folder, and each line would wake it.
        let folder = try ScratchFolder()
        let trace = folder.path(of: "trace")
        var sent = 0
        // Posts the next line while strace looks at the hub's calls of the kernel. Returns whether it was answered.
        func post(_ options: String...) throws -> Bool {
            sent += 1
            let tracer = try hub.tracer(to: trace, options)
            defer { tracer.end() }
            return try hub.post(Self.line(sent)).body.contains("accepted")
        }
        func isStored() throws -> Bool {
            try hub.restart()
            return try hub.count() == "\(sent)"
        }
        #expect(try post() && isStored())
        let calls = try TestHub.calls(in: trace)
        // The answer, when the line is on the disk, is always among them.
        let answer = try #require(calls.firstIndex(of: "writev"))
        let steps = Set(stride(from: 0, to: calls.count, by: Volume.of(sample: 4, full: 1))).union([answer])
        var (lost, stored) = (0, 0)
        for step in steps.sorted() {
            let number = calls[...step].count(where: { $0 == calls[step] })
            let isAnswered = try post("-e", "inject=\(calls[step]):signal=KILL:when=\(number)")
            let isStored = try isStored()
            #expect(isStored || !isAnswered, "at step \(step), \(calls[step])")
            if !isAnswered { (lost, stored) = isStored ? (lost, stored + 1) : (lost + 1, stored) }
            let again = try hub.post(Self.line(sent))
            #expect(again.body.contains(isStored ? "duplicate" : "accepted"))
            #expect(try hub.count() == "\(sent)")
        }
        #expect(lost > 0 && stored > 0)
        #expect(try hub.place.verify().status == .exited(0))
    }

    @Test func `SIGTERM answers what is committed, refuses the rest, and ends`() throws {
        let (sending, waiting, idle) = (try hub.connect(), try hub.connect(), try hub.connect())
        try sending.send(hub.head() + "c\r\n{\"delta\":1}\n\r\n")
        try sending.take(past: "accepted")
        try waiting.send(hub.head() + "5\r\n{\"del\r\n")
        try idle.send("GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        try idle.take(past: "ok\n")
        try hub.program.signal(SIGTERM)
        #expect(try waiting.readToEnd().status == 503)
        // Without its last chunk, a client knows that the answer is not complete.
        #expect(!(try sending.readToEnd()).contains("\r\n0\r\n"))
        #expect(try idle.readToEnd() == "")
        #expect(try hub.program.wait(timeout: .seconds(10)) == .exited(0))
        #expect(try hub.count() == "1")
    }

    @Test func `What is refused at the end counts nothing, though the journal can be written again`() throws {
        let database = try RawDatabase(hub.place.directory + "/journal.sqlite")
        try database.execute("BEGIN IMMEDIATE")
        let client = try hub.connect()
        try client.send(hub.head(length: 11) + "{\"delta\":1}")
        try eventually("the line to wait") { try hub.curl("/readyz", token: hub.admin).status == 503 }
        try hub.program.signal(SIGTERM)
        #expect(try client.readToEnd().status == 503)
        try database.execute("ROLLBACK")
        #expect(try hub.program.wait() == .exited(0))
        #expect(try hub.count() == "0")
    }

    @Test func `It tells the service manager when it listens, that it runs, and when it stops`() throws {
        let manager = try NotificationSocket()
        let hub = try TestHub(environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"])
        var messages: [String] = []
        try eventually("three keep-alives") {
            messages += try manager.take()
            return messages.count(where: { $0 == "WATCHDOG=1" }) >= 3
        }
        try hub.program.signal(SIGTERM)
        #expect(try hub.program.wait() == .exited(0))
        messages += try manager.take()
        messages.removeAll { $0 == "WATCHDOG=1" }
        #expect(messages == ["READY=1", "STOPPING=1"])
    }
}
