import Glibc
import System

/// Has systemd end the service where it hangs while it intercepts: its stop hook restores the key maps then.
///
/// systemd expects signs of life only between the first interception and the last (`WATCHDOG_USEC=` in sd_notify(3)); at rest nothing
/// wakes.
final class Watchdog {
    /// How often the service gives a sign of life.
    static let interval = Duration.seconds(30)
    /// After how long without one systemd ends it.
    static let timeout = Duration.seconds(90)

    private let socket: DatagramSocket
    private let interval: Duration
    private var leases = 0
    // Only while something is intercepted.
    private var timer: TimerDescriptor?
    private var index: Int?

    /// - Parameters:
    ///   - path: the socket of `NOTIFY_SOCKET`.
    ///   - interval: how often there is a sign of life.
    /// - Throws: `SystemCallError` where there is no such socket.
    init(notifying path: String, every interval: Duration = interval) throws(SystemCallError) {
        socket = try DatagramSocket(connectingTo: path)
        self.interval = interval
    }

    /// The watchdog of this process; `nil` where systemd has not started it as a unit that may notify.
    static func ofService() -> Watchdog? {
        guard let path = getenv("NOTIFY_SOCKET") else { return nil }
        return try? Watchdog(notifying: String(cString: path))
    }

    /// To be had before anything is intercepted, and kept until it has been given back.
    func lease() -> WatchdogLease { WatchdogLease(of: self) }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) { index = timer.map { polled.add($0.number) } }

    /// Gives a sign of life where one is due.
    func keepAlive(_ polled: PollSet) {
        guard let timer, let index, !polled.result(at: index).isEmpty else { return }
        timer.acknowledge()
        send("WATCHDOG=1")
        try? timer.arm(.now + interval)
    }

    fileprivate func begin() {
        leases += 1
        guard leases == 1 else { return }
        send("WATCHDOG_USEC=\(Self.timeout.components.seconds * 1_000_000)")
        timer = try? TimerDescriptor()
        try? timer?.arm(.now + interval)
    }

    fileprivate func end() {
        leases -= 1
        guard leases == 0 else { return }
        timer = nil
        index = nil
        send("WATCHDOG_USEC=0")
    }

    /// What cannot be sent changes nothing else: systemd ends the service at the worst, which is started again.
    private func send(_ text: String) { try? socket.send(text) }
}

/// Something is intercepted as long as this lives.
final class WatchdogLease {
    private let watchdog: Watchdog

    fileprivate init(of watchdog: Watchdog) {
        self.watchdog = watchdog
        watchdog.begin()
    }

    deinit { watchdog.end() }
}
