import Practice
import PracticeTestSupport
import TestSupport
import Testing

/// The program with a speech server.
@Suite struct PracticeSpeechTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var environment: [String: String?] {
        ["XDG_RUNTIME_DIR": folder.path, "LC_MESSAGES": "de_DE.UTF-8"]
    }

    /// The next text that is spoken of a key, without that no keys can be read: it comes at any time, before what was said last.
    private func heard(_ server: ChildProcess) throws -> String {
        let warning = "said " + KeySharing.noKeys.lines.joined(separator: " ")
        while let line = try server.readLine() {
            if line.hasPrefix("said "), line == warning || !line.hasPrefix(warning) {
                return String(line.dropFirst(5))
            }
        }
        throw SupportError.refused(by: "the speech server", why: "it has ended")
    }

    /// Goes on with the up key until a card is heard, and chooses it; `heard` is what is heard then.
    private func choose(
        _ card: String, _ heard: inout String, _ server: ChildProcess, _ terminal: TerminalSession
    ) throws {
        for _ in 0..<12 where !heard.hasSuffix("\(card).") && !heard.contains("\(card). Level") {
            try terminal.type(TerminalSession.right)
            heard = try self.heard(server)
        }
        try terminal.type("\r")
        heard = try self.heard(server)
    }

    @Test func `A level is played to its end by somebody who hears the program, and sees nothing`() throws {
        let activity = ActivityType.raetselPuzzle
        let server = try speechServer(in: folder)
        let place = try PracticePlace(environment: environment) { $0.audioEnabled = true }
        let terminal = try place.open()
        var text = try heard(server)
        #expect(text == "Who plays? Mia.")
        try choose("Mia", &text, server, terminal)
        if !text.hasPrefix("Mia.") {
            try terminal.type("\r")
            text = try heard(server)
        }
        #expect(text == "Mia. 0 coins, 60 minutes left. Pattern. Level 1.")
        try choose(English.name(activity), &text, server, terminal)
        var listener = Listener(text, end: "Solved!") { key in
            do {
                switch key {
                case .up: try terminal.type(TerminalSession.right)
                case .down: try terminal.type("-")
                case .both: try terminal.type("\r")
                }
                return try self.heard(server)
            } catch {
                Issue.record(error)
                return ""
            }
        }
        let isSolved = listener.play()
        #expect(isSolved, "\(listener.transcript.suffix(6))")
        try terminal.type("\r")
        #expect(try heard(server).hasPrefix("Mia. "))
        terminal.close()
        #expect(try place.player().progress(in: activity).totalLevelsCompleted == 1)
    }

    @Test func `A text interrupts the one before, in English and at the volume of the settings`() throws {
        let server = try speechServer(in: folder)
        let place = try PracticePlace(environment: environment) {
            $0.audioEnabled = true
            $0.voiceVolume = 0.75
        }
        let terminal = try place.open()
        #expect(try server.readLine()?.hasPrefix("SET SELF CLIENT_NAME ") == true)
        // Of two notifications the newer one is spoken, says the server's protocol.
        #expect(try server.readLine() == "SET SELF PRIORITY notification")
        #expect(try server.readLine() == "SET SELF LANGUAGE en")
        #expect(try server.readLine() == "SET SELF VOLUME 50")
        #expect(try heard(server) == "Who plays? Mia.")
        for text in ["Noah.", "Grown-up. limits, videos, reports.", "The end. close the program.", "Mia."] {
            try terminal.type(TerminalSession.right)
            #expect(try heard(server) == text)
        }
        // A card is spoken before it is drawn.
        try terminal.waitForText("1 of 4")
        try terminal.administer()
        try terminal.choose("Volume of the voice", then: "How loud")
        try terminal.type("20\r")
        var line = ""
        while line != "SET SELF VOLUME -60" { line = try #require(try server.readLine()) }
        #expect(try heard(server) == "Grown-up. Volume of the voice. 20 percent.")
    }

    @Test func `A server that answers nothing is told of, and delays nothing`() throws {
        let server = try speechServer(in: folder, ["mute"])
        defer { server.end() }
        let place = try PracticePlace(environment: environment) { $0.audioEnabled = true }
        let terminal = try place.open()
        try terminal.begin()
        try terminal.solveDice()
        try terminal.waitForText("No voice: speech-dispatcher does not answer.")
        #expect(try place.player().coins == 2)
    }

    @Test(arguments: ["208 OK SET\r\n", "702 END\r\n", "x"])
    func `A server that floods is left, and delays nothing`(text: String) throws {
        try folder.write("speech-dispatcher/x")
        let server = try HostileServer(
            speechSocket(in: folder), .floods(with: Array(text.utf8)))
        defer { server.end() }
        let place = try PracticePlace(environment: environment) { $0.audioEnabled = true }
        let terminal = try place.open()
        try terminal.waitForText("No voice: speech-dispatcher has ended.")
        try terminal.begin()
        try terminal.solveDice()
        let program = try terminal.process
        try eventually("the program to rest") {
            let before = program.processorTime
            pause(.seconds(1))
            return program.processorTime - before < .milliseconds(200)
        }
        #expect(try place.player().coins == 2)
    }

    @Test func `Without a speech server it says so, and is played by eye`() throws {
        let place = try PracticePlace(
            environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "/nonexistent"])
        let terminal = try place.open(["--voice"])
        try terminal.waitForText("No voice: speech-dispatcher is not installed.")
        try terminal.begin()
        try terminal.solveDice()
    }
}
