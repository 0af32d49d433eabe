package import CounterModel

/// The time of an input, on both clocks.
package struct Moment: Hashable, Sendable {
    /// The wall clock, which may be set.
    package let time: Timestamp
    /// A clock that nobody sets and that stands still while the machine sleeps (`CLOCK_MONOTONIC`).
    package let steady: Duration
    /// The local days, from midnight to midnight.
    package let calendar: OperationalCalendar
    /// Chooses a level.
    package let seed: UInt64

    /// A moment.
    package init(time: Timestamp, steady: Duration, calendar: OperationalCalendar, seed: UInt64) {
        self.time = time
        self.steady = steady
        self.calendar = calendar
        self.seed = seed
    }

    /// The local hour, 0...23.
    var hour: Int { calendar.zone.local(at: time).hour }
}
