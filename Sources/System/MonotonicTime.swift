import Glibc

/// A moment of CLOCK_MONOTONIC, in microseconds: the clock and the unit of the kernel's event stamps.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Microseconds since an arbitrary moment, usually the boot.
    public var microseconds: Int64

    /// A moment by its count of microseconds.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The present moment. The corresponding C function is `clock_gettime(2)`.
    public static var now: MonotonicTime {
        MonotonicTime(microseconds: Clock.monotonic.microseconds)
    }

    /// Whether `a` is earlier than `b`.
    public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    /// The later moment, or the earlier one. A sum out of range stays at the last or first moment there is.
    public static func + (a: Self, b: Duration) -> Self {
        let (sum, overflow) = a.microseconds.addingReportingOverflow(b.microseconds)
        return MonotonicTime(microseconds: overflow ? (b < .zero ? .min : .max) : sum)
    }

    /// The time from `b` to `a`. One out of range is the longest that fits.
    public static func - (a: Self, b: Self) -> Duration {
        let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
        return .microseconds(overflow ? (a < b ? .min : .max) : difference)
    }
}

/// The kernel's two clocks that the program reads.
public enum Clock {
    case monotonic
    case realtime

    /// Microseconds that the clock shows. The corresponding C function is `clock_gettime(2)`.
    public var microseconds: Int64 {
        var time = timespec()
        switch self {
        case .monotonic: clock_gettime(CLOCK_MONOTONIC, &time)
        case .realtime: clock_gettime(CLOCK_REALTIME, &time)
        }
        return Self.microseconds(time)
    }

    /// Whole microseconds; at the end of the range where there are more.
    static func microseconds(_ time: timespec) -> Int64 {
        let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000)
        let (sum, sumOverflow) = product.addingReportingOverflow(Int64(time.tv_nsec) / 1000)
        return overflow || sumOverflow ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}

extension Duration {
    /// Whole microseconds, rounded toward zero; at the end of the range where there are more.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
