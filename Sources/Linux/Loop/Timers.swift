import CLinux
import Glibc

/// A one-shot timer on CLOCK_MONOTONIC for a `poll(2)` loop, armed only while a deadline is pending.
package final class TimerDescriptor {
    private let descriptor: Descriptor
    private var armed: MonotonicTime?

    package init() throws(SystemCallError) {
        descriptor = try Descriptor(from: "timerfd_create") {
            timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK | TFD_CLOEXEC))
        }
    }

    package var number: CInt { descriptor.number }

    package func arm(_ deadline: MonotonicTime?) throws(SystemCallError) {
        if deadline == armed { return }
        var setting = itimerspec(at: deadline?.microseconds)
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

/// A one-shot timer on the wall clock. It also reports that the clock was set, or the machine slept past the moment.
package final class WallClockTimer {
    package enum Event: Hashable, Sendable {
        case due
        /// The clock was set, which also disarmed the timer.
        case clockSet
    }

    private let descriptor: Descriptor
    private var armed: Int64?

    package init() throws(SystemCallError) {
        descriptor = try Descriptor(from: "timerfd_create") {
            timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK | TFD_CLOEXEC))
        }
    }

    package var number: CInt { descriptor.number }

    /// In microseconds since 1970-01-01 UTC; nil disarms. While it is armed it reports that the clock was set.
    package func arm(_ microseconds: Int64?) throws(SystemCallError) {
        if microseconds == armed { return }
        var setting = itimerspec(at: microseconds)
        do throws(SystemCallError) {
            try set(setting, CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
        } catch {
            // It is armed all the same: the clock was set since the last call, which no read reports any more. So that poll(2)
            // does, it expires at once.
            guard error.errno == ECANCELED else { throw error }
            wasSet = true
            setting.it_value = timespec(tv_sec: 0, tv_nsec: 1)
            try set(setting, CInt(TFD_TIMER_ABSTIME))
        }
        armed = microseconds
    }

    private func set(_ setting: itimerspec, _ flags: CInt) throws(SystemCallError) {
        var setting = setting
        try systemCall("timerfd_settime") { timerfd_settime(descriptor.number, flags, &setting, nil) }
    }

    private var wasSet = false

    /// What has happened since the last call; nil for nothing. Does not wait.
    package func take() -> Event? {
        var count: UInt64 = 0
        let size = read(descriptor.number, &count, MemoryLayout<UInt64>.size)
        let isSet = wasSet || size < 0 && errno == ECANCELED
        guard isSet || size > 0 else { return nil }
        wasSet = false
        armed = nil
        return isSet ? .clockSet : .due
    }
}

extension itimerspec {
    /// Once, at an absolute time; nil disarms a timer. As a value of 0 would do that too, the earliest time is 1 µs.
    fileprivate init(at microseconds: Int64?) {
        self.init()
        guard let moment = microseconds.map({ max($0, 1) }) else { return }
        it_value = timespec(tv_sec: Int(moment / 1_000_000), tv_nsec: Int(moment % 1_000_000) * 1000)
    }
}

/// How long to wait before the next attempt: from the shortest pause to the longest, doubled each time.
package struct Backoff {
    package let shortest, longest: Duration
    private var pause: Duration

    package init(from shortest: Duration = .seconds(1), to longest: Duration = .seconds(60)) {
        (self.shortest, self.longest, pause) = (shortest, longest, shortest)
    }

    /// `jitter`: a factor about 1, so that many machines do not come at once after a power cut.
    package mutating func next(jitter: Double? = nil) -> Duration {
        defer { pause = min(pause * 2, longest) }
        return jitter.map { min(max(pause * $0, shortest), longest) } ?? pause
    }

    package mutating func reset() { pause = shortest }
}
