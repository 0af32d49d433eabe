import Glibc
import TestSupport
import Testing

/// Programs that open a node while its volume keys are remapped, such as a compositor after a switch of sessions.
/// They ask once which keys the node has, so it must seem to have them all the time.
@Suite(.serialized) struct CapabilityTests {
    /// Opens the node while it is intercepted.
    private func openedMeanwhile(_ node: String, _ press: () throws -> Void) throws -> EvdevReader {
        let original = try KeyMapCopy(node: node)
        let place = try Workplace()
        let listener = try place.listen(["--device", node])
        try listener.waitForErrorLine(": exclusive")
        let reader = try EvdevReader(node: node)
        try press()
        try listener.expectLines(["1"])
        try listener.terminate()
        #expect(try KeyMapCopy(node: node) == original)
        return reader
    }

    @Test(.withOutsideKeyboards, arguments: [OutsideKeyboards.Keyboard.at, .usb])
    func `They see volume keys meanwhile, and receive them afterwards`(keyboard: OutsideKeyboards.Keyboard)
        throws
    {
        let keyboards = try OutsideKeyboards()
        let reader = try openedMeanwhile(try InputNode.named(keyboard.name)) {
            try keyboards.press("volumeup", on: keyboard)
        }
        #expect(reader.has(.volumeUp) && reader.has(.volumeDown))
        for key in ["volumeup", "volumedown", "b"] { try keyboards.press(key, on: keyboard) }
        let heard = try reader.take(through: .up(.b)).filter { !$0.key.isStandIn }
        #expect(heard == .presses(of: .volumeUp, .volumeDown, .b))
    }

    @Test func `A remote with one slot has spare usages too`() throws {
        let device = try HIDRemote(name: "Remote", layout: .singleSlot)
        let reader = try openedMeanwhile(device.node) { try device.press(.volumeUp) }
        #expect(reader.has(.volumeUp) && reader.has(.volumeDown))
        for key in [Key.volumeUp, .volumeDown, .mute] { try device.press(key) }
        let heard = try reader.take(through: .up(.mute)).filter { !$0.key.isStandIn }
        #expect(heard == .presses(of: .volumeUp, .volumeDown, .mute))
    }

    @Test func `Where no entry is spare the keys are missing, and counter devices says so`() throws {
        let device = try HIDRemote(name: "Remote", layout: .consumerControl)
        let reader = try openedMeanwhile(device.node) { try device.press(.volumeUp) }
        #expect(!reader.has(.volumeUp) && !reader.has(.volumeDown))
        let outcome = try Workplace().run("devices")
        #expect(outcome.output.contains("a program that opens it meanwhile finds no volume keys on it"))
    }

    @Test func `A program that comes while another one holds it takes over with a plan of its own`() throws {
        let rig = try Rig("Remote", .singleSlot)
        let holder = try rig.listen()
        let remapped = try rig.map
        let waiter = try Workplace().listen()
        try waiter.waitForErrorLine("is grabbed by another program")
        #expect(try rig.map == remapped)
        try holder.signal(SIGTERM)
        try waiter.waitForErrorLine("Remote: exclusive")
        #expect(try rig.map == remapped)
        try waiter.terminate()
        #expect(try !rig.isRemapped)
    }
}
