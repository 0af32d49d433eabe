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
        let (device, place) = (rig.device, rig.place)
        let original = try rig.map
        let program = try place.openUnseen(["--device", device.node])
        func waitForMap(_ what: String, _ isWanted: (KeyMapCopy) -> Bool) throws {
            try eventually(what) {
                try program.discardOutput()
                return isWanted(try rig.map)
            }
        }
        try waitForMap("the swap") { $0 != original }
        try leave(program, by: way, in: place)
        try waitForMap("the original key map") { $0 == original }
        let reader = try SecondReader(node: device.node)
        for key in [Key.volumeUp, .volumeDown] { try device.press(key) }
        try reader.expect([.down(.volumeUp), .up(.volumeUp), .down(.volumeDown), .up(.volumeDown)])

        guard way == .focusOut || way == .killServer else { return }
        try program.write("\u{1B}[I")
        #expect(try place.show() == "0", "while it was in the background it counted nothing")
        try waitForMap("the swap once more") { $0 != original }
        try program.write("q")
        #expect(try program.wait() == .exited(0))
        #expect(try rig.map == original)
    }

    @Test(arguments: Volume.of(sample: 1, full: PressedDevice.Kind.keyboards))
    func `Ctrl-Z brings the original key map back, fg the swap`(kind: PressedDevice.Kind) throws {
        let device = try PressedDevice(kind)
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        // Only a shell with job control can stop a program.
        let shell = try place.shell()
        try shell.type("counter --always --device \(device.node)\n")
        try eventually("the swap") { try KeyMapCopy(node: device.node) != original }
        try shell.sendKey("C-z")
        try eventually("the original key map") { try KeyMapCopy(node: device.node) == original }
        let reader = try SecondReader(node: device.node)
        try device.press(.volumeUp)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        try shell.type("fg\n")
        try eventually("the swap once more") { try KeyMapCopy(node: device.node) != original }
    }

    @Test(.withOutsideKeyboards)
    func `What is intercepted while the server still looks for devices is given back all the same`() throws {
        let device = try PressedDevice(.at)
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        for _ in 1...5 {
            let program = try place.openUnseen()
            try eventually("the swap", poll: .milliseconds(1)) {
                try KeyMapCopy(node: device.node) != original
            }
            // The first node is remapped, the others are being examined.
            try program.write("\u{1B}[O")
            try eventually("the original key map") { try KeyMapCopy(node: device.node) == original }
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
