/// The present time, as the clocks of a machine tell it.
package struct TimerMoment: Hashable, Sendable {
    /// The wall clock.
    package let now: Timestamp
    /// What tells whether the wall clock was set; nil where the machine does not say.
    package let clock: ClockReference?

    /// Creates a moment.
    package init(now: Timestamp, clock: ClockReference? = nil) {
        self.now = now
        self.clock = clock
    }
}
