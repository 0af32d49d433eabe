import CounterModel
import Glibc
import System

/// Where stamps of the monotonic clock become times of day: once, at the edge.
struct WallClock {
    private let monotonic = Clock.monotonic.microseconds
    private let realtime: Int64

    /// Reads both clocks. One that is beyond the times of a journal counts as the first or last of them.
    init() {
        let times = Timestamp.journalTimes
        let now = Timestamp(microseconds: Clock.realtime.microseconds)
        realtime = min(max(now, times.lowerBound), times.upperBound).microseconds
    }

    /// Refuses to count by a clock that is beyond the times of a journal.
    ///
    /// - Throws: `Failure` (69)
    static func requireCredible() throws(Failure) {
        guard !Timestamp.journalTimes.contains(Timestamp(microseconds: Clock.realtime.microseconds)) else {
            return
        }
        throw Failure(
            "this machine's clock is not in the years 0 to 9999",
            remedy: "Set it right: timedatectl, or date --set.",
            status: EX_UNAVAILABLE)
    }

    /// The present time.
    var now: Timestamp { Timestamp(microseconds: realtime) }

    /// The time of day of a stamp: realtime now − (monotonic now − stamp).
    func timestamp(of stamp: MonotonicTime) -> Timestamp {
        Timestamp(microseconds: realtime - (monotonic - stamp.microseconds))
    }
}
