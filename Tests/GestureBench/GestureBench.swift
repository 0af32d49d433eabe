import Descriptors
import VolumeInput

/// How many key events the recogniser takes per second, told beside what one look at the clock costs here.
///
/// `swift run -c release gesture-bench`. A figure to look at: nothing is asserted.
@main
enum GestureBench {
    private static let rounds = 5
    private static let events = 4_000_000

    static func main() {
        let clock = best { readTheClock() }
        report("clock reads", clock, clock)
        report("taps", best { run(taps(apart: 120_000)) }, clock)
        report("holds of 2 s", best { run(taps(apart: 2_000_000)) }, clock)
        report("chords", best { run(chords()) }, clock)
    }

    /// The least time that `body` took, for one event.
    private static func best(_ body: () -> Void) -> Double {
        (0..<rounds).map { _ in
            let start = ContinuousClock.now
            body()
            let taken = (ContinuousClock.now - start).components
            return (Double(taken.seconds) + Double(taken.attoseconds) / 1e18) / Double(events)
        }.min() ?? 0
    }

    private static func report(_ name: String, _ each: Double, _ clock: Double) {
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        print("\(name): \(rounded(1e-6 / each)) million/s, \(rounded(each / clock)) clock reads each")
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
            changes: KeyChanges(CollectionOfOne(KeyChange(key, isDown: isDown))))
    }

    /// One period, which is then repeated.
    private static func taps(apart pause: Int64) -> (frames: [KeyFrame], period: Int64) {
        let frames = [
            frame(.up, isDown: true, after: 0), frame(.up, isDown: false, after: pause),
            frame(.down, isDown: true, after: pause * 2), frame(.down, isDown: false, after: pause * 3),
        ]
        return (frames, pause * 4)
    }

    private static func chords() -> (frames: [KeyFrame], period: Int64) {
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
