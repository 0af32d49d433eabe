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
            let few = KeyChanges(bits & 0x30 == 0 ? changes : Array(changes.prefix(1)))
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
