import Linux
import TestSupport

@testable import KeyProtocol
@testable import VolumeInput

/// Random frames, drops, losses and clock times without meaning, and rules that must hold nevertheless.
struct GestureFuzz {
    private(set) var frames = 0
    /// The first violation of a rule.
    private(set) var violation: String?
    private var random: SplitMix64
    private var takenBack: Set<CountID> = []
    private var nextCount: UInt64 = 0
    private var rules = RuleCheck(GestureTiming())

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Runs a new device with random settings.
    mutating func runOneSource(frames count: Int) {
        var scripts = RandomScripts(seed: random.next())
        let timing = scripts.timing()
        rules = RuleCheck(timing)
        var recognizer = GestureRecognizer(timing: timing, firstCount: nextCount)
        // Valid stamps are from 0 to a quarter of the range.
        var clock = Int64(random.below(4)) * (Int64.max / 16)
        for _ in 0..<count where violation == nil {
            clock = min(max(0, clock + pause()), Int64.max / 4)
            var events: [VolumeEvent] = []
            let seen = step(&recognizer, at: MonotonicTime(microseconds: clock), into: &events)
            check(events)
            violation = violation ?? rules.violation(by: events, seenUntil: seen)
        }
        frames += count
    }

    private mutating func pause() -> Int64 {
        switch random.below(100) {
        case 0: -Int64(random.below(1_000_000))
        case 1: Int64(random.below(100_000_000))
        case 2: Int64(random.below(1 << 50))
        case 3...20: 0
        default: Int64(random.below(200_000))
        }
    }

    /// - Returns: the time that was passed to the recogniser.
    private mutating func step(
        _ recognizer: inout GestureRecognizer, at stamp: MonotonicTime, into events: inout [VolumeEvent]
    ) -> MonotonicTime {
        let node = NodeID(rawValue: UInt32(random.below(random.below(50) == 0 ? 100 : 3)))
        let bits = random.next()
        switch random.below(40) {
        case 0: recognizer.cancel(node, at: stamp, into: &events)
        case 1:
            recognizer.resynchronize(
                node, down: CountedKeys(rawValue: UInt8(bits & 7)), at: stamp, into: &events)
        case 2...8:
            let now = stamp + .microseconds(Int64(bits & 0xFFFFF))
            recognizer.advance(to: now, into: &events)
            return now
        default:
            let changes = (0..<(1 + Int(bits & 15))).map { place in
                let code = UInt8(bits >> (4 + place * 3) & 3) % 3
                return KeyChange(CountedKey(rawValue: code) ?? .up, isDown: bits >> (6 + place * 3) & 1 == 1)
            }
            let few = bits & 0x30 == 0 ? changes : Array(changes.prefix(1))
            recognizer.handle(KeyFrame(node: node, stamp: stamp, changes: few), into: &events)
        }
        return stamp
    }

    private mutating func check(_ events: [VolumeEvent]) {
        for event in events {
            switch event.type {
            case .volumeUp(let id, _), .volumeDown(let id, _):
                if id.rawValue != nextCount { violation = "\(id) after \(nextCount)" }
                nextCount += 1
            case .takenBack(let ids):
                if ids.isEmpty { violation = "an empty void" }
                for id in ids where id.rawValue >= nextCount { violation = "\(id) taken back, never counted" }
                for id in ids where !takenBack.insert(id).inserted { violation = "\(id) taken back twice" }
            case .simultaneousBoth, .reset, .holdLimitReached, .bothHeld, .bothReleased: break
            }
        }
    }
}

/// Random scripts and settings, the same ones for the same seed.
///
/// The times are drawn from the edges of the timing table and their neighbours, so that scripts of a few dozen
/// steps meet them often.
struct RandomScripts {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func script(steps: Int) -> GestureScript {
        var script = GestureScript()
        var down: Set<Int> = []
        for _ in 0..<steps {
            script.pass(pause())
            script.add(action(&down))
        }
        script.pass(.seconds(random.below(3)))
        return script
    }

    /// Mostly a time of the timing table, or 1 ms more or less.
    private mutating func pause() -> Duration {
        switch random.below(20) {
        case 0: .milliseconds(-random.below(60))
        case 1: .microseconds(Int64(random.below(700_000)))
        case 2: .milliseconds(random.below(4000))
        default: .milliseconds(random.element(of: Self.steps) + random.below(3) - 1)
        }
    }

    private static let steps = [
        1, 1, 1, 3, 10, 15, 25, 25, 50, 75, 100, 100, 125, 150, 150, 250, 300, 400, 550, 700,
    ]

