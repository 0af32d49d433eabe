import TestSupport
import Testing

/// Another program that keeps the journal busy delays counts, and loses none.
@Suite(.serialized) struct BusyJournalTests {
    @Test func `Presses during an import are all counted, and the keys stay intercepted`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        let lines = (0..<5_000).map { "2026-01-14T13:03:\(10 + $0 % 50)Z,1" }
        try place.write("old.csv", Array((["timestamp,delta"] + lines).joined(separator: "\n").utf8))
        let listener = try place.listen(["--debounce", "10ms"])
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")

        let importer = try ChildProcess(
            [BuiltProducts.counter, "import", place.directory + "/old.csv"], environment: place.environment)
        defer { importer.end() }
        for _ in 1...60 { try remote.press(.volumeUp, then: .milliseconds(60)) }
        #expect(try importer.wait() == .exited(0))
        #expect(try place.awaitPresses(60, after: 5_000, [reader]) < 30)
    }
}
