import Glibc
import TestSupport
import Testing

/// The key service, with a user in the foreground.
class ServiceSuite {
    let service: KeyService
    let login: LoginFiles
    let ada: UInt32 = 1000

    init() throws {
        login = try LoginFiles()
        try login.bringToFront(ada)
        service = try KeyService()
    }
}

/// The key service with two users of one machine, one of whom is in the foreground.
@Suite(.serialized) final class ServiceTests: ServiceSuite {
    private let bob: UInt32 = 1001

    /// `counter listen` of a user who may open no device.
    private func listen(_ user: UInt32, _ place: Workplace) throws -> ChildProcess {
        try service.startWhereEnded()
        return try place.listen(by: user, at: service.path)
    }

    /// A device that is grabbed, and one whose keys are remapped; users may not open them.
    private static let kinds = [PressedDevice.Kind.remote, .keyboard]

    private func device(_ kind: PressedDevice.Kind) throws -> PressedDevice {
        let device = try PressedDevice(kind)
        chmod(device.node, 0o600)
        return device
    }

    @Test(arguments: kinds)
    func `The user in the foreground counts, and one in the background receives nothing`(
        kind: PressedDevice.Kind
    )
        throws
    {
        let remote = try device(kind)
        let reader = try SecondReader(node: remote.node)
        let (here, there) = (try Workplace(), try Workplace())
        // Both clients have opened it before either intercepts it.
        try login.bringToFront(0)
        let adas = try listen(ada, here)
        let bobs = try listen(bob, there)
        try service.awaitErrorLine("\(remote.name): shared", of: adas)
        try service.awaitErrorLine("\(remote.name): shared", of: bobs)

        try login.bringToFront(ada)
        try adas.waitForErrorLine("\(remote.name): exclusive")
        for count in 1...2 {
            try remote.press(.volumeUp, then: .apart)
            try adas.expectLines(["\(count)"])
        }
        try login.bringToFront(bob)
        try adas.waitForErrorLine("another session is in the foreground")
        try bobs.waitForErrorLine("\(remote.name): exclusive")
        // This is his first line: he has received none of her keys.
        try remote.press(.volumeDown, then: .apart)
        try bobs.expectLines(["-1"])

        try login.bringToFront(ada)
        try adas.waitForErrorLine("\(remote.name): exclusive")
        try remote.press(.volumeUp, then: .apart)
        // And she has received none of his.
        try adas.expectLines(["3"])
        #expect(!(try reader.take()).contains { $0.key == .volumeUp || $0.key == .volumeDown })
        try expectHoldEnds(remote, adas, count: 3)
        try bobs.waitForErrorLine("\(remote.name): exclusive")
        try bobs.terminate()
        // The service learns after his end that he has gone.
        try eventually("the end of the interception") {
            try remote.press(.volumeDown, then: .apart)
            return try reader.take().filter { $0.key == .volumeDown && $0.action != .autorepeat }
                == .presses(of: .volumeDown)
        }
    }

