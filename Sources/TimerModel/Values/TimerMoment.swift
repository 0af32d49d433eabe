public import CounterModel

/// The present time, as the clocks of a machine tell it.
public struct TimerMoment: Hashable, Sendable {
    /// The wall clock.
    public let now: Timestamp
    /// What tells whether the wall clock was set; nil where the machine does not say.
    public let clock: ClockReference?

    /// Creates a moment.
    public init(now: Timestamp, clock: ClockReference? = nil) {
        self.now = now
        self.clock = clock
    }
}
