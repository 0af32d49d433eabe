import CounterModel
import System

/// Where stamps of the monotonic clock become times of day: once, at the edge.
struct WallClock {
    private let monotonic = Clock.monotonic.microseconds
    private let realtime = Clock.realtime.microseconds

    /// The present time.
    var now: Timestamp { Timestamp(microseconds: realtime) }

    /// The time of day of a stamp: realtime now − (monotonic now − stamp).
    func timestamp(of stamp: MonotonicTime) -> Timestamp {
        Timestamp(microseconds: realtime - (monotonic - stamp.microseconds))
    }
}
