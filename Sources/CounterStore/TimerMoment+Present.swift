public import CounterModel
internal import System
public import TimerModel

extension TimerMoment {
    /// The present time of this machine.
    ///
    /// - parameter now: The time of the wall clock, read just before.
    public init(present now: Timestamp) {
        self.init(now: now, clock: .ofThisMachine)
    }
}

extension ClockReference {
    /// The random id of this run of the kernel; see random(4).
    private static let bootId = (try? TextFile(path: "/proc/sys/kernel/random/boot_id", name: "boot_id"))
        .map { String($0.text.prefix { !$0.isNewline }) }

    /// The distance of the wall clock from CLOCK_BOOTTIME, which goes on while the machine sleeps; nil where the kernel does
    /// not tell which run of it this is.
    public static var ofThisMachine: ClockReference? {
        bootId.map {
            ClockReference(bootId: $0, offset: Clock.realtime.microseconds - Clock.boottime.microseconds)
        }
    }
}
