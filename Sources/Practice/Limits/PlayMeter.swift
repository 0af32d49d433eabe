/// Measures the time that a player plays. Of each pause between two keys, the first minute counts.
///
/// All moments are of a clock that nobody sets and that stands still while the machine sleeps (`CLOCK_MONOTONIC`).
package struct PlayMeter: Hashable, Sendable {
    /// How much of a pause counts.
    package static let longestPause = Duration.seconds(60)

    private var lastKey: Duration
    private var measuredUntil: Duration

    /// A meter that starts at a moment, as if a key had been pressed.
    package init(start: Duration) { (lastKey, measuredUntil) = (start, start) }

    /// A key was pressed. Call ``measure(at:)`` before.
    package mutating func key(at moment: Duration) { lastKey = max(lastKey, moment) }

    /// The times since the last call.
    package mutating func measure(at moment: Duration) -> (played: Duration, idle: Duration) {
        guard moment > measuredUntil else { return (.zero, .zero) }
        let playedUntil = min(moment, max(measuredUntil, lastKey + Self.longestPause))
        defer { measuredUntil = moment }
        return (playedUntil - measuredUntil, moment - playedUntil)
    }
}
