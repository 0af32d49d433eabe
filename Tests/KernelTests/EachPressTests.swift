import Glibc
import TestSupport
import Testing

/// While keys are captured and released, each press is counted or received by other programs: never both, and never
/// neither.
@Suite(.serialized) struct EachPressTests {
    private static let presses = Volume.of(sample: 8, full: 20)

    @Test(arguments: [PressedDevice.Kind.remote, .keyboard])
    func `Presses around changes of focus`(kind: PressedDevice.Kind) throws {
        let rig = try Rig(PressedDevice(kind))
        let program = try rig.place.openUnseen(["--debounce", "10ms", "--device", rig.device.node])
        try program.skipOutput(past: "exclusive")
        var random = SplitMix64(seed: 7)
        var heard = 0
        var counted: Int? = 0
        for presses in 1...Self.presses {
            try program.write(presses.isMultiple(of: 2) ? "\u{1B}[I" : "\u{1B}[O")
            pause(.milliseconds(random.below(30)))
            try rig.device.press(.volumeUp, for: .milliseconds(20))
            try eventually(
                "\(presses) presses, each counted or heard",
                last: { "\(counted ?? 0) counted, \(heard) heard" }
            ) {
                try program.discardOutput()
                heard += try rig.reader.take().count { $0 == .down(.volumeUp) }
                // Reading the count starts a process: after a press that another reader received it is not read,
                // unless it is the last.
                if counted != presses - heard || presses == 20 { counted = Int(try rig.place.show()) }
                return counted == presses - heard
            }
        }
        #expect((1..<20).contains(heard), "of 20: there were presses of both kinds")
    }
}
