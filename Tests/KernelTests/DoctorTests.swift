import Glibc
import TestSupport
import Testing

/// `counter doctor` on real nodes: the problem of each, and its remedy.
@Suite(.serialized) struct DoctorTests {
    private static let good: [String: String?] = ["LC_ALL": "C.UTF-8", "TMUX": nil, "STY": nil]

    private func doctor(_ place: Workplace, _ node: String) throws -> ChildProcess.Outcome {
        try place.run("doctor", "--device", node, environment: Self.good)
    }

    /// Runs the doctor as an ordinary user.
    private func doctorOfNobody(
        _ place: Workplace, _ node: String, runtimeDirectory: String?
    ) throws -> ChildProcess.Outcome {
        let variables = place.letNobodyIn().merging(Self.good) { $1 }
            .merging(["XDG_RUNTIME_DIR": runtimeDirectory]) { $1 }
        return try ChildProcess.run(
            asNobody + [BuiltProducts.counter, "doctor", "--device", node], environment: variables)
    }

    private static let keys = [Key.volumeUp, .volumeDown]

    @Test func `Where nothing is in the way it says nothing, and leaves everything as it was`() throws {
        let device = try HIDRemote(.init(name: "Well Device", layout: .keyboard))
        defer { device.destroy() }
        let map = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let outcome = try doctor(place, device.node)
        #expect(outcome == .init(status: .exited(0), output: "", errors: ""))
        let told = try place.run("doctor", "--verbose", "--device", device.node, environment: Self.good)
        #expect(told.status == .exited(0))
        #expect(told.output.hasPrefix("The volume keys are read by your own counter-keys process"))
        #expect(try KeyMapCopy(node: device.node) == map)
        let reader = try SecondReader(node: device.node)
        try device.press(.volumeUp)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        #expect(try place.run("show").errors.contains("there is no journal"), "it makes none")
    }

    @Test func `A node without permission is named, with the command that gives it`() throws {
        let remote = try VirtualRemote(.init(name: "Locked Remote", keys: Self.keys))
        defer { remote.destroy() }
        chmod(remote.node, 0o600)
        let place = try Workplace()
        let outcome = try doctorOfNobody(place, remote.node, runtimeDirectory: place.directory)
        #expect(outcome.status == .exited(69))
        #expect(
            outcome.output.hasPrefix("Locked Remote: \(remote.node) cannot be opened: Permission denied\n"))
        #expect(outcome.output.contains("chown nobody \(remote.node)"))
        #expect(outcome.output.hasSuffix("doctor --fix\n"))
        // As the remedy does.
        chmod(remote.node, 0o666)
        let after = try doctorOfNobody(place, remote.node, runtimeDirectory: place.directory)
        #expect(after.status == .exited(0))
        #expect(after.output.isEmpty)
    }

    @Test func `What another program holds is named, and who it is`() throws {
        let remote = try VirtualRemote(.init(name: "Taken Remote", keys: Self.keys))
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        try reader.grab()
        let place = try Workplace()
        let outcome = try doctor(place, remote.node)
        #expect(outcome.status == .exited(69))
        #expect(outcome.output.contains("Taken Remote: \(remote.node) is grabbed by another program"))
        #expect(outcome.output.contains("(pid \(getpid()))\n  End the program that has grabbed it"))
        try reader.ungrab()
        #expect(try doctor(place, remote.node).status == .exited(0))
    }

    @Test func `Without a directory of its own no key map is swapped, and that is said`() throws {
        let device = try HIDRemote(.init(name: "Homeless Device", layout: .keyboard))
        defer { device.destroy() }
        chmod(device.node, 0o666)
        let place = try Workplace()
        place.environment["HOME"] = "/none"
        let outcome = try doctorOfNobody(place, device.node, runtimeDirectory: nil)
        #expect(outcome.status == .exited(69))
        #expect(outcome.output.contains("no record of it can be written\n  Set XDG_RUNTIME_DIR"))
        let own = place.directory + "/run"
        mkdir(own, 0o700)
        chown(own, 65534, 65534)
        let after = try doctorOfNobody(place, device.node, runtimeDirectory: own)
        #expect(after.status == .exited(0))
    }

    @Test func `What cannot be intercepted is named, and the remedy that it gives leaves it alone`() throws {
        // uinput devices have no key map, and a grab would take the letters too.
        let keyboard = try VirtualRemote(.init(name: "Whole Keyboard", keys: [.a] + Self.keys))
        defer { keyboard.destroy() }
        let place = try Workplace()
        let listener = try place.listen(["--device", keyboard.node])
        try listener.waitForErrorLine("Whole Keyboard: shared")
        listener.end()
        let outcome = try doctor(place, keyboard.node)
        #expect(outcome.status == .exited(69))
        #expect(outcome.output.contains("is a keyboard, which a grab would silence"))
        let remedy = try #require(outcome.output.firstRange(of: "counter device disable "))
        let id = outcome.output[remedy.upperBound...].prefix { !$0.isNewline }.filter { $0 != "'" }
        #expect(try place.run("device", "disable", id).status == .exited(0))
        let after = try doctor(place, keyboard.node)
        #expect(!after.output.contains("Whole Keyboard"))
    }

    @Test func `A key that is down is named`() throws {
        let remote = try VirtualRemote(.init(name: "Pressed Remote", keys: Self.keys))
        defer { remote.destroy() }
        try remote.down(.volumeUp)
        let place = try Workplace()
        #expect(try doctor(place, remote.node).output.contains("has a key down"))
        try remote.up(.volumeUp)
        #expect(try doctor(place, remote.node).status == .exited(0))
    }

    @Test func `A key map that a crash left changed, and that may not be restored, is named`() throws {
        let device = try HIDRemote(.init(name: "Crashed Device", layout: .keyboard))
        defer { device.destroy() }
        chmod(device.node, 0o666)
        let place = try Workplace()
        let listener = try ChildProcess(
            asNobody + [BuiltProducts.counter, "listen"], environment: place.letNobodyIn())
        defer { listener.end() }
        try listener.waitForErrorLine("Crashed Device: exclusive")
        try killBoth(listener)
        chmod(device.node, 0o600)
        let outcome = try doctorOfNobody(place, device.node, runtimeDirectory: place.directory)
        #expect(outcome.output.contains("its key map is as a crash left it"))
        #expect(
            outcome.output.contains(
                "counter-keys repair \(place.directory)/.local/state/counter/interceptions"))
        // With permission, nothing else is needed.
        chmod(device.node, 0o666)
        let own = place.directory + "/run"
        mkdir(own, 0o700)
        chown(own, 65534, 65534)
        let after = try doctorOfNobody(place, device.node, runtimeDirectory: own)
        #expect(after.status == .exited(0))
    }
}
