import Alarms
import Sound
import TestSupport
import Testing

/// The program with a real sound server.
@Suite struct SoundTests {
    private static func opened(
        _ options: [String], _ environment: [String: String?]
    ) throws -> (Workplace, TerminalSession) {
        let place = try Workplace.silent(environment)
        return (place, try place.opened(options))
    }

    @Test func `Up, down, reset, undo and a refusal have their sounds`() throws {
        let sink = try SoundSink()
        let (_, terminal) = try Self.opened(["--sound", "all"], sink.environment)
        let presses: [(key: String, cue: Cue)] = [
            ("+", .up), ("-", .down), ("r", .reset), ("u", .reset), ("+", .up), ("u", .reset), ("u", .reset),
            ("u", .reset), ("u", .error),
        ]
        for (index, press) in presses.enumerated() {
            try terminal.type(press.key)
            try eventually("sound \(index)", last: { "\((try? sink.heard()) ?? [])" }) {
                try sink.heard().count > index
            }
        }
        #expect(try sink.heard().map(\.cue) == presses.map(\.cue))
    }

    @Test func `A target sounds once when it is reached, and again after a reset`() throws {
        let sink = try SoundSink()
        let (place, terminal) = try Self.opened(["--sound", "target"], sink.environment)
        try place.run("location", "set", "default", "--target", "2")
        try terminal.waitForText("0 of 2")
        // Three counts reach it once; what comes between stands in the terminal before the next key.
        for (keys, count, sounds) in [("+++", 3, 1), ("-", 2, 1), ("+", 3, 1), ("r", 0, 1), ("++", 2, 2)] {
            try terminal.type(keys)
            try terminal.waitForText("Count \(count)")
            try eventually("\(sounds) sounds") { try sink.heard().count >= sounds }
        }
        #expect(try sink.heard().map(\.cue) == [.target, .target])
    }

    @Test func `Only the chosen cues sound, from the configuration too`() throws {
        let sink = try SoundSink()
        let place = try Workplace.silent(sink.environment)
        try place.configure("[sound]\ncues = [\"down\"]\nvolume = 100\n")
        let terminal = try place.opened([])
        try terminal.type("+")
        try terminal.waitForText("Count 1")
        try terminal.type("-")
        try eventually("the sound") { try !sink.heard().isEmpty }
        #expect(try sink.heard().map(\.cue) == [.down])
    }

    @Test func `No ringer is started where nothing is to be heard`() throws {
        let sink = try SoundSink()
        let (_, silent) = try Self.opened([], sink.environment)
        let (_, loud) = try Self.opened(["--sound", "down"], sink.environment)
        for terminal in [silent, loud] {
            try terminal.type("+")
            try terminal.waitForText("Count 1")
            let program = try terminal.process
            #expect(program.children.allSatisfy { $0.name == "counter-keys" })
        }
    }

    @Test func `Two programs on one journal share a ringer, which ends with the last of them`() throws {
        let sink = try SoundSink()
        let (place, first) = try Self.opened(["--sound", "all"], sink.environment)
        try first.type("+")
        try eventually("the first sound") { try sink.heard().count == 1 }
        let second = try place.open(["--sound", "all"])
        try second.waitForText("Count 1")
        try second.type("-")
        try eventually("the second sound") { try sink.heard().count == 2 }
        let ringers = { (terminal: TerminalSession) throws in
            try terminal.process.children.filter { $0.name == "counter-ringer" }
        }
        #expect(try ringers(second).isEmpty)
        let ringer = try #require(try ringers(first).first)
        try first.type("q")
        _ = try first.waitForExit()
        try second.type("+")
        try eventually("the third sound") { try sink.heard().count == 3 }
        #expect(ringer.isAlive)
        try second.type("q")
        try eventually("the ringer to end") { !ringer.isAlive }
        #expect(try sink.heard().map(\.cue) == [.up, .down, .up])
    }

    @Test func `At rest the ringer does not wake`() throws {
        let sink = try SoundSink()
        let (_, terminal) = try Self.opened(["--sound", "all"], sink.environment)
        try terminal.type("+")
        try eventually("the sound") { try sink.heard().count == 1 }
        let ringer = try #require(
            try terminal.process.children.first { $0.name == "counter-ringer" })
        #expect(ringer.threads.count == 1)
        // The server tells of the end of the sound; then it is quiet.
        try eventually("two seconds without a wake-up") {
            let before = ringer.wakeUps
            pause(.seconds(2))
            return ringer.wakeUps == before
        }
    }
}

