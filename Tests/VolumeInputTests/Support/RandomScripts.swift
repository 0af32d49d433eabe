import Linux
import TestSupport

@testable import KeyProtocol
@testable import VolumeInput

/// Random scripts and settings, the same ones for the same seed.
///
/// The times are those of the timing table and their neighbours, so that short scripts meet them often.
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

    /// Frames, drops, losses and clock times without meaning.
    mutating func nonsense(steps: Int) -> GestureScript {
        var script = GestureScript()
        // Valid stamps are from 0 to a quarter of the range.
        var clock = Int64(random.below(4)) * (Int64.max / 16)
        for _ in 0..<steps {
            clock = min(max(0, clock + leap()), Int64.max / 4)
            var step = GestureScript.Step(
                stamp: MonotonicTime(microseconds: clock), action: senselessAction())
            if step.action == .ahead { step.stamp = step.stamp + .microseconds(random.below(1 << 20)) }
            script.steps.append(step)
        }
        return script
    }

    /// In microseconds.
    private mutating func leap() -> Int64 {
        switch random.below(100) {
        case 0: -Int64(random.below(1_000_000))
        case 1: Int64(random.below(100_000_000))
        case 2: Int64(random.below(1 << 50))
        case 3...20: 0
        default: Int64(random.below(200_000))
        }
    }

    private mutating func senselessAction() -> GestureScript.Action {
        let node = NodeID(rawValue: UInt32(random.below(random.below(50) == 0 ? 100 : 3)))
        switch random.below(40) {
        case 0: return .gone(node)
        case 1: return .drop(node, down: CountedKeys(rawValue: UInt8(random.below(8))))
        case 2...8: return .ahead
        default:
            let count = random.below(4) == 0 ? 1 + random.below(KeyFrame.capacity) : 1
            let changes = (0..<count).map { _ in
                KeyChange(random.element(of: CountedKey.allCases), isDown: random.below(2) == 0)
            }
            return .frame(node, changes)
        }
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

/// The pauses of the timing table (G2, G5) that the events of one device keep, whatever was pressed.
struct PauseRules {
    private let timing: GestureTiming
    /// When each key last counted at a press, voided or not, or reset.
    private var presses: [CountedKey: MonotonicTime] = [:]
    /// The repeats that were not taken back, oldest first; only the latest matter.
    private var repeats: [CountedKey: [(id: CountID, at: MonotonicTime)]] = [:]

    private init(_ timing: GestureTiming) { self.timing = timing }

    /// The first violation; nil where there is none.
    static func violation(by events: [VolumeEvent], _ timing: GestureTiming) -> String? {
        var rules = PauseRules(timing)
        for event in events {
            if let violation = rules.violation(by: event) { return violation }
        }
        return nil
    }

    private mutating func violation(by event: VolumeEvent) -> String? {
        switch event.type {
        case .volumeUp(let id, let isRepeat): count(.up, isRepeat ? id : nil, event)
        case .volumeDown(let id, let isRepeat): count(.down, isRepeat ? id : nil, event)
        case .reset: count(.reset, nil, event)
        case .takenBack(let ids): takeBack(Set(ids))
        case .simultaneousBoth, .holdLimitReached, .bothHeld, .bothReleased: nil
        }
    }

    private mutating func count(_ key: CountedKey, _ repeated: CountID?, _ event: VolumeEvent) -> String? {
        let now = event.timestamp
        guard let repeated else {
            defer { presses[key] = now }
            guard let last = presses[key], now - last < timing.debounce else { return nil }
            return "\(event) follows too soon on the press at \(last) (G2)"
        }
        let last = repeats[key]?.last
        repeats[key] = (repeats[key] ?? []).suffix(64) + [(repeated, now)]
        guard let last, now - last.at < min(timing.repeatInterval, timing.holdDelay) else { return nil }
        return "\(event) follows too soon on the repeat at \(last.at) (G5)"
    }

    private mutating func takeBack(_ ids: Set<CountID>) -> String? {
        for key in repeats.keys { repeats[key]?.removeAll { ids.contains($0.id) } }
        return nil
    }
}
