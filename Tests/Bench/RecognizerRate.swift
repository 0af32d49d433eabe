import KeyProtocol
import Linux
import VolumeInput

/// How many million key events per second the recogniser processes, beside how often the clock can be read per
/// second.
enum RecognizerRate {
    private static let rounds = 5
    private static let events = 4_000_000

    static func clockReads() -> Double { best { readTheClock() } }
    static func taps() -> Double { best { run(presses(apart: 120_000)) } }
    /// Each of them counts six times.
    static func holds() -> Double { best { run(presses(apart: 2_000_000)) } }
    static func chords() -> Double { best { run(chordPresses()) } }

    /// The best rate of some rounds.
    private static func best(_ body: () -> Void) -> Double {
        (0..<rounds).map { _ in
            let start = ContinuousClock.now
            body()
            return Double(events) / (ContinuousClock.now - start).milliseconds / 1000
        }.max() ?? 0
    }

    private static func readTheClock() {
        var latest = MonotonicTime.now
        for _ in 1..<events { latest = max(latest, .now) }
        precondition(latest.microseconds > 0)
    }

    // MARK: - Frames

    private static let node = NodeID(rawValue: 1)

    private static func frame(_ key: CountedKey, isDown: Bool, after microseconds: Int64) -> KeyFrame {
        KeyFrame(
            node: node, stamp: MonotonicTime(microseconds: microseconds),
            changes: [KeyChange(key, isDown: isDown)])
    }

    /// One period, which is then repeated.
    private static func presses(apart pause: Int64) -> (frames: [KeyFrame], period: Int64) {
        let frames = [
            frame(.up, isDown: true, after: 0), frame(.up, isDown: false, after: pause),
            frame(.down, isDown: true, after: pause * 2), frame(.down, isDown: false, after: pause * 3),
        ]
        return (frames, pause * 4)
    }

    private static func chordPresses() -> (frames: [KeyFrame], period: Int64) {
        let frames = [
            frame(.up, isDown: true, after: 0), frame(.down, isDown: true, after: 50_000),
            frame(.up, isDown: false, after: 120_000), frame(.down, isDown: false, after: 130_000),
        ]
        return (frames, 400_000)
    }

    private static func run(_ script: (frames: [KeyFrame], period: Int64)) {
        var recognizer = GestureRecognizer(timing: GestureTiming())
        var told: [VolumeEvent] = []
        var count = 0
        for round in 0..<Int64(events / script.frames.count) {
            for var frame in script.frames {
                frame.stamp.microseconds += round * script.period
                recognizer.handle(frame, into: &told)
            }
            count += told.count
            told.removeAll(keepingCapacity: true)
        }
        precondition(count > 0)
    }
}
