package import CounterModel
import Linux

extension TimerMoment {
    /// The present time of this machine.
    ///
    /// - parameter now: The time of the wall clock, read just before.
    package init(present now: Timestamp) {
        self.init(now: now, clock: .ofThisMachine)
    }
}

extension ClockReference {
    /// The distance of the wall clock from CLOCK_BOOTTIME, which goes on while the machine sleeps; nil where the kernel does
    /// not tell which run of it this is.
    package static var ofThisMachine: ClockReference? {
        Clock.bootId.map {
            ClockReference(bootId: $0, offset: Clock.realtime.microseconds - Clock.boottime.microseconds)
        }
    }
}
