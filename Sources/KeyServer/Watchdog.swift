import CLinux
import Glibc
import Linux

/// Has systemd kill the service if it hangs while it intercepts keys; its unit's stop hook restores the key maps.
///
/// systemd expects keep-alives only between the first interception and the end of the last (`WATCHDOG_USEC=` in
/// sd_notify(3)); at rest the service does not wake.
final class Watchdog {
    static let interval = Duration.seconds(30)
    /// How long after the last keep-alive systemd kills the service.
    static let timeout = Duration.seconds(90)

    private let service: ServiceManager
    private let interval: Duration
    /// The lease that all interceptions share; `nil` while nothing is intercepted.
    private weak var current: WatchdogLease?

    init(_ service: ServiceManager, every interval: Duration = interval) {
        (self.service, self.interval) = (service, interval)
    }

    /// The watchdog of this process; `nil` unless systemd has started it as a unit that may notify.
    static func ofService() -> Watchdog? { ServiceManager.current.map { Watchdog($0) } }

    /// To be taken before anything is intercepted, and kept until it has been released.
    func lease() -> WatchdogLease {
        let lease = current ?? WatchdogLease(service, interval)
        current = lease
        return lease
    }

    func watch(_ polled: inout PollSet) { if let timer = current?.timer { polled.add(timer.number) } }

    func keepAlive(_ polled: PollSet) {
        guard let timer = current?.timer, polled.isReady(timer.number) else { return }
        timer.acknowledge()
        service.send("WATCHDOG=1")
        try? timer.arm(.now + interval)
    }
}

/// Keeps the watchdog active as long as it exists.
final class WatchdogLease {
    private let service: ServiceManager
    fileprivate let timer = try? TimerDescriptor()

    fileprivate init(_ service: ServiceManager, _ interval: Duration) {
        self.service = service
        service.send("WATCHDOG_USEC=\(Watchdog.timeout.components.seconds * 1_000_000)")
        try? timer?.arm(.now + interval)
    }

    deinit { service.send("WATCHDOG_USEC=0") }
}
