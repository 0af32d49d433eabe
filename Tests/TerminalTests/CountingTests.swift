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

    @Test func `The rate is of what counted in the last minute: an undo lowers it and a reset ends it`()
        throws
    {
        let terminal = try place.opened()
        try terminal.type("+++")
        try terminal.waitForText("3/min")
        try terminal.type("u")
        try terminal.waitForText("2/min")
        try terminal.type("r")
        try terminal.waitForScreen("no rate") { $0.count == 0 && !$0.contains("/min") }
    }

    @Test func `Undo goes back as far as there is anything, and a reset comes back to the level before it`()
        throws
    {
        let terminal = try place.opened()
        var levels = [0]
        for (key, level) in [("+", 1), ("+", 2), ("r", 0), ("-", -1), ("r", 0), ("+", 1)] {
            try terminal.type(key)
            try terminal.waitForScreen("the \(key) in the journal") { _ in try place.show() == "\(level)" }
            try terminal.waitForCount(level)
            levels.append(level)
        }
        for level in levels.dropLast().reversed() {
            try terminal.type("u")
            try terminal.waitForScreen("the undo in the journal") { _ in try place.show() == "\(level)" }
            try terminal.waitForCount(level)
        }
        try terminal.type("u")
        try terminal.waitForText("there is nothing to undo")
        #expect(try place.show() == "0")
        #expect(try place.exported() == [])
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Fifty keys typed at once are fifty counts`() throws {
        let terminal = try place.opened()
        try terminal.type(String(repeating: "+", count: 50))
        try terminal.waitForCount(50)
        #expect(try place.show() == "50")
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

    @Test func `The title follows the count`() throws {
        let terminal = try place.opened()
        try eventually("the title") { try terminal.title == "Count 0" }
        try terminal.type("--")
        try terminal.waitForCount(-2)
        try eventually("the title to follow") { try terminal.title == "Count -2" }
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

    @Test(arguments: [(80, 24), (40, 12)])
    func `Each key on the screen works at the first click`(columns: Int, rows: Int) throws {
        let terminal = try place.opened(columns: columns, rows: rows)
        let screen = try terminal.screen()
        func click(_ text: String, at offset: Int = 0) throws {
            let place = try screen.place(of: text)
            try terminal.click(column: place.column + offset, row: place.row)
        }
        try click("[+]")
        try terminal.waitForCount(1)
        try click("[+]", at: 2)
        try terminal.waitForCount(2)
        try click("[-]", at: 1)
        try terminal.waitForCount(1)
        try click("[R Reset]", at: 8)
        try terminal.waitForCount(0)
        try click("[U Undo]", at: 3)
        try terminal.waitForCount(1)
        #expect(try place.show() == "1")
    }

    @Test func `A click beside the keys does nothing`() throws {
        let terminal = try place.opened()
        let plus = try terminal.screen().place(of: "[+]")
        try terminal.click(column: plus.column + 3, row: plus.row)
        try terminal.click(column: plus.column, row: plus.row - 1)
        try terminal.type("+")
        try terminal.waitForCount(1)
        #expect(try place.exported().count == 1)
    }

    @Test func `Counting goes on under the help and under the details`() throws {
        let terminal = try place.opened()
        try terminal.type("?")
        try terminal.waitForText("Esc closes")
        try terminal.type("++")
        let helped = try terminal.waitForCount(2)
        #expect(helped.contains("Help") && helped.contains("count up"))
        try terminal.type("?")
        try terminal.waitForScreen("the help to go") { !$0.contains("Esc closes") }
        try terminal.type("d")
        try terminal.waitForText("Devices")
        try terminal.type("+")
        try terminal.waitForCount(3)
        try terminal.sendKey("Escape")
        try terminal.waitForScreen("the details to go") { !$0.contains("Esc closes") }
        #expect(try place.show() == "3")
    }

    @Test func `The volume keys can be given back and taken again, and counting by hand does not mind`()
        throws
    {
        let terminal = try place.opened()
        try terminal.type("v+v+")
        try terminal.waitForCount(2)
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
