import TestSupport
import Testing

/// The settings of sounds and speech, and what `counter doctor` says of what they need.
@Suite struct SettingsTests {
    @Test(arguments: [
        (["--sound", "loud"], "--sound: is all, none, or some of up,down,reset,target,error"),
        (["--sound", "up,,loud"], "--sound: is all"),
        (["--sound-volume", "101"], "--sound-volume: is 0 to 100"),
        (["--speech", "always"], "--speech: is never, each, tenth, key"),
    ])
    func `An option without sense is refused`(options: [String], message: String) throws {
        let outcome = try Workplace.silent().run(["listen"] + options)
        #expect(
            outcome.status == .exited(64) && outcome.errors.hasPrefix("counter: \(message)"),
            "\(outcome.errors)")
    }

    @Test(arguments: [
        ("[sound]\ncues = \"loud\"\n", ":2: cues: is all"),
        ("\n[sound]\nloud = true\n", ":3: loud: there is no such"),
        ("[speech]\ncount = 10\n", ":2: count: is never"), ("sound = \"all\"\n", ":1: sound: is a table"),
    ])
    func `A line of the configuration without sense is named`(text: String, message: String) throws {
        let place = try Workplace.silent()
        try place.configure(text)
        let outcome = try place.run("listen")
        #expect(outcome.status == .exited(65) && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `doctor names the server that is missing for what is switched on, and nothing else`() throws {
        let folder = try ScratchFolder()
        let place = try Workplace.silent([
            "XDG_RUNTIME_DIR": folder.path, "PULSE_SERVER": "unix:\(folder.path)/none",
            "SPEECHD_ADDRESS": "unix_socket:\(folder.path)/none", "PATH": "/nonexistent",
        ])
        let sound =
            "no sound server answers, so the bell stands for every sound: Connection refused\n  Install "
        let speech =
            "no speech server answers, so no count is spoken: speech-dispatcher is not installed\n  Install "
        let output = { try place.run(["doctor"] + $0).output }
        #expect(try !output([]).contains("server answers"))
        #expect(
            try output(["--sound", "up"]).contains(sound) && !output(["--sound", "up"]).contains(speech))
        #expect(
            try output(["--speech", "each"]).contains(speech)
                && !output(["--speech", "each"]).contains(sound))
    }

    @Test func `doctor says nothing of servers that answer`() throws {
        let sink = try SoundSink()
        let output = try Workplace.silent(sink.environment).run("doctor", "--sound", "all").output
        #expect(!output.contains("server answers"), "\(output)")
    }
}
