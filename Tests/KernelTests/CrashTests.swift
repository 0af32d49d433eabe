import Glibc
import TestSupport
import Testing

/// Killed at any moment, the program loses nothing that it has shown.
@Suite(.serialized) struct CrashTests {
    private static let rounds = Volume.of(sample: 4, full: 20)

    @Test func `Killed again and again among many presses`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        var moments = SplitMix64(seed: seed)
        var shown = 0
        for round in 1...Self.rounds {
            let listener = try place.listen(["--debounce", "10ms"])
            defer { listener.end() }
            try listener.waitForErrorLine("Virtual Remote: exclusive")
            let last = Int(moments.next() % 50)
            // The later presses go on while the program is killed.
            for press in 0...(last + 5) {
                if press == last { try listener.signal(SIGKILL) }
                try remote.press(.volumeUp, for: .milliseconds(6), then: .milliseconds(6))
            }
            #expect(try listener.wait() == .killed(SIGKILL))
            while let line = try listener.readLine() { shown = try #require(Int(line)) }
            let stored = try #require(Int(try place.show()))
            #expect(stored >= shown, "round \(round), seed \(seed)")
            #expect(stored <= round * 55, "round \(round), seed \(seed)")
        }
        // It replays the whole journal, so it finds what any round has damaged.
        #expect(try place.verify() == .init(status: .exited(0), output: "", errors: ""))
        #expect(shown > 0)
    }
}
