import Practice
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
