import Glibc
import TestSupport
import Testing

/// The key service with two users of one machine, one of whom is in the foreground.
@Suite(.serialized) struct ServiceTests {
    private let service: KeyService
    private let ada: UInt32 = 1000
    private let bob: UInt32 = 1001

    private let login: LoginFiles

    init() throws {
        login = try LoginFiles()
        try login.bringToFront(ada)
        service = try KeyService()
    }

    /// `counter listen` of a user who may open no device.
    private func listen(_ user: UInt32, _ place: Workplace) throws -> ChildProcess {
        chmod(place.directory, 0o777)
        try service.startWhereEnded()
        return try ChildProcess(
            asUser(user) + [BuiltProducts.counter, "listen"],
            environment: place.environment.merging([
                "COUNTER_KEYS_SOCKET": service.path, "COUNTER_DATA_DIR": place.directory + "/journal",
                "XDG_SESSION_ID": nil,
            ]) { $1 })
    }

    enum Device: CaseIterable {
        case grabbed, swapped
    }

    /// A device that users may not open, and the means to press its keys.
    private final class Pressed {
        let node: String
        let down: (Key) throws -> Void
        let up: (Key) throws -> Void
        let destroy: () -> Void

        init(_ device: Device) throws {
            switch device {
            case .grabbed:
                let remote = try VirtualRemote(.init(name: "Some Device"))
                (node, destroy) = (remote.node, { remote.destroy() })
                (down, up) = ({ try remote.down($0) }, { try remote.up($0) })
            case .swapped:
                let remote = try HIDRemote(.init(name: "Some Device", layout: .keyboard))
                (node, destroy) = (remote.node, { remote.destroy() })
                (down, up) = ({ try remote.down($0) }, { try remote.up($0) })
            }
            chmod(node, 0o600)
        }

        func press(_ key: Key) throws {
            try down(key)
            pause(.milliseconds(20))
            try up(key)
            pause(.apart)
        }
    }

    @Test(arguments: Device.allCases)
    func `The user in the foreground counts, and one in the background receives nothing`(device: Device)
        throws
    {
        let remote = try Pressed(device)
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let (here, there) = (try Workplace(), try Workplace())
        // Both clients have opened it before either intercepts it.
        try login.bringToFront(0)
        let adas = try listen(ada, here)
        defer { adas.end() }
        let bobs = try listen(bob, there)
        defer { bobs.end() }
        try service.awaitErrorLine("Some Device: shared", of: adas)
        try service.awaitErrorLine("Some Device: shared", of: bobs)

        try login.bringToFront(ada)
        try adas.waitForErrorLine("Some Device: exclusive")
        for count in 1...2 {
            try remote.press(.volumeUp)
            try adas.expectLines(["\(count)"])
        }
        try login.bringToFront(bob)
        try adas.waitForErrorLine("another session is in the foreground")
        try bobs.waitForErrorLine("Some Device: exclusive")
        // This is his first line: he has received none of her keys.
        try remote.press(.volumeDown)
        try bobs.expectLines(["-1"])

        try login.bringToFront(ada)
        try adas.waitForErrorLine("Some Device: exclusive")
        try remote.press(.volumeUp)
        // And she has received none of his.
        try adas.expectLines(["3"])
        #expect(!(try reader.take()).contains { $0.key == .volumeUp || $0.key == .volumeDown })
    }

