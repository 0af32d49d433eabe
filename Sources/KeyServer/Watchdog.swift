import CLinux
import Glibc
import Linux

/// Has systemd kill the service if it hangs while it intercepts keys; the stop hook of its unit then restores the key
/// maps.
///
/// systemd expects keep-alives only between the first interception and the end of the last (`WATCHDOG_USEC=` in
/// sd_notify(3)); at rest the service does not wake.
final class Watchdog {
    static let interval = Duration.seconds(30)
    /// How long after the last keep-alive systemd kills the service.
    static let timeout = Duration.seconds(90)

    private let socket: Descriptor
    private let interval: Duration
    private var leases = 0
    // Armed only while something is intercepted.
    private var timer: TimerDescriptor?

    /// `path` is the socket of `NOTIFY_SOCKET`; with an `@` for the leading zero it is an abstract name (unix(7)).
    init(notifying path: String, every interval: Duration = interval) throws(SystemCallError) {
        socket = Descriptor(
            owning: try systemCall("connect", path) { clinux_connect(path, CInt(SOCK_DGRAM.rawValue)) })
        self.interval = interval
    }

    /// The watchdog of this process; `nil` unless systemd has started it as a unit that may notify.
    static func ofService() -> Watchdog? {
        guard let path = getenv("NOTIFY_SOCKET") else { return nil }
        return try? Watchdog(notifying: String(cString: path))
    }

    /// To be taken before anything is intercepted, and kept until it has been released.
    func lease() -> WatchdogLease { WatchdogLease(of: self) }

    func watch(_ polled: inout PollSet) { if let timer { polled.add(timer.number) } }

    func keepAlive(_ polled: PollSet) {
        guard let timer, polled.isReady(timer.number) else { return }
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
        send("WATCHDOG_USEC=0")
    }

    /// An error is ignored: at worst systemd kills the service and starts it again.
    private func send(_ text: String) {
        _ = try? systemCall("send") {
            text.utf8CString.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count - 1, CInt(MSG_NOSIGNAL))
            }
        }
    }
}

/// Keeps the watchdog active as long as it exists.
final class WatchdogLease {
    private let watchdog: Watchdog

    fileprivate init(of watchdog: Watchdog) {
        self.watchdog = watchdog
        watchdog.begin()
    }

    deinit { watchdog.end() }
}
