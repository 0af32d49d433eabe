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
        seed: UInt64, steps: ClosedRange<Int> = 1...30, count: Int = scripts,
        _ body: (GestureScript, GestureTiming) -> Bool
    ) {
        for number in 0..<count {
            var scripts = RandomScripts(seed: seed &* 1_000_003 &+ UInt64(number))
            let timing = scripts.timing()
            let length = steps.lowerBound + number % steps.count
            if !body(scripts.script(steps: length), timing) { return }
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
            return readings.first { GestureRun(script, timing: timing, reading: $0).outcomes != prompt }
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

    @Test func `Every count has a cause`() {
        forEachScript(seed: 3) { script, timing in
            var random = SplitMix64(seed: UInt64(script.steps.count))
            let run = GestureRun(script, timing: timing, reading: .random(seed: random.next()))
            let causes = Causes(of: script)
            let orphans = run.outcomes.filter { !causes.explain($0, timing) }
            #expect(orphans.isEmpty, "\(script)\n\(timing)")
            #expect(run.violations.isEmpty, "\(script)\n\(timing)")
            return orphans.isEmpty && run.violations.isEmpty
        }
    }

    /// The sum of all counts, less those that were taken back, is the total of what is left.
    @Test func `Totals add up`() {
        forEachScript(seed: 4) { script, timing in
            var script = script
            script.pass(.seconds(35))
            let run = GestureRun(script, timing: timing, reading: .random(seed: 4))
            var board = 0
            var signs: [CountID: Int] = [:]
            func count(_ id: CountID, _ sign: Int) {
                signs[id] = sign
                board += sign
            }
            for event in run.events {
                switch event.type {
                case .volumeUp(let id, _): count(id, 1)
                case .volumeDown(let id, _): count(id, -1)
                case .takenBack(let ids): board -= ids.compactMap { signs[$0] }.reduce(0, +)
                case .simultaneousBoth, .reset, .holdLimitReached, .bothHeld, .bothReleased: break
                }
            }
            let wanted = GestureReference(script, timing: timing).outcomes
            let kept = wanted.filter { $0.kind == .up }.count - wanted.filter { $0.kind == .down }.count
            #expect(board == kept, "\(script)\n\(timing)")
            return board == kept
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

    /// Whatever arrives and however late it is read, nothing traps, and the events keep the rules. Ten million events
    /// in all at full volume.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `Nothing that can arrive breaks it`(seed: UInt64) {
        let wanted = Volume.of(sample: 1_000_000, full: 10_000_000)
        var fuzz = GestureFuzz(seed: seed)
        while fuzz.frames < wanted / 4, fuzz.violation == nil { fuzz.runOneSource(frames: 2000) }
        #expect(fuzz.violation == nil)
    }
}

/// The presses of a script: only they can cause a count.
private struct Causes {
    private var presses: [CountedKey: Set<Int64>] = [:]

    init(of script: GestureScript) {
        var now = Int64.min
        for step in script.steps where step.action != .ahead {
            now = max(now, step.stamp.microseconds)
            switch step.action {
            case .frame(_, let changes):
                for change in changes where change.isDown { presses[change.key, default: []].insert(now) }
            case .drop(_, let down):
                for key in CountedKey.allCases where down.contains(CountedKeys(key)) {
                    presses[key, default: []].insert(now)
                }
            case .gone, .ahead: break
            }
        }
    }

    func explain(_ outcome: Outcome, _ timing: GestureTiming) -> Bool {
        let time = outcome.time.microseconds
        switch outcome.kind {
        case .up: return explainCount(.up, time, timing)
        case .down: return explainCount(.down, time, timing)
        case .both: return presses[.up]?.contains(time) == true || presses[.down]?.contains(time) == true
        case .reset: return presses[.reset]?.contains(time) == true
        }
    }

    /// A press at that time, or one so long before that a repeat is due.
    private func explainCount(_ key: CountedKey, _ time: Int64, _ timing: GestureTiming) -> Bool {
        presses[key]?.contains { press in
            let held = time - press - timing.holdDelay.microseconds
            let isRepeat =
                held >= 0 && held.isMultiple(of: timing.repeatInterval.microseconds)
                && time - press < timing.holdLimit.microseconds
            return time == press || isRepeat
        } == true
    }
}