    @Test(arguments: Device.allCases)
    func `When another user comes to the front a key that is down counts no more`(device: Device) throws {
        let remote = try Pressed(device)
        defer { remote.destroy() }
        let place = try Workplace()
        let adas = try listen(ada, place)
        defer { adas.end() }
        try service.awaitErrorLine("Some Device: exclusive", of: adas)
        let start = ContinuousClock.now
        try remote.down(.volumeUp)
        try adas.expectLines(["1", "2"])
        try login.bringToFront(bob)
        try adas.waitForErrorLine("another session is in the foreground")
        let most = (ContinuousClock.now - start).counts
        try remote.up(.volumeUp)
        try remote.press(.volumeUp)
        try adas.signal(SIGTERM)
        #expect(try adas.wait() == .exited(0))
        var last = 2
        while let line = try adas.readLine() { last = try #require(Int(line)) }
        #expect(last <= most, "it would have gone on")
        let reader = try SecondReader(node: remote.node)
        try remote.press(.volumeDown)
        try reader.expect([.down(.volumeDown), .up(.volumeDown)])
    }

    enum End: CaseIterable {
        case killed, stopped
    }

    @Test(arguments: End.allCases)
    func `A service that ends during a hold is come back to, and the key map is the original meanwhile`(
        end: End
    ) throws {
        let device = try HIDRemote(.init(name: "Some Device", layout: .keyboard))
        defer { device.destroy() }
        chmod(device.node, 0o600)
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let adas = try listen(ada, place)
        defer { adas.end() }
        try service.awaitErrorLine("Some Device: exclusive", of: adas)
        let start = ContinuousClock.now
        try device.down(.volumeUp)
        try adas.expectLines(["1", "2"])
        try service.child.signal(end == .killed ? SIGKILL : SIGTERM)
        try adas.waitForErrorLine("counter-keys (the system service) has ended")
        let most = (ContinuousClock.now - start).counts
        if end == .killed {
            // As the unit does after the service has ended in any way.
            let repair = try ChildProcess.run([BuiltProducts.counterKeys, "repair"])
            #expect(repair.output.hasPrefix("restored the key map of input"))
        }
        #expect(try KeyMapCopy(node: device.node) == original)
        try device.up(.volumeUp)
        try service.restart()
        try adas.waitForErrorLine("Some Device: exclusive")
        var last = 2
        try device.press(.volumeDown)
        // The hold ended with the service: the next count is of the next press.
        while last >= 2, let line = try adas.readLine() {
            let count = try #require(Int(line))
            if count < last { break }
            last = count
        }
        #expect(last <= most)
    }

    @Test func `Of two programs of one user the first holds, and the other takes over`() throws {
        let remote = try Pressed(.swapped)
        defer { remote.destroy() }
        let (first, second) = (try Workplace(), try Workplace())
        let holder = try listen(ada, first)
        defer { holder.end() }
        try service.awaitErrorLine("Some Device: exclusive", of: holder)
        let waiter = try listen(ada, second)
        defer { waiter.end() }
        try waiter.waitForErrorLine("is grabbed by another program")
        try remote.press(.volumeUp)
        try holder.expectLines(["1"])
        try holder.signal(SIGKILL)
        try waiter.waitForErrorLine("Some Device: exclusive")
        try remote.press(.volumeUp)
        try waiter.expectLines(["1"])
    }

    /// Root stands for users who may listen anywhere, as members of the group may.
    @Test(arguments: Device.allCases)
    func `Who has no session at the machine shares while somebody else is at it`(device: Device) throws {
        let remote = try Pressed(device)
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let place = try Workplace()
        try login.bringToFront(nil)
        let listener = try listen(0, place)
        defer { listener.end() }
        try service.awaitErrorLine("Some Device: exclusive", of: listener)
        try remote.press(.volumeUp)
        try listener.expectLines(["1"])
        #expect(!(try reader.take()).contains { $0.key == .volumeUp })

        try login.bringToFront(ada)
        try listener.waitForErrorLine("shared while another user is at the machine")
        try remote.press(.volumeUp)
        try listener.expectLines(["2"])
        #expect(try reader.take().filter { $0.action != .autorepeat } == [.down(.volumeUp), .up(.volumeUp)])
        try login.bringToFront(nil)
        try listener.waitForErrorLine("Some Device: exclusive")
    }

    @Test func `The user in the foreground of one seat receives no keys of another`() throws {
        let remote = try Pressed(.grabbed)
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        try login.bringToFront(bob, at: "seat-garage")
        let assignment = try SeatAssignment(remote.node, to: "seat-garage")
        let (here, there) = (try Workplace(), try Workplace())
        let adas = try listen(ada, here)
        defer { adas.end() }
        try service.awaitErrorLine("Some Device: shared: ", of: adas)
        try remote.press(.volumeUp)
        #expect(try reader.take() == [.down(.volumeUp), .up(.volumeUp)])
        let bobs = try listen(bob, there)
        defer { bobs.end() }
        try service.awaitErrorLine("Some Device: exclusive", of: bobs)
        try remote.press(.volumeDown)
        try bobs.expectLines(["-1"])
        try adas.signal(SIGTERM)
        #expect(try adas.wait() == .exited(0))
        #expect(try adas.readLine() == nil, "she has heard nothing")
        withExtendedLifetime(assignment) {}
    }

    @Test func `A user without a session has to open devices without it, and is told why`() throws {
        let remote = try Pressed(.grabbed)
        defer { remote.destroy() }
        let place = try Workplace()
        let listener = try listen(1002, place)
        defer { listener.end() }
        try service.awaitErrorLine(
            "the counter-keys service does not serve this program: you have no session", of: listener)
        try listener.waitForErrorLine("Some Device: no access")
    }
}
