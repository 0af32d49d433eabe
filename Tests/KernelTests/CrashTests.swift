import Glibc
import TestSupport
import Testing

/// Killed at any moment, the program forgets nothing that it has shown.
@Suite(.serialized) struct CrashTests {
    @Test func `Twenty times killed among a thousand presses`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        var moments = SplitMix64(seed: seed)
        var shown = 0
        for round in 1...20 {
            let listener = try place.listen(["--debounce", "10ms"])
            defer { listener.end() }
            try listener.waitForErrorLine(": held")
            let last = Int(moments.next() % 50)
            for press in 0..<50 {
                // The presses after the moment go on while the program dies.
                if press == last { try listener.signal(SIGKILL) }
                try remote.press(.volumeUp, for: .milliseconds(6), then: .milliseconds(6))
            }
            #expect(try listener.wait() == .killed(SIGKILL))
            while let line = try listener.readLine() { shown = try #require(Int(line)) }
            let stored = try #require(Int(try place.show()))
            #expect(stored >= shown, "round \(round), seed \(seed)")
            #expect(stored <= round * 50, "round \(round), seed \(seed)")
            #expect(try place.verify() == .init(status: .exited(0), output: "", errors: ""))
        }
        #expect(shown > 0)
    }
}

/// Sebastiano Vigna's SplitMix64: the same moments for the same seed.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
