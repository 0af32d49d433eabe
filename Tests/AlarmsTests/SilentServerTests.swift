import Alarms
import Glibc
import Linux
import TestSupport
import Testing

/// Servers that accept connections and say nothing: nobody waits for them.
@Suite struct SilentServerTests {
    private let folder: ScratchFolder
    /// They end with the test.
    private let servers: [HostileServer]
    private let place: Workplace

    /// A bus, a sound server and a speech server, all silent, and an `aplay` that notes that it plays.
    init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        servers = try ["bus", "sound", "speech"].map { try HostileServer(folder.path(of: $0), .isSilent) }
        try folder.script(
            "bin/aplay", "[ \"$1\" != -l ] || exit 1\necho >>\(folder.path)/played\nexec cat >/dev/null")
        place = try Workplace.among(serversIn: folder)
    }

    /// How often `aplay` has played.
    private func played() throws -> Int {
        try ChildProcess.run(["cat", folder.path(of: "played")]).output.utf8.count
    }

    @Test func `Commands say what does not answer, and do not wait for it`() throws {
        let check = try ChildProcess.run(
            [BuiltProducts.counterRinger, "check", "bus", "notifications", "manager", "sound", "speech"],
            environment: place.environment)
        #expect(
            check.output.split(separator: "\n").map(String.init) == [
                "missing bus it does not answer", "missing manager it does not answer",
                "missing sound it does not answer", "missing speech it does not answer",
            ])
        let start = ContinuousClock.now
        let outcome = try place.run("timer", "start", "1h", "Robins")
        #expect(outcome.status == .exited(0) && outcome.output.contains("Robins"))
        #expect(outcome.errors.contains("no service manager of this user is reached"), "\(outcome)")
        #expect(outcome.errors.contains("it does not answer"))
        let findings = try place.run("doctor", "--sound", "all", "--speech", "each").output
        for problem in [
            "no user's message bus is reached", "no service manager of this user", "no sound server answers",
            "no speech server answers",
        ] { #expect(findings.contains(problem), "\(findings)") }
        // Each takes a second. Four that wait for sd-bus in turn took 360.
        #expect(ContinuousClock.now - start < .seconds(60))
        try eventually("the ringer to give up") { try place.ringer == nil }
    }

    @Test func `A check that hangs is not waited for`() throws {
        try folder.script("ringer", "exec sleep 1000")
        for (program, what) in [
            (folder.path(of: "ringer"), "answer"), (folder.path(of: "none"), "run"), ("/bin/false", "run"),
        ] {
            let error = #expect(throws: ProgramError.self) {
                _ = try RingerSurvey.missing(of: [.sound], executable: program)
            }
            #expect(error?.message == "\(program) does not \(what), so nothing is heard")
        }
    }

    @Test func `Of an alarm each tone is played without the sound server, and the screen shows it`() throws {
        let terminal = try place.opened([])
        try place.run("timer", "start", "1s", "Robins")
        try terminal.waitForText("Robins ended")
        let ringer = try place.ring()
        // libpulse itself waits 30 s, ten of the twelve alerts.
        try eventually("six tones") { try played() >= 6 }
        try terminal.sendKey("Enter")
        try eventually("the ringer to end") { !ringer.isAlive }
        #expect(try place.run("timer", "list").output.contains("Robins"))
    }

    @Test func `A message bus that comes back shows the next alarm`() throws {
        let desktop = try TestDesktop(["notifications"])
        let bus = try #require(
            (desktop.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil)?.split(separator: "=").last)
        // The client keeps the ringer.
        let terminal = try place.opened(["--sound", "up"])
        try terminal.type("+")
        try place.run("timer", "start", "1s", "Robins")
        try terminal.waitForText("Robins ended")
        try eventually("the ringer to ring") { try played() >= 2 }
        #expect(rename(folder.path(of: "bus"), folder.path(of: "old")) == 0)
        #expect(symlink(String(bus), folder.path(of: "bus")) == 0)
        try place.run("timer", "acknowledge", "Robins")
        try place.run("timer", "start", "1s", "Wrens")
        #expect(try desktop.call().contains(" Wrens | ended at "))
        try place.run("timer", "acknowledge", "Wrens")
    }

    @Test func `Where aplay hangs too, that is told, and the bell rings`() throws {
        try folder.script("bin/aplay", "exec sleep 1000")
        let listener = try place.openUnseen(["--sound", "all"])
        try listener.skipOutput(past: "Count 0\u{7}")
        try listener.write("+")
        try listener.skipOutput(past: "Count 1\u{7}")
        let before = try listener.skipOutput(past: "no sound: aplay has failed")
        let after = try listener.skipOutput(past: "\u{7}")
        #expect((before + after).contains("\u{7}"))
        #expect(try place.show() == "1")
    }

    @Test func `A sound server that stops is not waited for either, and the next sound comes at once`() throws
    {
        let sink = try SoundSink()
        place.environment["PULSE_SERVER"] = sink.server
        let terminal = try place.opened(["--sound", "all"])
        try terminal.type("+")
        try eventually("the sound") { try sink.heard().count == 1 }
        try sink.stop()
        for count in 1...3 {
            try terminal.type("+")
            try eventually("sound \(count)") { try played() >= count }
        }
        try terminal.waitForText("Count 4")
    }
}
