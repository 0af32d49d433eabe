import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyServer

/// Keep-alives to systemd: while something is intercepted, and at no other time.
@Suite struct WatchdogTests {
    private let systemd: NotificationSocket

    init() throws { systemd = try NotificationSocket() }

    /// One round of the service's loop.
    private func turn(_ watchdog: Watchdog, until deadline: MonotonicTime? = nil) throws {
        var polled = PollSet()
        watchdog.watch(&polled)
        try polled.wait(until: deadline)
        watchdog.keepAlive(polled)
    }

    @Test func `Without interception, nothing is sent and nothing wakes`() throws {
        let watchdog = try Watchdog(ServiceManager(at: systemd.path), every: .milliseconds(1))
        try turn(watchdog, until: .now + .milliseconds(50))
        #expect(try systemd.take().isEmpty)
    }

    @Test func `From the first interception to the last there are keep-alives`() throws {
        let watchdog = try Watchdog(ServiceManager(at: systemd.path), every: .milliseconds(1))
        var first: WatchdogLease? = watchdog.lease()
        #expect(try systemd.take() == ["WATCHDOG_USEC=90000000"])
        var second: WatchdogLease? = watchdog.lease()
        for _ in 0..<3 {
            try turn(watchdog)
            #expect(try systemd.take() == ["WATCHDOG=1"])
        }
        withExtendedLifetime(first) {}
        first = nil
        try turn(watchdog)
        #expect(try systemd.take() == ["WATCHDOG=1"])
        withExtendedLifetime(second) {}
        second = nil
        #expect(try systemd.take() == ["WATCHDOG_USEC=0"])
        try turn(watchdog, until: .now + .milliseconds(50))
        #expect(try systemd.take().isEmpty)
    }

    @Test func `It is armed anew`() throws {
        let watchdog = try Watchdog(ServiceManager(at: systemd.path))
        for _ in 0..<2 {
            do {
                let lease = watchdog.lease()
                withExtendedLifetime(lease) {}
            }
            #expect(try systemd.take() == ["WATCHDOG_USEC=90000000", "WATCHDOG_USEC=0"])
        }
    }

    @Test func `Two keep-alives fit into the timeout`() { #expect(Watchdog.interval * 2 < Watchdog.timeout) }

    @Test func `Where nobody listens, it goes on`() throws {
        let watchdog: Watchdog
        do {
            let gone = try NotificationSocket()
            watchdog = try Watchdog(ServiceManager(at: gone.path), every: .milliseconds(1))
        }
        let lease = watchdog.lease()
        try turn(watchdog)
        withExtendedLifetime(lease) {}
        #expect(throws: SystemCallError.self) { try ServiceManager(at: "/none/notify") }
    }
}
