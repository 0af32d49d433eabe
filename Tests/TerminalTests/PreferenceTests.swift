import Foundation
import TestSupport
import Testing

/// The settings of timers, sounds and speech: in the file, in variables, and at the end of the Timers screen.
@Suite final class PreferenceTests: NewPlace {
    private var file: String { place.directory + "/.config/counter/config.toml" }
    private var text: String { get throws { try String(contentsOfFile: file, encoding: .utf8) } }

    @Test func `A new timer is as the file says, and options go before it`() throws {
        try place.configure(
            "[timers]\nmode = \"vibration\"\nurgent = true\nvolume = 40\nlimit = 3\npresets = 1\n")
        let start = { try self.place.run(["timer", "start", "1h", "--json"] + $0) }
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
        expectFailure(try place.run("timer", "preset", "add", "6m"), 69, "there is 1 preset")
    }

    @Test func `What is changed on the screen applies at once, and is kept in the file`() throws {
        let before = "# mine\r\n[sound]\r\nvolume = 70   # not loud\r\n\r\n[timers]\r\nlimit = 4\r\n"
        try place.configure(before)
        let terminal = try place.opened()
        try terminal.type("5")
        try terminal.waitForText("Sound volume  70 %")
        try terminal.sendKey("End", "Up", "Up", "Up", "Up", "Enter")
        try terminal.waitForText("Urgent        yes")
        try terminal.sendKey("Up", "Enter")
        try terminal.waitForText("End told by   vibration")
        try terminal.sendKey("End", "Up", "Enter")
        for (value, shown) in [("130", "it is 0 to 100"), ("30 %", "Sound volume  30 %")] {
            try terminal.type("\u{15}\(value)\r")
            try terminal.waitForText(shown)
        }
        #expect(
            try text
                == "# mine\r\n[sound]\r\nvolume = 30 # not loud\r\n\r\n[timers]\r\nmode = \"vibration\"\r\n"
                + "urgent = true\r\nlimit = 4\r\n")
        try terminal.typeTimer("1h", "Robins")
        let json = try place.run("timer", "list", "--json").output
        #expect(json.contains(#""mode":"vibration""#) && json.contains(#""isUrgent":true"#))
    }

    /// A program on Timers, whose last setting is chosen: speech.
    private func atSpeech(
        showing count: Int = 0, environment: [String: String?] = [:]
    ) throws -> TerminalSession {
        let terminal = try place.opened(showing: count, environment: environment)
        try terminal.type("5")
        try terminal.waitForText("Speech        ")
        try terminal.sendKey("End")
        return terminal
    }

    @Test func `A file is made where there is none`() throws {
        let terminal = try atSpeech()
        try terminal.sendKey("Enter")
        try terminal.waitForText("Speech        each")
        #expect(try text == "[speech]\ncount = \"each\"\n")
    }

    @Test
    func `Of settings that two screens change at once, each is in the file, and so are its other lines`()
        throws
    {
        try place.configure("# mine\n[keys]\nup = [\"KEY_PAGEUP\"]\n")
        let screens = try [atSpeech(), atSpeech()]
        defer { for screen in screens { screen.close() } }
        // The fourth before speech is whether timers are urgent.
        try screens[1].sendKey("Up", "Up", "Up", "Up")
        let spoken = ["each", "tenth", "key", "never"]
        for round in 0..<12 {
            for screen in screens { try screen.sendKey("Enter") }
            let shown = [
                "Speech        \(spoken[round % 4])", "Urgent        \(round % 2 == 0 ? "yes" : "no")",
            ]
            for (screen, text) in zip(screens, shown) {
                let collided = "another program is changing it"
                // After a notice nothing was changed; any key takes it away, and the user tries again.
                while try screen.waitForScreen(text, { $0.contains(text) || $0.contains(collided) })
                    .contains(collided)
                {
                    try screen.sendKey("Escape")
                    try screen.waitForScreen("no notice") { !$0.contains(collided) }
                    try screen.sendKey("Enter")
                }
            }
            let text = try text
            #expect(
                text.contains("count = \"\(spoken[round % 4])\"")
                    && text.contains("urgent = \(round % 2 == 0)"), "\(text)")
            #expect(text.hasPrefix("# mine\n[keys]\nup = [\"KEY_PAGEUP\"]\n"))
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.directory + "/.config/counter") == [
                "config.toml"
            ])
    }

    @Test(.asRoot)
    func `A file that another user can change is not read, and is not changed`() throws {
        let text = "step = 7\n"
        try place.configure(text)
        let folder = place.directory + "/.config/counter"
        for (path, mode) in [(file, 0o666), (folder, 0o777)] {
            chmod(path, mode_t(mode))
            expectFailure(
                try place.run("add"), 77, "\(file): is not read: \(path) may be written to by other users",
                "chmod go-w")
            chmod(path, 0o700)
            #expect(try place.run("add").status == .exited(0))
            chown(path, 65534, 65534)
            expectFailure(try place.run("add"), 77, "\(path) belongs to the user with number 65534", "chown")
            chown(path, 0, 0)
        }
        // As after su(1) without -: whose home it is decides what helps.
        chown(place.directory, 65534, 65534)
        let foreign = try place.run("add")
        chown(place.directory, 0, 0)
        expectFailure(
            foreign, 77, "\(place.directory) belongs to the user with number 65534",
            "is another user's home. Log in as root", "\n  su - root\n", "\n  sudo -u root -H counter\n")
        #expect(!foreign.errors.contains("chown"))
        let terminal = try atSpeech(showing: 14)
        chmod(folder, 0o777)
        try terminal.sendKey("Enter")
        try terminal.waitForText("may be written to by other users")
        #expect(try self.text == text)
    }

    @Test func `While another program changes the file, the screen says so and does not wait`() throws {
        try place.configure("# mine\n")
        let terminal = try atSpeech()
        let lock = open(file + ".lock", O_RDWR | O_CREAT, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        try terminal.sendKey("Enter")
        try terminal.waitForText("another program is changing it")
        try terminal.waitForText("Speech        never")
        unlink(file + ".lock")
        try terminal.sendKey("Enter")
        try terminal.waitForText("Speech        each")
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
        let terminal = try atSpeech(environment: variables)
        try terminal.sendKey("Enter")
        if why.isEmpty {
            try terminal.waitForText("Speech        each")
            return #expect(try text == "[speech]\ncount = \"each\"\n")
        }
        try terminal.waitForScreen(why) { $0.description.replacing("\n", with: " ").contains(why.prefix(20)) }
        #expect(try text == before)
    }
}
