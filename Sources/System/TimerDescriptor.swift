import CLinux
import Glibc

/// A one-shot timer that a `poll(2)` loop can wait for.
///
/// It is armed only while something is due, so a program at rest is not woken.
public final class TimerDescriptor {
    private let descriptor: Descriptor
    private var armed: MonotonicTime?

    /// Makes a disarmed timer on CLOCK_MONOTONIC. The corresponding C function is `timerfd_create(2)`.
    public init() throws(SystemCallError) {
        descriptor = Descriptor(
            owning: try systemCall("timerfd_create") {
                timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK | TFD_CLOEXEC))
            })
    }

    /// The descriptor to poll; readable once the moment has come.
    public var number: CInt { descriptor.number }

    /// Sets the moment, or with `nil` none. The corresponding C function is `timerfd_settime(2)`.
    public func arm(_ deadline: MonotonicTime?) throws(SystemCallError) {
        if deadline == armed { return }
        var setting = itimerspec()
        if let deadline {
            // All zero would disarm: a moment that is past already becomes the first microsecond there was.
            let moment = max(deadline.microseconds, 1)
            setting.it_value.tv_sec = Int(moment / 1_000_000)
            setting.it_value.tv_nsec = Int(moment % 1_000_000) * 1000
        }
        try systemCall("timerfd_settime") {
            timerfd_settime(descriptor.number, CInt(TFD_TIMER_ABSTIME), &setting, nil)
        }
        armed = deadline
    }

    /// Takes note that the moment has come, so that the descriptor stops being readable.
    public func acknowledge() {
        descriptor.drain()
        armed = nil
    }
}
