import CEvdev
import Glibc
import TestSupport
import Testing

/// Volume keys on whole keyboards and among other media keys: they are remapped, so that no other program acts on
/// them and every other key stays as it was.
@Suite(.serialized) struct RemapTests {
    @Test(arguments: [HIDLayout.consumerControl, .singleSlot])
    func `Its volume keys count and reach nobody else, its other keys do`(layout: HIDLayout) throws {
        let rig = try Rig("Swapped Device", layout)
        let listener = try rig.listen()
        try rig.device.press(.volumeUp, then: .apart)
        try rig.device.press(.mute)
        try rig.device.press(.volumeDown, then: .apart)
        try listener.expectLines(["1", "0"])
        let seen = try rig.reader.take()
        #expect(seen.filter { $0.key == .mute && $0.action != .autorepeat } == .presses(of: .mute))
        #expect(!seen.contains { $0.key == .volumeUp || $0.key == .volumeDown })
    }

    @Test func `A key that is down is waited for before the swap, and the map is looked at after a change`()
        throws
    {
        let rig = try Rig("Swapped Device", .keyboard)
        // With the usual period a key that is down fills the reader's queue.
        try InputNode.setAutorepeat(period: 1_000, at: rig.device.node)
        try rig.device.down(.volumeUp)
        let listener = try rig.place.listen(until: "it is intercepted once all are up")
        // Another key that is down does not delay interception.
        try rig.device.down(.a)
        try rig.device.up(.volumeUp)
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try rig.reader.expect([.down(.volumeUp), .down(.a), .up(.volumeUp)])
        try rig.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        try rig.device.up(.a)
        try rig.device.press(.mute)
        let seen = try rig.reader.take().filter { !$0.key.isStandIn && $0.action != .autorepeat }
        #expect(seen == [.up(.a)] + .presses(of: .mute))

        // A client that a busy machine stops for half a second intercepts nothing for a moment, so the map is read
        // until it is remapped.
        let remapped = try eventualValue("the volume keys to be moved away") {
            let map = try rig.map
            return map == rig.original ? nil : map
        }
        // As udev's hwdb does after `udevadm trigger`.
        for (standIn, key) in [(KEY_MACRO1, Key.volumeUp), (KEY_MACRO2, .volumeDown)] {
            try InputNode.map(Key(code: UInt16(standIn)), to: key, at: rig.device.node)
        }
        chmod(rig.device.node, 0o640)
        try eventually("the volume keys to be moved away again") { try rig.map == remapped }
        try rig.device.press(.volumeUp)
        try listener.expectLines(["2"])
        #expect(!(try rig.reader.take()).contains { $0.key == .volumeUp })
    }

    /// A logout empties the runtime directory. Meanwhile the node has its keys for other programs.
    @Test func `What a crash left is written down over a logout, and restored once there is permission`()
        throws
    {
        let rig = try Rig("Swapped Device", .singleSlot)
        chmod(rig.device.node, 0o666)
        let runtime = try ScratchFolder()
        chmod(runtime.path, 0o777)
        var variables = rig.place.letNobodyIn()
        variables["XDG_RUNTIME_DIR"] = runtime.path
        let listener = try rig.place.start(["listen"], by: asNobody, environment: variables)
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try killBoth(listener)
        #expect(try EvdevReader(node: rig.device.node).has(.volumeUp))
        _ = try ChildProcess.run(["sh", "-c", "rm -rf $0/*", runtime.path])

        chmod(rig.device.node, 0o600)
        try rig.place.run("devices", by: asNobody, environment: variables)
        #expect(try rig.isRemapped)
        chmod(rig.device.node, 0o666)
        let repair = try rig.place.run("doctor", "--repair", by: asNobody, environment: variables)
        #expect(repair.output.hasPrefix("restored the key map of input"))
        #expect(try !rig.isRemapped)
        let again = try rig.place.run("doctor", "--repair", by: asNobody, environment: variables)
        #expect(again.output.isEmpty, "once")
    }

    @Test func `In a user's directory root restores no key that the service does not intercept`() throws {
        let rig = try Rig("Swapped Device", .keyboard)
        let listener = try rig.listenAsNobody()
        try killBoth(listener)
        let swapped = try rig.map
        // The user's record names the power key instead of volume up.
        let directory = rig.place.directory + "/.local/state/counter/interceptions"
        let forged = try ChildProcess.run([
            "sh", "-c",
            "export LC_ALL=C; sed -i 's/\\x73\\x00\\x90\\x02/\\x74\\x00\\x90\\x02/' $0/input* && chown nobody $0/* && grep -c t $0/input*",
            directory,
        ])
        #expect(forged.status == .exited(0), "\(forged.errors)")
        let repair = try ChildProcess.run([BuiltProducts.counterKeys, "repair", directory])
        #expect(repair == .init(status: .exited(0), output: "", errors: ""))
        #expect(try rig.map == swapped)
    }

    @Test func `Of a device that another program has grabbed nothing is received, though it was open before`()
        throws
    {
        let device = try HIDRemote(name: "Swapped Device", layout: .keyboard)
        let (first, second) = (try Workplace(), try Workplace())
        let sharer = try first.listen(["--intercept", "never"], until: "Swapped Device: shared")
        let holder = try second.listen(until: "Swapped Device: exclusive")
        try device.press(.volumeUp, then: .apart)
        try holder.expectLines(["1"])
        try holder.terminate()
        try device.press(.volumeDown)
        try sharer.expectLines(["-1"])
    }
}
