import KeyProtocol
import Linux

/// Detects knobs: devices that send one short press for each detent, faster than the debounce allows counts.
///
/// The presses of a person last 60 to 220 ms, longer than those of a knob. Contact bounce is as short, but another press
/// follows it within `bounce`. A driver that generates both edges of a press sends them with almost no time between.
struct KnobDetector: Sendable {
    /// The duration of a detent's press: 2 to 10 ms on known devices, with a margin for reading delays.
    private static let press = Duration.milliseconds(1)...Duration.milliseconds(20)
    /// The minimum time between two detents; presses closer together are bounce.
    private static let leastGap = Duration.milliseconds(25)
    /// The number of consecutive detents required.
    private static let enough = 5

    private struct Key {
        var downAt: MonotonicTime?
        var upAt: MonotonicTime?
        /// When the previous press began, if it was a detent.
        var lastDetent: MonotonicTime?
        var inARow = 0
    }

    private let debounce: Duration
    private var up = Key()
    private var down = Key()
    private var isRecognized = false

    /// A debounce that lets every detent count makes detection unnecessary.
    init(debounce: Duration) { self.debounce = debounce }

    /// True once, when the device is recognised as a knob whose counts are lost to the debounce.
    mutating func recognizes(_ frame: KeyFrame) -> Bool {
        if isRecognized { return false }
        for change in frame.changes {
            switch change.key {
            case .up: Self.note(change, &up, at: frame.stamp, debounce)
            case .down: Self.note(change, &down, at: frame.stamp, debounce)
            case .reset: break
            }
        }
        isRecognized = max(up.inARow, down.inARow) >= Self.enough
        return isRecognized
    }

    private static func note(
        _ change: KeyChange, _ key: inout Key, at now: MonotonicTime, _ debounce: Duration
    ) {
        if change.isDown {
            if let last = key.upAt, now - last < leastGap { key.inARow = 0 }
            key.downAt = now
        } else if let downAt = key.downAt {
            noteDetent(from: downAt, to: now, &key, debounce)
            key.downAt = nil
            key.upAt = now
        }
    }

    /// Counts consecutive detents that the debounce suppresses.
    private static func noteDetent(
        from downAt: MonotonicTime, to now: MonotonicTime, _ key: inout Key, _ debounce: Duration
    ) {
        guard press.contains(now - downAt) else {
            key.inARow = 0
            key.lastDetent = nil
            return
        }
        let isSwallowed = key.lastDetent.map { downAt - $0 < debounce } ?? true
        key.inARow = isSwallowed ? key.inARow + 1 : 1
        key.lastDetent = downAt
    }
}
