import Foundation
import TestSupport
import Testing

/// The settings of timers, sounds and speech: in the file, in variables, and at the end of the Timers screen.
@Suite struct PreferenceTests {
    private let place: Workplace

    init() throws { place = try Workplace.deaf() }

    private var file: String { place.directory + "/.config/counter/config.toml" }
    private var text: String { get throws { try String(contentsOfFile: file, encoding: .utf8) } }

    @Test func `A new timer is as the file says, and options go before it`() throws {
        try place.configure(
            "[timers]\nmode = \"vibration\"\nurgent = true\nvolume = 40\nlimit = 3\npresets = 1\n")
        let start = { try place.run(["timer", "start", "1h", "--json"] + $0) }
        let ordinary = try start([]).output
        #expect(
            ordinary.contains(#""mode":"vibration""#) && ordinary.contains(#""isUrgent":true,"volume":40"#))
        let named = try start(["--mode", "silent", "--no-urgent", "--volume", "70"]).output
        #expect(named.contains(#""mode":"silent""#) && named.contains(#""isUrgent":false,"volume":70"#))
        #expect(
            try place.run("timer", "start", "1h", environment: ["COUNTER_TIMER_LIMIT": "2"]).status
                == .exited(69))
        #expect(try start([]).status == .exited(0))
        expectFailure(try start([]), 69, "3 timers are running or paused")
        let preset = try place.run("timer", "preset", "add", "5m", "--json").output
        #expect(preset.contains(#""volume":40"#) && preset.contains(#""mode":"vibration""#))
        expectFailure(try place.run("timer", "preset", "add", "6m"), 69, "there are 1 presets")
    }

    @Test(arguments: [
        ("mode = \"loud\"", "mode: is sound, vibration or silent"),
        ("urgent = 3", "urgent: is true or false"),
        ("volume = 101", "volume: is 0 to 100, in percent"), ("limit = 0", "limit: is a number from 1 to 99"),
        ("presets = \"many\"", "presets: is a number from 1 to 99"),
        ("loud = 1", "loud: there is no such setting"),
    ])
    func `What is wrong in the section is named with its line`(line: String, why: String) throws {
        try place.configure("[timers]\n\(line)\n")
        expectFailure(try place.run("timer", "start", "1m"), 65, "\(file):2: ", why)
    }

    @Test func `What is changed on the screen applies at once, and is kept in the file`() throws {
        let before = "# mine\r\n[sound]\r\nvolume = 70   # not loud\r\n\r\n[timers]\r\nlimit = 4\r\n"
        try place.configure(before)
        let terminal = try place.opened()
        defer { terminal.close() }
        try terminal.type("5")
        try terminal.waitForText("Sound volume  70 %")
        for (ups, done) in [(4, "Urgent        yes"), (1, "At the end    vibration")] {
            if ups == 4 { try terminal.sendKey("End") }
            for _ in 0..<ups { try terminal.sendKey("Up") }
            try terminal.sendKey("Enter")
            try terminal.waitForText(done)
        }
        for (value, shown) in [("130", "it is 0 to 100"), ("30 %", "Sound volume  30 %")] {
            if value == "130" {
                try terminal.sendKey("End")
                try terminal.sendKey("Up")
                try terminal.sendKey("Enter")
            }
            try terminal.type("\u{15}" + value)
            try terminal.sendKey("Enter")
            try terminal.waitForText(shown)
        }
        #expect(
            try text
                == "# mine\r\n[sound]\r\nvolume = 30 # not loud\r\n\r\n[timers]\r\nmode = \"vibration\"\r\n"
                + "urgent = true\r\nlimit = 4\r\n")
        try terminal.type("n1h Robins")
        try terminal.sendKey("Enter")
        try terminal.waitForText("at its end")
        try terminal.sendKey("Enter")
        try terminal.waitForText("1 Robins")
        let json = try place.run("timer", "list", "--json").output
        #expect(json.contains(#""mode":"vibration""#) && json.contains(#""isUrgent":true"#))
    }

    @Test func `A file is made where there is none, and one that is a link stays one`() throws {
        for link in [false, true] {
            if link {
                try FileManager.default.moveItem(atPath: file, toPath: place.directory + "/elsewhere")
                try FileManager.default.createSymbolicLink(
                    atPath: file, withDestinationPath: place.directory + "/elsewhere")
            }
            let terminal = try place.opened()
            try terminal.type("5")
            try terminal.waitForText("Speech        \(link ? "each" : "never")")
            try terminal.sendKey("End")
            try terminal.sendKey("Enter")
            try terminal.waitForText("Speech        \(link ? "tenth" : "each")")
            terminal.close()
        }
        #expect(try text == "[speech]\ncount = \"tenth\"\n")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: file) == place.directory + "/elsewhere")
    }

    @Test(arguments: [
        ("[speech]\ncount = \"\"\"never\"\"\"\n", [:], ""),
        ("speech = { count = \"never\" }\n", [:], "write it there yourself: count = "),
        ("", ["COUNTER_SPEECH": "key"], "it is set by COUNTER_SPEECH"),
    ])
    func `What cannot be changed here is said, and the file stays`(
        before: String, variables: [String: String], why: String
    ) throws {
        try place.configure(before)
        let terminal = try place.opened(environment: variables)
        defer { terminal.close() }
        try terminal.type("5")
        try terminal.sendKey("End")
        try terminal.sendKey("Enter")
        if why.isEmpty {
            try terminal.waitForText("Speech        each")
            return #expect(try text == "[speech]\ncount = \"each\"\n")
        }
        try terminal.waitForScreen(why) { $0.description.replacing("\n", with: " ").contains(why.prefix(20)) }
        #expect(try text == before)
    }
}
