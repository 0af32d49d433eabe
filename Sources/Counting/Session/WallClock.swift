package import CounterModel
import Glibc
package import Linux

/// Converts stamps of the monotonic clock to wall-clock times. Nothing else does.
package struct WallClock {
    private let monotonic = Clock.monotonic.microseconds
    private let realtime: Int64

    /// Reads both clocks. A time outside the journal's range becomes the nearest one inside it.
    package init() {
        let times = Timestamp.journalTimes
        let now = Timestamp(microseconds: Clock.realtime.microseconds)
        realtime = min(max(now, times.lowerBound), times.upperBound).microseconds
    }

    /// Refuses to count while the clock is outside the journal's range of times.
    ///
    /// - Throws: `ProgramError` (69)
    package static func requireCredible() throws(ProgramError) {
        guard !Timestamp.journalTimes.contains(Timestamp(microseconds: Clock.realtime.microseconds)) else {
            return
        }
        throw ProgramError(
            "this machine's clock is not in the years 0 to 9999",
            remedy: "Set it right: timedatectl, or date --set.",
            status: EX_UNAVAILABLE)
    }

    package var now: Timestamp { Timestamp(microseconds: realtime) }

    /// The time of day of a stamp: realtime now − (monotonic now − stamp).
    package func timestamp(of stamp: MonotonicTime) -> Timestamp {
        Timestamp(microseconds: realtime - (monotonic - stamp.microseconds))
    }
}
