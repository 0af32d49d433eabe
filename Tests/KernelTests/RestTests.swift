import Glibc
import TestSupport
import Testing

/// A program at rest sleeps, and typing on a watched keyboard does not wake it.
@Suite(.serialized) struct RestTests {
    /// Both processes of a program, and their context switches.
    struct Pair {
        let program: RunningProcess
        let server: RunningProcess

        init(_ program: RunningProcess) throws {
            self.program = program
            server = try keyServer(of: program)
        }

        var descriptors: [Int] { [program.openDescriptors, server.openDescriptors] }

        var switches: [Int] { [program.contextSwitches, server.contextSwitches] }

        /// Waits until neither has run for a while: the work after a start or a press is done. After a write to the
        /// journal that takes some seconds, in which the program wakes at shorter intervals than this.
        func settle() throws {
            var last: [Int]?
            try eventually("both processes to rest", poll: .milliseconds(500)) {
                defer { last = switches }
                return last == switches
            }
        }
    }

    @Test func `A thousand keys typed on a watched keyboard wake neither process`() throws {
        var description = VirtualRemote.Description(
            name: "Typing Keyboard", keys: [.a, .b, .volumeUp, .volumeDown])
        description.sendsScanCodes = true
        let rig = try Rig(description)
        let terminal = try rig.place.open()
        try terminal.waitForScreen("the keyboard, shared") {
            $0.contains("Typing Keyboard") && $0.contains("shared")
        }
        let pair = try Pair(terminal.process)
        // Earlier work may still go on in the first round.
        var before: [Int] = []
        try eventually("both to sleep through a thousand presses") {
            try pair.settle()
            before = pair.switches
            for _ in 1...1000 { try rig.device.press(.a, then: .zero) }
            return pair.switches == before
        }
        // The program still receives keys.
        try rig.device.press(.volumeUp)
        try terminal.waitForText("Count 1")
        #expect(pair.switches != before)
        // At rest nothing wakes either process.
        try pair.settle()
        before = pair.switches
        pause(.seconds(Volume.of(sample: 5, full: 30)))
        #expect(pair.switches == before)
    }
}
