import TestSupport
import Testing

/// Counting by the keys of the real program.
@Suite final class CountingTests: NewPlace {
    @Test func `A restart keeps the count, and undo still knows what was before it`() throws {
        let first = try place.opened()
        try first.type("+++")
        try first.waitForCount(3)
        try first.type("q")
        #expect(try first.waitForExit() == .exited(0))
        let second = try place.opened(showing: 3)
        try second.type("u")
        try second.waitForCount(2)
    }

    @Test(.asRoot) func `A v that is held down does not use up what the key service allows`() throws {
        let service = try KeyService()
        let place = try Workplace.deaf(environment: ["COUNTER_KEYS_SOCKET": service.path])
        let terminal = try place.open()
        try terminal.waitForCount(0)
        let program = try terminal.process
        let connection = try eventualValue("the service to serve it") { program.sockets.first }
        // Far faster than any keyboard repeats.
        for count in 1...20 {
            try terminal.type(String(repeating: "v", count: 101) + "+")
            try terminal.waitForCount(count)
        }
        try eventually("the service to have read all of it") {
            let switches = service.child.process.contextSwitches
            pause(.milliseconds(300))
            return service.child.process.contextSwitches == switches
        }
        #expect(program.sockets.contains(connection), "it is the connection that it was")
        #expect(program.children.isEmpty, "it has no key server of its own")
    }
}

extension RunningProcess {
    /// The sockets that it has open, as the kernel names them.
    fileprivate var sockets: [String] {
        let listing = try? ChildProcess.run([
            "find", "/proc/\(pid)/fd", "-lname", "socket:*", "-printf", "%l\\n",
        ])
        return (listing?.output ?? "").split(separator: "\n").map(String.init)
    }
}