    /// When another user comes to the front a key that is down counts no more.
    private func expectHoldEnds(_ remote: PressedDevice, _ adas: ChildProcess, count: Int) throws {
        let start = ContinuousClock.now
        try remote.down(.volumeUp)
        try adas.expectLines(["\(count + 1)", "\(count + 2)"])
        try login.bringToFront(bob)
        try adas.waitForErrorLine("another session is in the foreground")
        let most = count + (ContinuousClock.now - start).counts
        try remote.up(.volumeUp)
        try adas.terminate()
        var last = count + 2
        while let line = try adas.readLine() { last = try #require(Int(line)) }
        #expect(last <= most, "it would have gone on")
    }

    enum End: CaseIterable {
        case killed, stopped
    }

    @Test(arguments: End.allCases)
    func `A service that ends during a hold is come back to, and the key map is the original meanwhile`(
        end: End
    ) throws {
        let rig = try Rig("Some Device", .keyboard)
        chmod(rig.device.node, 0o600)
        let adas = try listen(ada, rig.place)
        try service.awaitErrorLine("Some Device: exclusive", of: adas)
        let start = ContinuousClock.now
        try rig.device.down(.volumeUp)
        try adas.expectLines(["1", "2"])
        try service.child.signal(end == .killed ? SIGKILL : SIGTERM)
        try adas.waitForErrorLine("counter-keys (the system service) has ended")
        let most = (ContinuousClock.now - start).counts
        if end == .killed {
            // As the unit does after the service has ended in any way.
            let repair = try ChildProcess.run([BuiltProducts.counterKeys, "repair"])
            #expect(repair.output.hasPrefix("restored the key map of input"))
        }
        #expect(try !rig.isRemapped)
        try rig.device.up(.volumeUp)
        try service.restart()
        try adas.waitForErrorLine("Some Device: exclusive")
        var last = 2
        try rig.device.press(.volumeDown)
        // The hold ended with the service: the next count is of the next press.
        while last >= 2, let line = try adas.readLine() {
            let count = try #require(Int(line))
            if count < last { break }
            last = count
        }
        #expect(last <= most)
    }

    @Test func `Of two programs of one user the first holds, and the other takes over`() throws {
        let remote = try device(.keyboard)
        let (first, second) = (try Workplace(), try Workplace())
        let holder = try listen(ada, first)
        try service.awaitErrorLine("\(remote.name): exclusive", of: holder)
        let waiter = try listen(ada, second)
        try waiter.waitForErrorLine("is grabbed by another program")
        try remote.press(.volumeUp, then: .apart)
        try holder.expectLines(["1"])
        try holder.signal(SIGKILL)
        try waiter.waitForErrorLine("\(remote.name): exclusive")
        try remote.press(.volumeUp, then: .apart)
        try waiter.expectLines(["1"])
    }

    /// Root stands for users who may listen anywhere, as members of the group may.
    @Test func `Who has no session at the machine shares while somebody else is at it`() throws {
        let remote = try device(.keyboard)
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        try login.bringToFront(nil)
        let listener = try listen(0, place)
        try service.awaitErrorLine("\(remote.name): exclusive", of: listener)
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        #expect(!(try reader.take()).contains { $0.key == .volumeUp })

        try login.bringToFront(ada)
        try listener.waitForErrorLine("shared while another user is at the machine")
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines(["2"])
        try reader.expect(.presses(of: .volumeUp))
        try login.bringToFront(nil)
        try listener.waitForErrorLine("\(remote.name): exclusive")
    }

    @Test func `A user without a session has to open devices without it, and is told why`() throws {
        let remote = try device(.remote)
        let place = try Workplace()
        let listener = try listen(1002, place)
        try service.awaitErrorLine(
            "the counter-keys service does not serve this program: you have no session", of: listener)
        try listener.waitForErrorLine("\(remote.name): no access")
    }
}

/// The service's keep-alives, without which systemd kills a service that hangs while it intercepts keys.
@Suite(.serialized) struct WatchdogTests {
    private func listen(
        _ rig: Rig<PressedDevice>, _ service: KeyService, _ options: [String] = [], until state: String
    ) throws -> ChildProcess {
        try service.startWhereEnded()
        rig.place.environment["COUNTER_KEYS_SOCKET"] = service.path
        let listener = try rig.place.listen(options)
        try service.awaitErrorLine("\(rig.device.name): \(state)", of: listener)
        return listener
    }

    @Test func `The service is watched from the first interception to the last, a user's own server never`()
        throws
    {
        let rig = try Rig(PressedDevice(.keyboard))
        let systemd = try NotificationSocket()
        rig.place.environment["NOTIFY_SOCKET"] = systemd.path
        let own = try rig.listen()
        try own.terminate()
        #expect(try systemd.take().isEmpty)
        let service = try KeyService(after: "export NOTIFY_SOCKET=\(systemd.path)")
        let sharer = try listen(rig, service, ["--intercept", "never"], until: "shared")
        #expect(try systemd.take().isEmpty, "who shares needs no watch")
        let listener = try listen(rig, service, until: "exclusive")
        #expect(try systemd.take() == ["WATCHDOG_USEC=90000000"])
        try listener.terminate()
        try eventually("the end of the watch") { try systemd.take() == ["WATCHDOG_USEC=0"] }
        withExtendedLifetime(sharer) {}
    }
}
