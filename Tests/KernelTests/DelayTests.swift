import Glibc
import TestSupport
import Testing

/// What delays the program loses no press: a journal that another program keeps busy, and output that is not read.
@Suite(.serialized) struct DelayTests {
    @Test func `Presses during an import are all counted, and the keys stay intercepted`() throws {
        let rig = try Rig()
        let lines = (0..<5_000).map { "2026-01-14T13:03:\(10 + $0 % 50)Z,1" }
        try rig.place.write("old.csv", Array((["timestamp,delta"] + lines).joined(separator: "\n").utf8))
        try rig.listen(["--debounce", "10ms"])

        let importer = try rig.place.start(["import", rig.place.directory + "/old.csv"])
        for _ in 1...60 { try rig.device.press(.volumeUp, then: .milliseconds(60)) }
        #expect(try importer.wait() == .exited(0))
        #expect(try rig.place.awaitPresses(60, after: 5_000, [rig.reader]) < 30)
    }

    @Test func `A terminal that nobody reads keeps it neither from counting and holding nor from ending`()
        throws
    {
        let rig = try Rig()
        let program = try rig.place.openUnseen(["--always"])
        try program.skipOutput(past: "exclusive")
        // Far more frames than a terminal buffers.
        try program.write(String(repeating: "\u{C}", count: 200))
        for count in 1...3 {
            try rig.press(isHeard: false)
            try rig.place.awaitCount(count)
        }
        // Longer than the key server waits for an acknowledgement.
        pause(.seconds(1))
        try rig.press(isHeard: false)
        try rig.place.awaitCount(4)
        try program.signal(SIGTERM)
        try eventually("it to end") { !program.process.isAlive }
        try rig.press(isHeard: true)
    }

    @Test func `A full pipe that nobody reads keeps it neither from counting nor from ending`() throws {
        let rig = try Rig()
        // `sleep` has the reading end; 64 KiB fill a pipe.
        let script = "{ head -c 65536 /dev/zero; exec \"$0\" listen; } | sleep 600"
        let shell = try rig.place.start([], by: ["bash", "-c", script])
        try shell.waitForErrorLine("Virtual Remote: exclusive")
        for count in 1...3 {
            try rig.device.press(.volumeUp, then: .apart)
            try rig.place.awaitCount(count)
        }
        let listener = try #require(shell.process.children.first { $0.name == "counter" })
        try listener.signal(SIGTERM)
        try shell.waitForErrorLine("its reader takes no more; what it has not read is in the journal")
        try eventually("it to end") { !listener.isAlive }
        #expect(try rig.place.show() == "3")
        shell.process.children.forEach { try? $0.signal(SIGKILL) }
    }
}