    private mutating func action(_ down: inout Set<Int>) -> GestureScript.Action {
        let node = NodeID(rawValue: random.below(8) == 0 ? 2 : 1)
        switch random.below(60) {
        case 0: return .gone(node)
        case 1, 2: return .drop(node, down: CountedKeys(rawValue: UInt8(random.below(8))))
        default:
            let count = random.below(6) == 0 ? 2 + random.below(3) : 1
            return .frame(node, (0..<count).map { _ in change(&down) })
        }
    }

    /// Mostly a key that is up goes down, and one that is down goes up; now and then a press or release is missing.
    private mutating func change(_ down: inout Set<Int>) -> KeyChange {
        let key = random.below(20) == 0 ? CountedKey.reset : random.element(of: [.up, .up, .down])
        let place = Int(key.rawValue)
        let isDown = random.below(12) == 0 ? random.below(2) == 0 : !down.contains(place)
        if isDown { down.insert(place) } else { down.remove(place) }
        return KeyChange(key, isDown: isDown)
    }

    mutating func timing() -> GestureTiming {
        var timing = GestureTiming()
        if random.below(3) == 0 { return timing }
        timing.debounce = .milliseconds(random.element(of: [0, 10, 25, 150, 150, 400, 1000]))
        timing.bounce = .milliseconds(random.element(of: [0, 5, 25, 25, 100]))
        timing.holdDelay = .milliseconds(random.element(of: [1, 30, 150, 400, 400]))
        let chord = random.element(of: [0, 10, 29, 100, 100])
        timing.chord = min(.milliseconds(chord), timing.holdDelay - .milliseconds(1))
        timing.repeatInterval = .milliseconds(random.element(of: [10, 25, 150, 150, 500]))
        timing.holdLimit = timing.holdDelay + .milliseconds(random.element(of: [1, 24, 150, 600, 29_600]))
        return timing
    }
}

/// Rules of the timing table that the events of one device obey, whatever was pressed.
struct RuleCheck {
    private let timing: GestureTiming
    private var seenUntil = MonotonicTime(microseconds: 0)
    /// When each key last counted at a press, voided or not.
    private var lastPress: [CountedKey: MonotonicTime] = [:]
    /// The repeats that were not taken back, by key, oldest first; only the latest matter.
    private var repeats: [CountedKey: [(id: CountID, at: MonotonicTime)]] = [:]
    private var lastReset: MonotonicTime?

    init(_ timing: GestureTiming) { self.timing = timing }

    /// - Parameters:
    ///   - events: the events of one call.
    ///   - now: the time that the call was given.
    /// - Returns: the first violation; `nil` if there is none.
    mutating func violation(by events: [VolumeEvent], seenUntil now: MonotonicTime) -> String? {
        seenUntil = max(seenUntil, now)
        for event in events {
            if event.timestamp > seenUntil { return "\(event) is told before its time (G13)" }
            if let violation = violation(by: event) { return violation }
        }
        return nil
    }

    private mutating func violation(by event: VolumeEvent) -> String? {
        switch event.type {
        case .volumeUp(let id, let isRepeat): count(.up, id, isRepeat, event)
        case .volumeDown(let id, let isRepeat): count(.down, id, isRepeat, event)
        case .takenBack(let ids): takeBack(Set(ids))
        case .reset: reset(event)
        case .simultaneousBoth, .holdLimitReached, .bothHeld, .bothReleased: nil
        }
    }

    private mutating func count(
        _ key: CountedKey, _ id: CountID, _ isRepeat: Bool, _ event: VolumeEvent
    ) -> String? {
        isRepeat ? countRepeat(key, id, event) : countPress(key, event)
    }

    private mutating func countPress(_ key: CountedKey, _ event: VolumeEvent) -> String? {
        defer { lastPress[key] = event.timestamp }
        guard let last = lastPress[key], event.timestamp - last < timing.debounce else { return nil }
        return "\(event) follows too soon on the press at \(last) (G2)"
    }

    private mutating func countRepeat(_ key: CountedKey, _ id: CountID, _ event: VolumeEvent) -> String? {
        let last = repeats[key]?.last
        repeats[key] = (repeats[key] ?? []).suffix(64) + [(id, event.timestamp)]
        if let last, event.timestamp - last.at < min(timing.repeatInterval, timing.holdDelay) {
            return "\(event) follows too soon on the repeat at \(last.at) (G5)"
        }
        return nil
    }

    private mutating func takeBack(_ ids: Set<CountID>) -> String? {
        for key in repeats.keys { repeats[key]?.removeAll { ids.contains($0.id) } }
        return nil
    }

    private mutating func reset(_ event: VolumeEvent) -> String? {
        defer { lastReset = event.timestamp }
        guard let lastReset, event.timestamp - lastReset < timing.debounce else { return nil }
        return "\(event) follows too soon on the reset at \(lastReset) (G2)"
    }
}
