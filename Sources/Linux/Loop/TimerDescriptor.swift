import CLinux
import Glibc

/// A one-shot timer for a `poll(2)` loop.
///
/// It is armed only while a deadline is pending, so an idle program is not woken.
package final class TimerDescriptor {
    private let descriptor: Descriptor
    private var armed: MonotonicTime?

    /// Creates a disarmed timer on CLOCK_MONOTONIC. The corresponding C function is `timerfd_create(2)`.
    package init() throws(SystemCallError) {
        descriptor = Descriptor(
            owning: try systemCall("timerfd_create") {
                timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK | TFD_CLOEXEC))
            })
    }

    /// The descriptor to poll; readable once the deadline is reached.
    package var number: CInt { descriptor.number }

    /// Sets the deadline; `nil` disarms the timer. The corresponding C function is `timerfd_settime(2)`.
    package func arm(_ deadline: MonotonicTime?) throws(SystemCallError) {
        if deadline == armed { return }
        var setting = itimerspec()
        if let deadline {
            // A value of 0 would disarm the timer, so the earliest deadline is 1 µs.
            let moment = max(deadline.microseconds, 1)
            setting.it_value.tv_sec = Int(moment / 1_000_000)
            setting.it_value.tv_nsec = Int(moment % 1_000_000) * 1000
        }
        try systemCall("timerfd_settime") {
            timerfd_settime(descriptor.number, CInt(TFD_TIMER_ABSTIME), &setting, nil)
        }
        armed = deadline
    }

    /// Reads the expiration, so that the descriptor is no longer readable.
    package func acknowledge() {
        descriptor.drain()
        armed = nil
    }
}
