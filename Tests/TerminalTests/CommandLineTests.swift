import Foundation
import TestSupport
import Testing

/// Output and exit status of the command line.
@Suite struct CommandLineTests {
    static let commands = [
        "", "listen", "show", "status", "history", "add", "sub", "correct", "reset", "undo", "day",
        "day list",
        "day end",
        "export", "import", "ingest", "location", "location list", "location add", "location set",
        "location hide", "location show", "device forget", "watch",
        "devices", "device", "device assign", "device rename", "device disable",
        "device enable", "doctor", "verify", "timer", "timer list", "timer start", "timer pause",
        "timer resume",
        "timer stop", "timer again", "timer acknowledge", "timer remove", "timer results", "timer preset",
        "timer preset list", "timer preset add", "timer preset edit", "timer preset start",
        "timer preset remove", "timer preset restore",
    ]

    @Test(arguments: commands)
    func `Help is on standard output, and touches nothing`(command: String) throws {
        let place = try Workplace.deaf()
        let words = command.split(separator: " ").map(String.init)
        let outcome = try place.run(words + ["--help"])
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("USAGE: \((["counter"] + words).joined(separator: " "))"))
        #expect(try place.files() == [])
    }

    @Test func `The version is a version`() throws {
        let outcome = try Workplace.deaf().run("--version")
        #expect(outcome.status == .exited(0))
        #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: [
        ("nonsense", "Unexpected argument 'nonsense'"), ("--nonsense", "Unknown option '--nonsense'"),
        ("add 0", "N must be 1 to 10,000"), ("sub 10001", "N must be 1 to 10,000"),
        ("add many", "'many' is invalid"), ("add 1 2", "Unexpected argument '2'"),
        ("reset --to x", "'x' is invalid"), ("reset --to", "Missing value for '--to"),
        ("reset --to 9223372036854775808", "is invalid"), ("reset 5", "Unexpected argument '5'"),
        ("export --format xml", "one of 'csv' and 'jsonl'"), ("import", "Missing expected argument '<file>'"),
        ("location add", "Missing expected argument '<id>'"),
        ("device rename", "Missing expected argument '<id>'"),
        ("show --location", "Missing value for '--location"),
    ])
    func `Usage errors end with 64 and tell the usage`(arguments: String, why: String) throws {
        let place = try Workplace.deaf()
        let outcome = try place.run(arguments.split(separator: " ").map(String.init))
        expectFailure(outcome, 64, why, "Usage: counter", "--help' for more information")
        #expect(outcome.output == "")
        #expect(try place.files() == [])
    }

    @Test func `Changes by hand print the count, and one undo takes all of a change back`() throws {
        let place = try Workplace.deaf()
        #expect(try place.run("add").output == "1\n")
        #expect(try place.run("add", "41").output == "42\n")
        #expect(try place.run("sub", "2").output == "40\n")
        #expect(try place.run("reset").output == "0\n")
        #expect(try place.run("undo").output == "40\n")
        #expect(try place.run("undo").output == "42\n")
        #expect(try place.run("undo").output == "1\n")
        #expect(try place.run("undo").output == "0\n")
        expectFailure(try place.run("undo"), 69, "there is nothing to undo")
        #expect(try place.show() == "0")
        #expect(try place.verify().status == .exited(0))
    }

    @Test(arguments: [("9223372036854775807", "add", "sub"), ("-9223372036854775808", "sub", "add")])
    func `A count that can go no further is refused and stays`(edge: String, over: String, back: String)
        throws
    {
        let place = try Workplace.deaf()
        #expect(try place.run("reset", "--to=\(edge)").output == "\(edge)\n")
        expectFailure(try place.run(over), 65, "the count can go no further")
        #expect(try place.show() == edge)
        #expect(try place.run(back).status == .exited(0))
        #expect(try place.run(over).output == "\(edge)\n")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `The count as JSON is one object`() throws {
        let place = try Workplace.deaf()
        try place.run("add", "3")
        let object = try jsonObject(try place.run("show", "--json").output)
        #expect(object["count"] as? Int == 3)
        #expect(object["locationId"] as? String == "default")
        #expect(Set(object.keys) == ["count", "locationId", "lastUpdated", "lastEventAt"])
    }

    @Test
    func `Where nothing was counted yet the count is 0, but a directory that was named has to be there`()
        throws
    {
        let place = try Workplace.deaf(environment: ["COUNTER_DATA_DIR": nil])
        #expect(try place.run("show").output == "0\n")
        #expect(try jsonObject(try place.run("show", "--json").output)["count"] as? Int == 0)
        #expect(try place.files() == [])
        expectFailure(
            try place.run("show", "--data-dir", place.directory + "/x"), 66,
            "\(place.directory)/x/journal.sqlite: there is no journal", "--data-dir")
        for command in ["export", "verify"] {
            expectFailure(try place.run(command), 66, "there is no journal")
        }
        try place.run("add")
        #expect(try place.files() == [".local"])
        #expect(try place.run("show").output == "1\n")
    }

    @Test func `Locations are added and listed, and one that is not there is named with those that are`()
        throws
    {
        let place = try Workplace.deaf()
        #expect(try place.run("location", "add", "Main Hall").status == .exited(0))
        expectFailure(
            try place.run("location", "add", "Main Hall"), 65, "there is a location 'Main Hall' already")
        expectFailure(try place.run("location", "add", ""), 64, "1 to 64 characters")
        expectFailure(try place.run("location", "add", "a\u{1B}[m"), 64, "control character")
        try place.run("add", "2", "--location", "Main Hall")
        let lines = try place.run("location", "list", "--json").output.split(separator: "\n")
        let objects = try lines.map { try jsonObject(String($0)) }
        #expect(objects.map { $0["locationId"] as? String } == ["default", "Main Hall"])
        #expect(objects.map { $0["count"] as? Int } == [0, 2])
        for command in ["show", "add", "undo", "reset", "listen", "export"] {
            expectFailure(
                try place.run(command, "--location", "Cellar"), 66, "there is no location 'Cellar'",
                "Existing: default, Main Hall", "counter location add Cellar")
        }
    }

    @Test func `A source that has been seen is assigned, named, disabled and enabled`() throws {
        let place = try Workplace.deaf()
        expectFailure(
            try place.run("device", "forget", "door-1"), 66, "'door-1' is known", "plugged in")
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("location", "add", "Hall")
        for change in [
            ["assign", "door-1", "Hall"], ["rename", "door-1", "Front Door"], ["disable", "door-1"],
        ] {
            #expect(try place.run(["device"] + change).status == .exited(0))
        }
        let disabled = try jsonObject(try place.run("devices", "--json").output)
        #expect(disabled["deviceId"] as? String == "door-1")
        #expect(disabled["name"] as? String == "Front Door")
        #expect(disabled["locationId"] as? String == "Hall")
        #expect(disabled["state"] as? String == "disabled")
        #expect(disabled["isActive"] as? Bool == false)
        #expect(try place.run("device", "enable", "door-1").status == .exited(0))
        #expect(try place.run("device", "assign", "door-1").status == .exited(0))
        let enabled = try place.run("devices").output
        #expect(enabled.contains("Front Door  never seen  default   door-1"))

        expectFailure(
            try place.run("device", "forget", "door-2"), 66, "Did you mean 'door-1'? Known: door-1")
        expectFailure(try place.run("device", "assign", "door-1", "Cellar"), 66, "Existing: default, Hall")
        expectFailure(try place.run("device", "rename", "door-1", ""), 64, "1 to 64 characters")
        expectFailure(
            try place.run("device", "rename", "door-1", "a\u{1B}[2J"), 64, "none of them a control character")
    }

    @Test func `Standard output that is closed or full is an error, with 74`() throws {
        let place = try Workplace.deaf()
        try place.run("add", "3")
        for command in ["show", "export", "show --json", "add", "--help", "verify --help"] {
            let script = "exec \"$0\" \(command)"
            let closed = try ChildProcess.run(
                ["sh", "-c", script + " >&-", BuiltProducts.counter], environment: place.environment)
            expectFailure(closed, 74, "standard output: Bad file descriptor")
            let full = try ChildProcess.run(
                ["sh", "-c", script + " >/dev/full", BuiltProducts.counter], environment: place.environment)
            expectFailure(full, 74, "standard output: No space left on device")
        }
        // The count is unchanged.
        #expect(try place.show() == "5")
    }

    @Test func `Without a terminal the screens are refused, and nothing is made`() throws {
        let place = try Workplace.deaf()
        expectFailure(
            try place.run([]), 69, "standard input is not a terminal; without one, use `counter listen`")
        #expect(try place.files() == [])
        let terminal = try TerminalSession(
            ["sh", "-c", "\"$0\" | cat; exec cat", BuiltProducts.counter], environment: place.environment)
        defer { terminal.close() }
        try terminal.waitForText("standard output is not a terminal")
    }
}

/// Parses a JSON object.
func jsonObject(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}
