import Glibc
import TestSupport
import Testing

/// A program at rest sleeps, and typing on a watched keyboard does not wake it.
@Suite(.serialized) struct RestTests {
    /// Both processes of a program, and how often they have been switched to or from.
    struct Pair {
        let program: RunningProcess
        let server: RunningProcess

        init(_ program: RunningProcess) throws {
            self.program = program
            server = try keyServer(of: program)
        }

        var descriptors: [Int] { [program.openDescriptors, server.openDescriptors] }

        var switches: [Int] { [program.contextSwitches, server.contextSwitches] }

        /// Waits until neither has been switched for a while: what a start or a press left behind is done. After a
        /// write to the journal that takes some seconds, with looks that are never further apart than this.
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
        let keyboard = try VirtualRemote(description)
        defer { keyboard.destroy() }
        let place = try Workplace()
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.waitForScreen("the keyboard, shared") {
            $0.contains("Typing Keyboard") && $0.contains("shared")
        }
        let pair = try Pair(terminal.process)
        // What they had to do before may still go on the first time.
        var before: [Int] = []
        try eventually("both to sleep through a thousand presses") {
            try pair.settle()
            before = pair.switches
            for _ in 1...1000 { try keyboard.press(.a, then: .zero) }
            return pair.switches == before
        }
        // And yet it listens.
        try keyboard.press(.volumeUp)
        try terminal.waitForText("Count 1")
        #expect(pair.switches != before)
    }

    @Test func `At rest on the Count screen nothing wakes either process`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.waitForText("exclusive")
        try remote.press(.volumeUp)
        try terminal.waitForText("Count 1")
        let pair = try Pair(terminal.process)
        try pair.settle()
        let before = pair.switches
        pause(.seconds(Volume.of(sample: 5, full: 30)))
        #expect(pair.switches == before)
    }
}
