import KeyProtocol
import Linux

/// Detects knobs: devices that send one short press for each detent, faster than the debounce allows counts.
///
/// The presses of a person last 60 to 220 ms, longer than those of a knob. Contact bounce is as short, but another press
/// follows it within `bounce`. A driver that generates both edges of a press sends them with almost no time between.
struct KnobDetector: Sendable {
    /// The duration of a detent's press, in microseconds: 2 to 10 ms on known devices, with a margin for reading delays.
    private static let press: ClosedRange<Int64> = 1_000...20_000
    /// The minimum time between two detents, in microseconds; presses closer together are bounce.
    private static let leastGap: Int64 = 25_000
    /// The number of consecutive detents required.
    private static let enough = 5

    private struct Key {
        var downAt: MonotonicTime?
        var upAt: MonotonicTime?
        /// When the previous press began, if it was a detent.
        var lastDetent: MonotonicTime?
        var inARow = 0
    }

    private let debounce: Int64
    private var up = Key()
    private var down = Key()
    private var isRecognized = false

    /// A debounce that lets every detent count makes detection unnecessary.
    init(debounce: Duration) { self.debounce = debounce.microseconds }

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
        _ change: KeyChange, _ key: inout Key, at now: MonotonicTime, _ debounce: Int64
    ) {
        if change.isDown {
            if let last = key.upAt, microseconds(from: last, to: now) < leastGap { key.inARow = 0 }
            key.downAt = now
        } else if let downAt = key.downAt {
            noteDetent(from: downAt, to: now, &key, debounce)
            key.downAt = nil
            key.upAt = now
        }
    }

    /// Counts consecutive detents that the debounce suppresses.
    private static func noteDetent(
        from downAt: MonotonicTime, to now: MonotonicTime, _ key: inout Key, _ debounce: Int64
    ) {
        guard press.contains(microseconds(from: downAt, to: now)) else {
            key.inARow = 0
            key.lastDetent = nil
            return
        }
        let isSwallowed = key.lastDetent.map { microseconds(from: $0, to: downAt) < debounce } ?? true
        key.inARow = isSwallowed ? key.inARow + 1 : 1
        key.lastDetent = downAt
    }

    private static func microseconds(from start: MonotonicTime, to end: MonotonicTime) -> Int64 {
        end.microseconds - start.microseconds
    }
}
