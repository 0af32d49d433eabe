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
        return try place.run("doctor", "--device", node, by: asNobody, environment: variables)
    }

    private static let keys = [Key.volumeUp, .volumeDown]

    @Test func `Where nothing is in the way it says nothing, and leaves everything as it was`() throws {
        let rig = try Rig("Well Device", .keyboard)
        let outcome = try doctor(rig.place, rig.device.node)
        #expect(outcome == .init(status: .exited(0), output: "", errors: ""))
        let told = try rig.place.run(
            "doctor", "--verbose", "--device", rig.device.node, environment: Self.good)
        #expect(told.status == .exited(0))
        #expect(told.output.hasPrefix("The volume keys are read by your own counter-keys process"))
        #expect(try !rig.isRemapped)
        try rig.device.press(.volumeUp)
        try rig.reader.expect(.presses(of: .volumeUp))
        #expect(try rig.place.run("show").errors.contains("there is no journal"), "it makes none")
    }

    @Test func `What another program holds is named, and who it is`() throws {
        let rig = try Rig("Taken Remote", keys: Self.keys)
        try rig.reader.grab()
        let outcome = try doctor(rig.place, rig.device.node)
        #expect(outcome.status == .exited(69))
        #expect(outcome.output.contains("Taken Remote: \(rig.device.node) is grabbed by another program"))
        #expect(outcome.output.contains("(pid \(getpid()))\n  End the program that has grabbed it"))
        try rig.reader.ungrab()
        #expect(try doctor(rig.place, rig.device.node).status == .exited(0))
    }

    @Test func `Without a directory of its own no key map is swapped, and that is said`() throws {
        let rig = try Rig("Homeless Device", .keyboard)
        chmod(rig.device.node, 0o666)
        rig.place.environment["HOME"] = "/none"
        let outcome = try doctorOfNobody(rig.place, rig.device.node, runtimeDirectory: nil)
        #expect(outcome.status == .exited(69))
        #expect(outcome.output.contains("no record of it can be written\n  Set XDG_RUNTIME_DIR"))
        let own = rig.place.directory + "/run"
        mkdir(own, 0o700)
        chown(own, 65534, 65534)
        let after = try doctorOfNobody(rig.place, rig.device.node, runtimeDirectory: own)
        #expect(after.status == .exited(0))
    }

    @Test func `What cannot be intercepted is named, and the remedy that it gives leaves it alone`() throws {
        // uinput devices have no key map, and a grab would take the letters too.
        let rig = try Rig("Whole Keyboard", keys: [.a] + Self.keys)
        let listener = try rig.place.listen(["--device", rig.device.node], until: "Whole Keyboard: shared")
        listener.end()
        let outcome = try doctor(rig.place, rig.device.node)
        #expect(outcome.status == .exited(69))
        #expect(outcome.output.contains("is a keyboard, which a grab would silence"))
        let remedy = try #require(outcome.output.firstRange(of: "counter device disable "))
        let id = outcome.output[remedy.upperBound...].prefix { !$0.isNewline }.filter { $0 != "'" }
        #expect(try rig.place.run("device", "disable", id).status == .exited(0))
        let after = try doctor(rig.place, rig.device.node)
        #expect(!after.output.contains("Whole Keyboard"))
    }
}
