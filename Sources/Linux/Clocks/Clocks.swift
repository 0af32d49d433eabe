import CLinux
import Glibc

/// A time of CLOCK_MONOTONIC in microseconds: the clock and the unit of the kernel's input events.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Microseconds since an unspecified start, usually the boot.
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static var now: MonotonicTime {
        MonotonicTime(microseconds: Clock.monotonic.microseconds)
    }

    package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    /// The time `b` later, or earlier where `b` is negative. Results out of range become the latest or earliest time.
    package static func + (a: Self, b: Duration) -> Self {
        let (sum, overflow) = a.microseconds.addingReportingOverflow(b.microseconds)
        return MonotonicTime(microseconds: overflow ? (b < .zero ? .min : .max) : sum)
    }

    /// The duration from `b` to `a`. Results out of range become the longest duration.
    package static func - (a: Self, b: Self) -> Duration {
        let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
        return .microseconds(overflow ? (a < b ? .min : .max) : difference)
    }
}

package enum Clock {
    case monotonic
    case realtime
    /// As `monotonic`, but it goes on while the machine sleeps.
    case boottime

    /// The current time in microseconds. The corresponding C function is `clock_gettime(2)`.
    package var microseconds: Int64 {
        var time = timespec()
        switch self {
        case .monotonic: clock_gettime(CLOCK_MONOTONIC, &time)
        case .realtime: clock_gettime(CLOCK_REALTIME, &time)
        case .boottime: clock_gettime(CLOCK_BOOTTIME, &time)
        }
        return Self.microseconds(time)
    }

    /// Whether NTP keeps the wall clock right.
    package static var isSynchronised: Bool { clinux_clock_is_synchronised() == 1 }

    /// Whole microseconds; limited to the range of the type.
    static func microseconds(_ time: timespec) -> Int64 {
        let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000)
        let (sum, sumOverflow) = product.addingReportingOverflow(Int64(time.tv_nsec) / 1000)
        return overflow || sumOverflow ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}

extension Duration {
    /// Whole microseconds, rounded toward zero; limited to the range of the type.
    package var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
