import System

/// Recognises a knob: a device that sends one short press for each detent it is turned by, faster than the debounce of
/// keys lets count.
///
/// No finger is that short: people's presses last 60 to 220 ms. Contacts that bounce are, but not on their own: what
/// follows comes within `bounce`. A driver that makes up both edges of a press sends them in no time at all.
struct KnobDetector: Sendable {
    /// How long the press of a detent lasts: 2 to 10 ms on devices that are sold, and time to be read.
    private static let press: ClosedRange<Int64> = 1_000...20_000
    /// How far a detent is from the last, at least: less is bounce.
    private static let leastGap: Int64 = 25_000
    /// How many in a row leave no doubt.
    private static let enough = 5

    private struct Key {
        var downAt: MonotonicTime?
        var upAt: MonotonicTime?
        /// When the press before this one began, if that was a detent.
        var lastDetent: MonotonicTime?
        var inARow = 0
    }

    private let debounce: Int64
    private var up = Key()
    private var down = Key()
    private var isRecognized = false

    /// - Parameter debounce: of the source. Where it lets every detent count there is nothing to recognise.
    init(debounce: Duration) { self.debounce = debounce.microseconds }

    /// Takes one frame of the source.
    ///
    /// - Returns: true once: when it is a knob, for sure, of which counts are lost.
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

    /// Counts the detents, one after the other, that a debounce swallows.
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
