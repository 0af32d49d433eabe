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
        /// Consecutive detents that the debounce suppresses.
        var inARow = 0

        mutating func note(isDown: Bool, at now: MonotonicTime, _ debounce: Duration) {
            if isDown {
                if let upAt, now - upAt < leastGap { inARow = 0 }
                downAt = now
                return
            }
            guard let began = downAt else { return }
            (downAt, upAt) = (nil, now)
            guard press.contains(now - began) else {
                (inARow, lastDetent) = (0, nil)
                return
            }
            let isSwallowed = lastDetent.map { began - $0 < debounce } ?? true
            inARow = isSwallowed ? inARow + 1 : 1
            lastDetent = began
        }
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
            case .up: up.note(isDown: change.isDown, at: frame.stamp, debounce)
            case .down: down.note(isDown: change.isDown, at: frame.stamp, debounce)
            case .reset: break
            }
        }
        isRecognized = max(up.inARow, down.inARow) >= Self.enough
        return isRecognized
    }
}
