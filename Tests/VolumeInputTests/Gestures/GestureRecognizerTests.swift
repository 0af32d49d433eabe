import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import VolumeInput

/// Properties of every script, checked on random ones.
@Suite struct GestureRecognizerTests {
    private static let scripts = Volume.of(sample: 1000, full: 10_000)

    private func forEachScript(
        seed: UInt64, count: Int = scripts, _ body: (GestureScript, GestureTiming) -> Bool
    ) {
        for number in 0..<count {
            var scripts = RandomScripts(seed: seed &* 1_000_003 &+ UInt64(number))
            let timing = scripts.timing()
            if !body(scripts.script(steps: 1 + number % 30), timing) { return }
        }
    }

    /// The shortest beginning of a script that still fails, for a message that can be read.
    private func shortened(_ script: GestureScript, _ fails: (GestureScript) -> Bool) -> GestureScript {
        var shortest = script
        var place = 0
        while place < shortest.steps.count {
            var shorter = shortest
            shorter.steps.remove(at: place)
            if fails(shorter) { shortest = shorter } else { place += 1 }
        }
        return shortest
    }

    /// So every count has a cause, and what is left of the counts when those taken back are subtracted is the total.
    @Test func `It agrees with the table worked out slowly`() {
        func differs(_ script: GestureScript, _ timing: GestureTiming) -> Bool {
            GestureRun(script, timing: timing).outcomes != GestureReference(script, timing: timing).outcomes
        }
        forEachScript(seed: 1) { script, timing in
            guard differs(script, timing) else { return true }
            let script = shortened(script) { differs($0, timing) }
            let run = GestureRun(script, timing: timing)
            let reference = GestureReference(script, timing: timing).outcomes.map(\.description)
            Issue.record(
                "\(script)\n\(timing)\ntold \(run.trace)\nkept \(run.kept)\nwant \(reference.joined(separator: " "))"
            )
            return false
        }
    }

    @Test func `Reading late or in pieces changes nothing`() {
        let readings: [Reading] = [
            .byEventsOnly, .late(.milliseconds(300)), .late(.seconds(2)), .late(.seconds(60)),
            .random(seed: 1), .random(seed: 2),
        ]
        func differing(_ script: GestureScript, _ timing: GestureTiming) -> Reading? {
            let prompt = GestureRun(script, timing: timing).outcomes
            return readings.first {
                let run = GestureRun(script, timing: timing, reading: $0)
                return run.outcomes != prompt || !run.violations.isEmpty
            }
        }
        forEachScript(seed: 2, count: Self.scripts / 3) { script, timing in
            var script = script
            // All holds have ended by then, however far ahead the clock was.
            script.pass(.seconds(91))
            guard differing(script, timing) != nil else { return true }
            script = shortened(script) { differing($0, timing) != nil }
            guard let reading = differing(script, timing) else { return false }
            let late = GestureRun(script, timing: timing, reading: reading)
            let prompt = GestureRun(script, timing: timing)
            Issue.record(
                "\(script)\n\(timing)\n\(reading) told \(late.trace)\nkept \(late.kept)\nprompt kept \(prompt.kept)"
            )
            return false
        }
    }

    @Test func `A program at rest is not woken`() throws {
        #expect(GestureRecognizer(timing: GestureTiming()).deadline == nil)
        for script in [
            "press:up release:up", "press:up press:down release:up release:down", "press:up gone",
            "press:reset release:reset", "press:up 31000ms",
        ] {
            #expect(GestureRun(try GestureScript(script)).recognizer.deadline == nil, "\(script)")
        }
    }

    @Test(arguments: [
        ("press:up", 400), ("press:up 400ms", 550), ("press:up 200ms press:down", 30_000),
        ("press:up press:down", 30_000),
        ("press:reset", 30_000), ("drop:up", 30_000), ("press:up 29990ms", 30_000),
        ("press:up 50ms ahead:500ms", 700),
    ])
    func `The deadline is the next repeat or the limit`(script: String, milliseconds: Int64) throws {
        let deadline = GestureRun(try GestureScript(script)).recognizer.deadline
        #expect(deadline == MonotonicTime(microseconds: milliseconds * 1000))
    }

    @Test func `Counts are numbered from the first`() {
        var recognizer = GestureRecognizer(timing: GestureTiming(), firstCount: 7 << 40)
        var events: [VolumeEvent] = []
        recognizer.handle(KeyFrame(.up, isDown: true, at: MonotonicTime(microseconds: 0)), into: &events)
        recognizer.advance(to: MonotonicTime(microseconds: 400_000), into: &events)
        let first = CountID(rawValue: 7 << 40)
        let second = CountID(rawValue: 7 << 40 + 1)
        #expect(events.map(\.type) == [.volumeUp(first, isRepeat: false), .volumeUp(second, isRepeat: true)])
    }

    /// Whatever arrives and however late, nothing traps, and the events keep the rules: ten million steps at full volume.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `Nothing that can arrive breaks it`(seed: UInt64) {
        var scripts = RandomScripts(seed: seed)
        for _ in 0..<Volume.of(sample: 125, full: 1250) {
            let timing = scripts.timing()
            let run = GestureRun(scripts.nonsense(steps: 2000), timing: timing, reading: .byEventsOnly)
            let violation = run.violations.first ?? PauseRules.violation(by: run.events, timing)
            #expect(violation == nil)
            if violation != nil { return }
        }
    }
}
