import Glibc
import TestSupport
import Testing

@testable import Sound

/// The program with a speech server.
@Suite struct SpeechTests {
    private static func opened(
        _ folder: ScratchFolder, _ options: [String], environment: [String: String?] = [:]
    ) throws -> (Workplace, TerminalSession) {
        let place = try Workplace.silent(
            ["XDG_RUNTIME_DIR": folder.path, "LC_ALL": "de_DE.UTF-8"].merging(environment) { $1 })
        return (place, try place.opened(options))
    }

    @Test func `Each count is spoken, as a notification in the user's language`() throws {
        let folder = try ScratchFolder()
        let server = try speechServer(in: folder)
        let (_, terminal) = try Self.opened(folder, ["--speech", "each"])
        try terminal.type("+")
        #expect(try server.readLine()?.hasPrefix("SET SELF CLIENT_NAME ") == true)
        #expect(try server.readLine() == "SET SELF PRIORITY notification")
        #expect(try server.readLine() == "SET SELF LANGUAGE de")
        #expect(try server.readLine() == "said 1")
        for (key, text) in [("+", "said 2"), ("-", "said 1"), ("r", "said 0"), ("-", "said -1")] {
            try terminal.type(key)
            #expect(try server.readLine() == text)
        }
    }

    @Test func `Every tenth is spoken, and on a key`() throws {
        let folder = try ScratchFolder()
        let server = try speechServer(in: folder)
        let (place, terminal) = try Self.opened(folder, ["--speech", "tenth"])
        try place.run("add", "8")
        try terminal.waitForText("Count 8")
        for _ in 0..<2 { try terminal.type("+") }
        for _ in 0..<3 { _ = try server.readLine() }
        // A newer text replaces one that is not said yet.
        #expect(try server.readLine() == "said 10")
        try terminal.type("+")
        try terminal.waitForText("Count 11")
        try terminal.type(".")
        #expect(try server.readLine() == "said 11")
    }

    @Test func `One minute left is said once, though two programs see it`() throws {
        let folder = try ScratchFolder()
        let server = try speechServer(in: folder)
        let (place, terminal) = try Self.opened(folder, ["--speech", "each"])
        let other = try place.opened([])
        try place.run("timer", "start", "1h", "Quiet", "--mode", "vibration", "--last-minute")
        try place.run("timer", "start", "61s", "Wrens", "--last-minute")
        for _ in 0..<3 { _ = try server.readLine() }
        #expect(try server.readLine() == "said Wrens: one minute left")
        try terminal.waitForText("Wrens 0:")
        try other.waitForText("Wrens 0:")
        try terminal.type("+")
        #expect(try server.readLine() == "said 1")
    }

    @Test func `What ends while another rings is said with it, because the newest text interrupts`() throws {
        let folder = try ScratchFolder()
        let server = try speechServer(in: folder)
        let (place, terminal) = try Self.opened(folder, [])
        defer { terminal.close() }
        for (label, text) in [
            ("Robins", "said Robins: time is up"), ("Wrens", "said Robins, Wrens: time is up"),
        ] {
            try place.run("timer", "start", "1s", label)
            var line = try server.readLine()
            while let said = line, !said.hasSuffix("\(label): time is up") { line = try server.readLine() }
            #expect(line == text)
        }
    }

    @Test(arguments: [
        ("12", "12"), (".5", "..5"), (".\u{301}", "..\u{301}"), ("a\r\n.\r\nQUIT", "a  .  QUIT"),
        ("\r\n", "  "),
    ])
    func `A text is one line of the protocol, and never its end`(text: String, line: String) {
        #expect(Array(Speech.line(text).utf8) == Array(line.utf8))
    }

    @Test func `A server that answers nothing delays nothing`() throws {
        let folder = try ScratchFolder()
        let server = try speechServer(in: folder, ["mute"])
        defer { server.end() }
        let (place, terminal) = try Self.opened(folder, ["--speech", "each"])
        for count in 1...20 {
            try terminal.type("+")
            try terminal.waitForText("Count \(count)")
        }
        try terminal.waitForText("no speech: speech-dispatcher does not answer")
        #expect(try place.show() == "20")
    }

    /// The synthesiser takes a minute for each text, so that a text is said only where it interrupts the one before.
    @Test func `The real speech-dispatcher is started, and the newest text interrupts the older`() throws {
        let folder = try ScratchFolder()
        // Its modules start only where there is a sound server.
        let sink = try SoundSink()
        let configuration = ".config/speech-dispatcher"
        try folder.write(
            "\(configuration)/speechd.conf",
            """
            LogLevel 1
            AddModule "writer" "sd_generic" "writer.conf"
            DefaultModule writer
            Timeout 5

            """)
        try folder.write(
            "\(configuration)/modules/writer.conf",
            """
            GenericExecuteSynth "echo \\"$DATA\\" >>\(folder.path)/said; sleep 60; echo end >>\(folder.path)/said"
            AddVoice "en" "MALE1" "writer"
            AddVoice "de" "MALE1" "writer"

            """)
        let (place, terminal) = try Self.opened(
            folder, ["--speech", "each"],
            environment: [
                "HOME": folder.path, "PULSE_SERVER": sink.server,
                "XDG_CONFIG_HOME": folder.path(of: ".config"), "LC_ALL": "C.UTF-8",
            ])
        for count in 1...3 {
            try terminal.type("+")
            try eventually("\(count) to be said") {
                try ChildProcess.run(["cat", folder.path(of: "said")]).output.contains("\(count)")
            }
        }
        #expect(try !ChildProcess.run(["cat", folder.path(of: "said")]).output.contains("end"))
        terminal.close()
        // The server ends by itself once its client is gone.
        try eventually("the ringer to end") { try place.ringer == nil }
    }
}
