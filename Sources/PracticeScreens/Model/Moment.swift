public import CounterModel

/// The time of an input, on both clocks.
public struct Moment: Hashable, Sendable {
    /// The wall clock, which may be set.
    public let time: Timestamp
    /// A clock that nobody sets and that stands still while the machine sleeps (`CLOCK_MONOTONIC`).
    public let steady: Duration
    /// The local days, from midnight to midnight.
    public let calendar: OperationalCalendar
    /// Chooses a level.
    public let seed: UInt64

    /// A moment.
    public init(time: Timestamp, steady: Duration, calendar: OperationalCalendar, seed: UInt64) {
        self.time = time
        self.steady = steady
        self.calendar = calendar
        self.seed = seed
    }

    /// The local hour, 0...23.
    var hour: Int { calendar.zone.local(at: time).hour }
}
