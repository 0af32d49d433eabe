import Glibc
import TestSupport
import Testing

/// Programs that open a node while its volume keys are remapped, such as a compositor after a switch of sessions.
/// They ask once which keys the node has, so it must seem to have them all the time.
@Suite(.serialized) struct CapabilityTests {
    /// Opens the node while it is intercepted.
    private func openedMeanwhile(_ rig: Rig<some PluggedDevice>) throws -> EvdevReader {
        let listener = try rig.listen(["--device", rig.device.node])
        let reader = try EvdevReader(node: rig.device.node)
        try rig.press(.volumeUp)
        try listener.expectLines(["1"])
        try listener.terminate()
        #expect(try !rig.isRemapped)
        return reader
    }

    private func expectKeys(_ rig: Rig<some PluggedDevice>, and other: Key) throws {
        let reader = try openedMeanwhile(rig)
        #expect(reader.has(.volumeUp) && reader.has(.volumeDown))
        for key in [.volumeUp, .volumeDown, other] { try rig.press(key) }
        let heard = try reader.take(through: .up(other)).filter { !$0.key.isStandIn }
        #expect(heard == .presses(of: .volumeUp, .volumeDown, other))
    }

    @Test(.withOutsideKeyboards, arguments: [PressedDevice.Kind.at, .usb])
    func `They see volume keys meanwhile, and receive them afterwards`(keyboard: PressedDevice.Kind) throws {
        try expectKeys(try Rig(PressedDevice(keyboard)), and: .b)
    }

    @Test func `A remote with one slot has spare usages too`() throws {
        try expectKeys(try Rig("Remote", .singleSlot), and: .mute)
    }

    @Test func `Where no entry is spare the keys are missing, and counter devices says so`() throws {
        let rig = try Rig("Remote", .consumerControl)
        let reader = try openedMeanwhile(rig)
        #expect(!reader.has(.volumeUp) && !reader.has(.volumeDown))
        let outcome = try rig.place.run("devices")
        #expect(outcome.output.contains("a program that opens it meanwhile finds no volume keys on it"))
    }

    @Test func `A program that comes while another one holds it takes over with a plan of its own`() throws {
        let rig = try Rig("Remote", .singleSlot)
        let holder = try rig.listen()
        let remapped = try rig.map
        let waiter = try Workplace().listen(until: "is grabbed by another program")
        #expect(try rig.map == remapped)
        try holder.signal(SIGTERM)
        try waiter.waitForErrorLine("Remote: exclusive")
        #expect(try rig.map == remapped)
        try waiter.terminate()
        #expect(try !rig.isRemapped)
    }
}
