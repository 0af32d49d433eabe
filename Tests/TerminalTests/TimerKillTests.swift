import Glibc
import TestSupport
import Testing

/// Programs that change a timer are killed at any moment: what they have said is stored, and nothing is half stored.
@Suite struct TimerKillTests {
    private static let rounds = Volume.of(sample: 20, full: 300)
    /// The status after each action, of those that are possible.
    private static let transitions: [String: [String: String]] = [
        "running": ["pause": "paused", "stop": "stopped"],
        "paused": ["resume": "running", "stop": "stopped"],
        "stopped": ["again": "running"],
    ]

    @Test func `Killed again and again while it changes a timer, it has done all of it or nothing`() throws {
        let place = try Workplace.deaf()
        try place.run("timer", "start", "1h", "Robins", "--keep")
        var generator = SystemRandomNumberGenerator()
        var changes = 0
        for round in 1...Self.rounds {
            let before = try Self.status(place)
            let (action, after) = try #require(Self.transitions[before]?.randomElement(using: &generator))
            let program = try ChildProcess(
                [BuiltProducts.counter, "timer", action, "1"], environment: place.environment)
            defer { program.end() }
            // About as long as it takes.
            pause(.microseconds(Int64.random(in: 0...40_000, using: &generator)))
            program.end()
            let said = try program.readLine()
            let status = try Self.status(place)
            #expect(
                status == after || said == nil && status == before, "round \(round): \(action), \(status)")
            if status == after { changes += 1 }
            #expect(try place.verify() == .init(status: .exited(0), output: "", errors: ""), "round \(round)")
        }
        #expect(
            try place.run("export", "--all", "--format", "jsonl").output.ranges(of: "timerEvent").count
                == changes + 1)
    }

    private static func status(_ place: Workplace) throws -> String {
        let text = try place.run("timer", "list", "--json").output
        let found = try #require(text.firstRange(of: "\"status\":\""))
        return String(text[found.upperBound...].prefix { $0 != "\"" })
    }
}
