import Glibc
import TestSupport
import Testing

/// However the program ends or goes to the background, a keyboard's map is afterwards byte for byte as before.
@Suite(.serialized) struct WayOutTests {
    enum WayOut: String, CaseIterable, CustomTestStringConvertible {
        case quit, terminate, terminateWithStoppedServer, focusOut, killCounter, killServer,
            killServerAndTerminate, killBothAndStart

        var testDescription: String { rawValue }
    }

    /// Each way out of one kind of keyboard, and each kind with one way; in full, all of both.
    static let cases: [(PressedDevice.Kind, WayOut)] = PressedDevice.Kind.keyboards.flatMap { kind in
        (kind == .keyboard ? WayOut.allCases : Volume.of(sample: 1, full: WayOut.allCases))
            .map { (kind, $0) }
    }

    @Test(arguments: cases)
    func `The key map is the original again, and volume keys reach everybody`(
        kind: PressedDevice.Kind, way: WayOut
    ) throws {
        let rig = try Rig(PressedDevice(kind))
        let program = try rig.place.openUnseen(["--device", rig.device.node])
        func awaitMap(isRemapped: Bool) throws {
            try eventually(isRemapped ? "the swap" : "the original key map") {
                try program.takeOutput()
                return try rig.isRemapped == isRemapped
            }
        }
        try awaitMap(isRemapped: true)
        try leave(program, by: way, in: rig.place)
        try awaitMap(isRemapped: false)
        let reader = try SecondReader(node: rig.device.node)
        for key in [Key.volumeUp, .volumeDown] { try rig.device.press(key) }
        try reader.expect(.presses(of: .volumeUp, .volumeDown))

        guard way == .focusOut || way == .killServer else { return }
        try program.write("\u{1B}[I")
        #expect(try rig.place.show() == "0", "while it was in the background it counted nothing")
        try awaitMap(isRemapped: true)
        try program.write("q")
        #expect(try program.wait() == .exited(0))
        #expect(try !rig.isRemapped)
    }

    @Test(arguments: Volume.of(sample: 1, full: PressedDevice.Kind.keyboards))
    func `Ctrl-Z brings the original key map back, fg the swap`(kind: PressedDevice.Kind) throws {
        let rig = try Rig(PressedDevice(kind))
        // Only a shell with job control can stop a program.
        let shell = try rig.place.shell()
        try shell.type("counter --always --device \(rig.device.node)\n")
        try eventually("the swap") { try rig.isRemapped }
        try shell.sendKey("C-z")
        try eventually("the original key map") { try !rig.isRemapped }
        try rig.device.press(.volumeUp)
        try rig.reader.expect(.presses(of: .volumeUp))
        try shell.type("fg\n")
        try eventually("the swap once more") { try rig.isRemapped }
    }

    @Test(.withOutsideKeyboards)
    func `What is intercepted while the server still looks for devices is given back all the same`() throws {
        let rig = try Rig(PressedDevice(.at))
        for _ in 1...5 {
            let program = try rig.place.openUnseen()
            try eventually("the swap", poll: .milliseconds(1)) { try rig.isRemapped }
            // The first node is remapped, the others are being examined.
            try program.write("\u{1B}[O")
            try eventually("the original key map") { try !rig.isRemapped }
        }
    }

    private func leave(_ program: ChildProcess, by way: WayOut, in place: Workplace) throws {
        switch way {
        case .quit: try program.write("q")
        case .terminate: try program.signal(SIGTERM)
        case .terminateWithStoppedServer:
            try keyServer(of: program.process).signal(SIGSTOP)
            try program.signal(SIGTERM)
        case .focusOut: try program.write("\u{1B}[O")
        case .killCounter: try program.signal(SIGKILL)
        case .killServer:
            // Only the next server restores the map; it starts with the program in the background.
            try program.write("\u{1B}[O")
            try keyServer(of: program.process).signal(SIGKILL)
        case .killServerAndTerminate:
            try keyServer(of: program.process).signal(SIGKILL)
            try program.signal(SIGTERM)
        case .killBothAndStart:
            try killBoth(program)
            _ = try place.run("devices")
        }
    }
}
