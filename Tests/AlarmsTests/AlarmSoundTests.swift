import TestSupport
import Testing

/// What sounds when an alarm is acknowledged stops at once, not at its end.
@Suite struct SilenceTests {
    @Test func `A tone that is played is cut off by the acknowledgement`() throws {
        let sink = try SoundSink()
        let desktop = try TestDesktop(["notifications"])
        let place = try Workplace.silent(desktop.environment.merging(["PULSE_SERVER": sink.server]) { $1 })
        // Half of a tone of 0.6 s. On a busy machine an acknowledgement may come later.
        try eventually("half a tone", last: { "\((try? sink.heard()) ?? [])" }) {
            let before = try sink.begun()
            let ringer = try place.ring("Robins")
            try eventually("it to begin") { try sink.begun() > before }
            try desktop.answer("action acknowledge")
            try eventually("the ringer to end") { !ringer.isAlive }
            try eventually("the tone to be over") { try sink.heard().count > before }
            return try sink.heard()[before].length < 0.3
        }
    }

    @Test func `Speech and the sound of aplay stop, however long they would take`() throws {
        let folder = try ScratchFolder()
        let speech = try speechServer(in: folder)
        let desktop = try TestDesktop(["notifications"])
        try folder.script("aplay", "exec sleep 1000")
        let place = try Workplace.silent(
            desktop.environment.merging([
                "PATH": "\(folder.path):/usr/bin:/bin", "PULSE_SERVER": "unix:\(folder.path)/none",
                "SPEECHD_ADDRESS": "unix_socket:\(speechSocket(in: folder))",
            ]) { $1 })
        let ringer = try place.ring("Robins")
        // It begins with the speech, and is given up 1 s after the end of its tone: on a busy machine before the test has read what was said.
        try eventually("aplay to play") { ringer.children.contains { $0.name == "sleep" } }
        while try speech.readLine() != "said Robins: time is up" {}
        try place.run("timer", "acknowledge", "1")
        #expect(try speech.readLine() == "CANCEL SELF")
        try eventually("the ringer to end") { !ringer.isAlive }
    }

    @Test func `A ringer ends after the last alert where no desktop shows it, else when the desktop goes`()
        throws
    {
        let desktop = try TestDesktop(["notifications"])
        let seen = try Workplace.silent(desktop.environment)
        let shown = try seen.ring("Robins")
        // It begins later, so its last alert is the later one too.
        let place = try Workplace.silent()
        let alone = try place.ring("Robins")
        for _ in 0..<3 { #expect(try desktop.call().contains("⏰ Robins")) }
        try eventually("the ringer without a desktop to end", timeout: .seconds(90)) { !alone.isAlive }
        #expect(shown.isAlive, "its notification would go with it")
        desktop.end()
        try eventually("the other one to end", timeout: .seconds(90)) { !shown.isAlive }
        #expect(try place.run("timer", "list").output.contains("ended"))
        // A program that comes after the time of the twelve alerts rings them again; one before only the last.
        try eventually("a later ringer") {
            try place.startRinger()
            return try place.ringer != nil
        }
        try place.run("timer", "acknowledge", "1")
    }

    @Test func `A ringer whose journal is removed ends`() throws {
        let desktop = try TestDesktop(["notifications"])
        let place = try Workplace.silent(desktop.environment)
        let ringer = try place.ring("Robins")
        #expect(try desktop.call().hasPrefix("notify 1"))
        _ = try ChildProcess.run(["rm", "-rf", place.directory])
        while try desktop.call() != "close 1" {}
        try eventually("the ringer to end") { !ringer.isAlive }
    }
}

/// How loud an alarm is.
@Suite struct AlarmVolumeTests {
    @Test func `A timer's volume is that of its tone, though no counter runs`() throws {
        let sink = try SoundSink()
        var peaks: [Int] = []
        for volume in ["60", "100"] {
            let place = try Workplace.silent(sink.environment)
            try place.configure("[timers]\nvolume = \(volume)\n")
            try place.endTimer(["Robins"])
            let ringer = try place.startedRinger()
            let before = try sink.heard().count
            let heard = try eventualValue("the tone") {
                try sink.heard().dropFirst(before).first { abs($0.frequency - 1000) < 80 }
            }
            peaks.append(heard.peak)
            try place.run("timer", "acknowledge", "1")
            #expect(try ringer.wait() == .exited(0))
        }
        #expect(peaks[0] > 500 && peaks[1] > peaks[0] * 3 / 2, "\(peaks)")
    }
}
