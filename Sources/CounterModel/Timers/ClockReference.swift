/// What tells whether the wall clock was set: its distance from a clock that nobody sets.
package struct ClockReference: Hashable, Sendable {
    /// Which run of the kernel; see `/proc/sys/kernel/random/boot_id`. Distances of different runs cannot be compared.
    package let bootId: String
    /// CLOCK_REALTIME − CLOCK_BOOTTIME, in microseconds.
    package let offset: Int64

    /// In microseconds. NTP moves the wall clock slowly, by 500 ppm at most, and two clocks are read one after the other: such
    /// differences need no row each, and what was counted in them is told by the order of the rows; see `TimerWindow`.
    static let tolerance: Int64 = 1_000_000

    /// Creates a reference.
    package init(bootId: String, offset: Int64) {
        self.bootId = bootId
        self.offset = offset
    }

    /// By how much the wall clock was set between another reading and this one.
    ///
    /// - returns: Microseconds, positive where it was set forwards; nil where it was not set, or that is unknown.
    package func shift(since other: ClockReference?) -> Int64? {
        guard let other, other.bootId == bootId else { return nil }
        let (shift, overflow) = offset.subtractingReportingOverflow(other.offset)
        return overflow || shift.magnitude <= Self.tolerance.magnitude ? nil : shift
    }
}
