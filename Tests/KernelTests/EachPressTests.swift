import Glibc
import TestSupport
import Testing

/// While keys are captured and released, each press is counted or received by other programs: never both, and never
/// neither.
@Suite(.serialized) struct EachPressTests {
    private static let presses = Volume.of(sample: 8, full: 20)

    /// A device of either kind: one that is grabbed, and one that is remapped.
    struct Device {
        let node: String
        let press: () throws -> Void
        let destroy: () -> Void

        static func make(isSwapped: Bool) throws -> Device {
            if isSwapped {
                let device = try HIDRemote(.init(name: "Contested Device", layout: .keyboard))
                return Device(
                    node: device.node,
                    press: { try device.press(.volumeUp, for: .milliseconds(20), then: .quick) },
                    destroy: device.destroy)
            }
            let device = try VirtualRemote(.init(name: "Contested Device"))
            return Device(
                node: device.node,
                press: { try device.press(.volumeUp, for: .milliseconds(20), then: .quick) },
                destroy: device.destroy)
        }
    }

    @Test(arguments: [false, true])
    func `Presses around changes of focus`(isSwapped: Bool) throws {
        let device = try Device.make(isSwapped: isSwapped)
        defer { device.destroy() }
        let reader = try SecondReader(node: device.node)
        let place = try Workplace()
        let program = try ChildProcess(
            [BuiltProducts.counter, "--debounce", "10ms", "--device", device.node],
            environment: place.environment.merging(["TERM": "xterm-256color", "TMUX": nil, "STY": nil]) {
                $1
            },
            streams: .terminal(columns: 80, rows: 24))
        defer { program.end() }
        try program.skipOutput(past: "exclusive")
        var random = SplitMix64(seed: 7)
        var heard = 0
        var counted: Int? = 0
        for presses in 1...Self.presses {
            try program.write(presses.isMultiple(of: 2) ? "\u{1B}[I" : "\u{1B}[O")
            pause(.milliseconds(random.below(30)))
            try device.press()
            try eventually(
                "\(presses) presses, each counted or heard",
                last: { "\(counted ?? 0) counted, \(heard) heard" }
            ) {
                try program.discardOutput()
                heard += try reader.take().count { $0 == .down(.volumeUp) }
                // Reading the count starts a process: after a press that another reader received it is not read,
                // unless it is the last.
                if counted != presses - heard || presses == 20 { counted = Int(try place.show()) }
                return counted == presses - heard
            }
        }
        #expect((1..<20).contains(heard), "of 20: there were presses of both kinds")
    }
}
