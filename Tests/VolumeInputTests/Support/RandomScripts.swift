import Linux
import TestSupport

@testable import KeyProtocol
@testable import VolumeInput

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
            return .frame(node, KeyChanges((0..<count).map { _ in change(&down) }))
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
