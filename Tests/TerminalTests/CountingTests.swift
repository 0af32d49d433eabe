import TestSupport
import Testing

/// Keys and clicks change the number on the screen and the count in the journal alike.
@Suite struct CountingTests {
    private let place: Workplace

    init() throws { place = try Workplace.deaf() }

    @Test func `The first start shows 0, and nothing is wrong with that`() throws {
        let terminal = try place.opened()
        defer { terminal.close() }
        #expect(try place.show() == "0")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Every key that counts does what the help says`() throws {
        let terminal = try place.opened()
        var expected = 0
        for key in ["+", "=", "Up", "Right"] {
            try terminal.sendKey(key)
            expected += 1
            try terminal.waitForCount(expected)
            #expect(try place.show() == "\(expected)")
        }
        for key in ["-", "Down", "Left"] {
            try terminal.sendKey(key)
            expected -= 1
            try terminal.waitForCount(expected)
            #expect(try place.show() == "\(expected)")
        }
    }

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

    @Test func `A location of its own is named in the title and on the screen`() throws {
        try place.run("location", "add", "Hall")
        let terminal = try place.open(["--location", "Hall"])
        try terminal.waitForCount(0)
        try terminal.type("+")
        #expect(try terminal.waitForCount(1).lines[0].contains("Hall"))
        #expect(try place.run("show", "--location", "Hall").output == "1\n")
        #expect(try place.show() == "0")
        try eventually("the title") { try terminal.title == "Count 1 - Hall" }
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
