import Glibc
import TestSupport
import Testing

/// The service's keep-alives, without which systemd kills a service that hangs while it intercepts keys.
@Suite(.serialized) struct WatchdogTests {
    enum Device: CaseIterable {
        case grabbed, remapped
    }

    private func listen(_ service: KeyService, _ arguments: [String] = []) throws -> (Workplace, ChildProcess)
    {
        let place = try Workplace()
        try service.startWhereEnded()
        place.environment["COUNTER_KEYS_SOCKET"] = service.path
        return (place, try place.listen(arguments))
    }

    private func plugIn(_ device: Device) throws -> () -> Void {
        switch device {
        case .grabbed:
            let remote = try VirtualRemote(.init(name: "Some Device"))
            return { remote.destroy() }
        case .remapped:
            let remote = try HIDRemote(.init(name: "Some Device", layout: .keyboard))
            return { remote.destroy() }
        }
    }

    @Test(arguments: Device.allCases)
    func `It is watched from the first interception to the last`(device: Device) throws {
        let unplug = try plugIn(device)
        defer { unplug() }
        let systemd = try NotificationSocket()
        let service = try KeyService(after: "export NOTIFY_SOCKET=\(systemd.path)")
        let (place, listener) = try listen(service)
        defer { listener.end() }
        try service.awaitErrorLine("Some Device: exclusive", of: listener)
        #expect(try systemd.take() == ["WATCHDOG_USEC=90000000"])
        try listener.signal(SIGTERM)
        #expect(try listener.wait() == .exited(0))
        try eventually("the end of the watch") { try systemd.take() == ["WATCHDOG_USEC=0"] }
        withExtendedLifetime(place) {}
    }

    @Test func `Who shares needs no watch`() throws {
        let unplug = try plugIn(.remapped)
        defer { unplug() }
        let systemd = try NotificationSocket()
        let service = try KeyService(after: "export NOTIFY_SOCKET=\(systemd.path)")
        let (place, listener) = try listen(service, ["--intercept", "never"])
        defer { listener.end() }
        try service.awaitErrorLine("Some Device: shared", of: listener)
        try listener.signal(SIGTERM)
        #expect(try listener.wait() == .exited(0))
        #expect(try systemd.take().isEmpty)
        withExtendedLifetime(place) {}
    }

    @Test func `A server of a user's own tells nobody, whatever its environment says`() throws {
        let unplug = try plugIn(.remapped)
        defer { unplug() }
        let systemd = try NotificationSocket()
        let place = try Workplace()
        place.environment["NOTIFY_SOCKET"] = systemd.path
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Some Device: exclusive")
        #expect(try systemd.take().isEmpty)
    }
}