/// Without a sound server nothing fails.
@Suite struct NoSoundTests {
    @Test func `aplay plays the same samples`() throws {
        let folder = try ScratchFolder()
        try folder.script("bin/aplay", "cat >\"\(folder.path)/played\"")
        let place = try Workplace.among(serversIn: folder)
        let terminal = try place.opened(["--sound", "all", "--sound-volume", "100"])
        try terminal.type("+")
        // 90 ms of two bytes at 44.1 kHz.
        try eventually("the samples") {
            try ChildProcess.run(["stat", "-c", "%s", folder.path(of: "played")]).output == "7938\n"
        }
    }

    @Test func `Without a sound card it is told once, the bell rings, and counting goes on`() throws {
        let folder = try ScratchFolder()
        try folder.script("bin/aplay", "exit 1")
        let place = try Workplace.among(serversIn: folder)
        let listener = try place.openUnseen(["--sound", "all"])
        // The title ends with the character that is the bell too.
        try listener.skipOutput(past: "Count 0\u{7}")
        for count in 1...3 {
            try listener.write("+")
            try listener.skipOutput(past: "Count \(count)\u{7}")
            try listener.skipOutput(past: "\u{7}")
            #expect(try place.show() == "\(count)")
        }
    }

    @Test func `Without any sound or speech, counting and alarms go on`() throws {
        let folder = try ScratchFolder()
        // No aplay and no speech-dispatcher either.
        let place = try Workplace.silent([
            "PATH": "/nonexistent", "PULSE_SERVER": "unix:\(folder.path)/none",
            "XDG_RUNTIME_DIR": folder.path,
        ])
        let terminal = try place.opened(["--sound", "all", "--speech", "each"])
        try terminal.type("+")
        try terminal.waitForText("counter doctor tells more")
        try place.run("timer", "start", "1s", "Robins")
        try terminal.waitForText("Robins ended")
        for count in 2...4 {
            try terminal.type("+")
            try terminal.waitForText("Count \(count)")
        }
        try terminal.sendKey("Enter")
        try terminal.waitForScreen("no alarm") { !$0.description.contains("Robins ended") }
        #expect(try place.show() == "4")
    }

    @Test func `A ringer that hangs or is missing delays nothing`() throws {
        for script in ["exec sleep 1000", nil] {
            let folder = try ScratchFolder()
            for program in ["counter", "counter-keys"] {
                _ = try ChildProcess.run(
                    [
                        "cp", BuiltProducts.counter.dropLast("counter".count) + program,
                        folder.path(of: program),
                    ])
            }
            if let script { try folder.script("counter-ringer", script) }
            let place = try Workplace.silent(["XDG_RUNTIME_DIR": folder.path])
            let terminal = try TerminalSession(
                [folder.path(of: "counter"), "--sound", "all", "--speech", "each"],
                environment: place.environment)
            try terminal.waitForText("Count 0")
            for count in 1...5 {
                try terminal.type("+")
                try terminal.waitForText("Count \(count)")
                if script == nil, count == 1 { try terminal.waitForText("counter-ringer cannot be started") }
            }
        }
    }
}

/// The tones as samples.
@Suite struct ToneTests {
    @Test func `Each cue has a tone of its own, shorter than what a pipe holds`() {
        let tones = Cue.allCases.map { Tone($0) } + [.alarm]
        #expect(Set(tones.map { $0.samples() }).count == tones.count)
        for tone in tones { #expect(tone.samples().count * 2 < 65_536, "\(tone.name)") }
    }

    @Test func `It begins and ends silently, and the volume scales it`() {
        for cue in Cue.allCases {
            let samples = Tone(cue).samples()
            #expect(abs(samples[0]) < 100 && abs(samples[samples.count - 1]) < 600)
            let highest = samples.map { abs(Int($0)) }.max() ?? 0
            #expect(15_000...16_400 ~= highest)
            let half = Tone(cue).samples(volume: 50).map { abs(Int($0)) }.max() ?? 0
            #expect(abs(half * 2 - highest) < 10)
            #expect(Tone(cue).samples(volume: 0).allSatisfy { $0 == 0 })
        }
    }
}

/// What `counter doctor` says of what sounds and speech need.
@Suite struct SoundCheckTests {
    @Test func `doctor names the server that is missing for what is switched on, and nothing else`() throws {
        let folder = try ScratchFolder()
        let place = try Workplace.silent([
            "XDG_RUNTIME_DIR": folder.path, "PULSE_SERVER": "unix:\(folder.path)/none",
            "SPEECHD_ADDRESS": "unix_socket:\(folder.path)/none", "PATH": "/nonexistent",
        ])
        let sound =
            "no sound server answers, so you will hear the terminal's bell instead: Connection refused\n  Install "
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
