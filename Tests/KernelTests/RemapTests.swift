import Glibc
import TestSupport
import Testing

/// Volume keys on whole keyboards and among other media keys: they are remapped, so that no other program acts on
/// them and every other key stays as it was.
@Suite(.serialized) struct RemapTests {
    @Test(arguments: [HIDLayout.keyboard, .consumerControl, .singleSlot])
    func `Its volume keys count and reach nobody else, its other keys do`(layout: HIDLayout) throws {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: layout))
        defer { device.destroy() }
        let reader = try SecondReader(node: device.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try device.press(.volumeUp, then: .apart)
        try device.press(.mute)
        try device.press(.volumeDown, then: .apart)
        try listener.expectLines(["1", "0"])
        let seen = try reader.take()
        #expect(seen.filter { $0.key == .mute && $0.action != .autorepeat } == [.down(.mute), .up(.mute)])
        #expect(!seen.contains { $0.key == .volumeUp || $0.key == .volumeDown })
    }

    @Test(.withOutsideKeyboards, arguments: [OutsideKeyboards.Keyboard.at, .usb])
    func `On the machine's own keyboards too, with every other key in order`(
        keyboard: OutsideKeyboards.Keyboard
    ) throws {
        let keyboards = try OutsideKeyboards()
        let node = try InputNode.named(keyboard.name)
        let reader = try SecondReader(node: node)
        let place = try Workplace()
        let listener = try place.listen(["--device", node])
        defer { listener.end() }
        try listener.waitForErrorLine(": exclusive")
        for key in ["a", "volumeup", "b"] { try keyboards.press(key, on: keyboard) }
        try listener.expectLines(["1"])
        let seen = try reader.take(before: .up(.b)).filter {
            [.a, .b, .volumeUp].contains($0.key) && $0.action != .autorepeat
        }
        #expect(seen == [.down(.a), .up(.a), .down(.b)])
    }

    @Test func `What a crash of both leaves swapped, counter doctor --repair restores once`() throws {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try killBoth(listener)
        #expect(try KeyMapCopy(node: device.node) != original)
        let repair = try place.run("doctor", "--repair")
        #expect(repair.output.hasPrefix("restored the key map of input"))
        #expect(try KeyMapCopy(node: device.node) == original)
        #expect(try place.run("doctor", "--repair").output.isEmpty)
    }

    @Test func `A key that is down is waited for before the swap, and counts once when pressed again`() throws
    {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        try device.down(.volumeUp)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("it is intercepted once all are up")
        let reader = try SecondReader(node: device.node)
        // Another key that is down does not delay interception.
        try device.down(.a)
        try device.up(.volumeUp)
        try listener.waitForErrorLine("Swapped Device: exclusive")
        #expect(try reader.take().filter { $0.action != .autorepeat } == [.down(.a), .up(.volumeUp)])
        try device.press(.volumeUp)
        try listener.expectLines(["1"])
    }

    @Test func `What cannot be restored for want of permission is restored once there is permission`() throws
    {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        chmod(device.node, 0o666)
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let variables = place.letNobodyIn()
        let nobody = asNobody + [BuiltProducts.counter]
        let listener = try ChildProcess(nobody + ["listen"], environment: variables)
        defer { listener.end() }
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try killBoth(listener)

        chmod(device.node, 0o600)
        _ = try ChildProcess.run(nobody + ["devices"], environment: variables)
        #expect(try KeyMapCopy(node: device.node) != original)
        chmod(device.node, 0o666)
        let repair = try ChildProcess.run(nobody + ["doctor", "--repair"], environment: variables)
        #expect(repair.output.hasPrefix("restored the key map of input"))
        #expect(try KeyMapCopy(node: device.node) == original)
    }

    @Test func `In a user's directory root restores no key that the service does not intercept`() throws {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        chmod(device.node, 0o666)
        let place = try Workplace()
        let listener = try ChildProcess(
            asNobody + [BuiltProducts.counter, "listen"], environment: place.letNobodyIn())
        defer { listener.end() }
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try killBoth(listener)
        let swapped = try KeyMapCopy(node: device.node)
        // The user's record names the power key instead of volume up.
        let directory = place.directory + "/.local/state/counter/interceptions"
        let forged = try ChildProcess.run([
            "sh", "-c",
            "export LC_ALL=C; sed -i 's/\\x73\\x00\\x90\\x02/\\x74\\x00\\x90\\x02/' $0/input* && chown nobody $0/* && grep -c t $0/input*",
            directory,
        ])
        #expect(forged.status == .exited(0), "\(forged.errors)")
        let repair = try ChildProcess.run([BuiltProducts.counterKeys, "repair", directory])
        #expect(repair == .init(status: .exited(0), output: "", errors: ""))
        #expect(try KeyMapCopy(node: device.node) == swapped)
    }

    @Test func `A logout, which empties the runtime directory, leaves what was written down`() throws {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        chmod(device.node, 0o666)
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let runtime = try ScratchFolder()
        chmod(runtime.path, 0o777)
        var variables = place.letNobodyIn()
        variables["XDG_RUNTIME_DIR"] = runtime.path
        let listener = try ChildProcess(
            asNobody + [BuiltProducts.counter, "listen"], environment: variables)
        defer { listener.end() }
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try killBoth(listener)
        _ = try ChildProcess.run(["sh", "-c", "rm -rf $0/*", runtime.path])
        let repair = try ChildProcess.run(
            asNobody + [BuiltProducts.counter, "doctor", "--repair"], environment: variables)
        #expect(repair.output.hasPrefix("restored the key map of input"))
        #expect(try KeyMapCopy(node: device.node) == original)
    }

    @Test func `A source that is disabled gets its key map back`() throws {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Swapped Device: exclusive")
        try device.press(.volumeUp)
        try listener.expectLines(["1"])
        let id = try #require(try place.exported().first?.split(separator: ",")[3])
        #expect(try place.run("device", "disable", String(id)).status == .exited(0))
        try listener.waitForErrorLine(": gone")
        #expect(try KeyMapCopy(node: device.node) == original)
    }

    @Test func `Of a device that another program has grabbed nothing is received, though it was open before`()
        throws
    {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        let (first, second) = (try Workplace(), try Workplace())
        let sharer = try first.listen(["--intercept", "never"])
        defer { sharer.end() }
        try sharer.waitForErrorLine("Swapped Device: shared")
        let holder = try second.listen()
        defer { holder.end() }
        try holder.waitForErrorLine("Swapped Device: exclusive")
        try device.press(.volumeUp, then: .apart)
        try holder.expectLines(["1"])
        try holder.signal(SIGTERM)
        #expect(try holder.wait() == .exited(0))
        try device.press(.volumeDown)
        try sharer.expectLines(["-1"])
    }

    @Test func `Of two programs one holds, and the other takes over`() throws {
        let device = try HIDRemote(.init(name: "Swapped Device", layout: .keyboard))
        defer { device.destroy() }
        let (first, second) = (try Workplace(), try Workplace())
        let holder = try first.listen()
        defer { holder.end() }
        try holder.waitForErrorLine("Swapped Device: exclusive")
        let waiter = try second.listen()
        defer { waiter.end() }
        try waiter.waitForErrorLine("is grabbed by another program")
        try device.press(.volumeUp)
        try holder.expectLines(["1"])
        try holder.signal(SIGTERM)
        try waiter.waitForErrorLine("Swapped Device: exclusive")
        try device.press(.volumeUp)
        try waiter.expectLines(["1"])
    }
}
